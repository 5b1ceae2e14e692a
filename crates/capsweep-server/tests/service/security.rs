//! Who may call: loopback, TLS, client certificates, tokens.

use crate::process::{Folder, Server, command};
use crate::swap::admin;
use capsweep_client::proto::v1;
use capsweep_client::{Client, Options, RetryPolicy};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use std::fs;
use std::path::PathBuf;
use tonic::Code;

/// A certificate authority, and certificates for a server and a client.
pub(crate) struct Certificates {
    pub(crate) ca: PathBuf,
    pub(crate) server: (PathBuf, PathBuf),
    pub(crate) client: (PathBuf, PathBuf),
}

impl Certificates {
    pub(crate) fn new(folder: &Folder) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "test authority");
        let key = KeyPair::generate().unwrap();
        let ca = folder.file("ca.pem");
        fs::write(&ca, params.self_signed(&key).unwrap().pem()).unwrap();
        let issuer = Issuer::new(params, key);
        let issue = |name: &str| {
            let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
            let mut params = CertificateParams::new(names).unwrap();
            params.distinguished_name.push(DnType::CommonName, name);
            let key = KeyPair::generate().unwrap();
            let files = (folder.file(&format!("{name}.pem")), folder.file(&format!("{name}.key")));
            fs::write(&files.0, params.signed_by(&key, &issuer).unwrap().pem()).unwrap();
            fs::write(&files.1, key.serialize_pem()).unwrap();
            files
        };
        let (server, client) = (issue("server"), issue("client"));
        Self { ca, server, client }
    }

    pub(crate) fn arguments(&self) -> [&str; 6] {
        let [cert, key, ca] =
            [&self.server.0, &self.server.1, &self.ca].map(|path| path.to_str().unwrap());
        ["--tls-cert", cert, "--tls-key", key, "--client-ca", ca]
    }

    pub(crate) fn options(&self, with_identity: bool) -> Options {
        let read = |path: &PathBuf| fs::read(path).unwrap();
        let identity = (read(&self.client.0), read(&self.client.1));
        let retry = RetryPolicy { budget: 0.0, ..RetryPolicy::default() };
        Options {
            ca: Some(read(&self.ca)),
            identity: with_identity.then_some(identity),
            retry,
            ..Options::default()
        }
    }
}

#[tokio::test]
async fn tls_and_client_certificates_are_demanded() {
    let folder = Folder::new();
    let files = Certificates::new(&folder);
    let server = Server::start(&files.arguments());
    let address = format!("https://{}", server.address);
    let client = Client::connect(&address, files.options(true)).unwrap();
    assert_eq!(client.worlds().await.unwrap()[0].name, "course");
    let nobody = Client::connect(&address, files.options(false)).unwrap();
    assert!(nobody.worlds().await.is_err(), "a client without a certificate");
    let elsewhere = Folder::new();
    let identity = Certificates::new(&elsewhere).options(true).identity;
    let options = Options { identity, ..files.options(false) };
    let stranger = Client::connect(&address, options).unwrap();
    assert!(stranger.worlds().await.is_err(), "a client of another authority");
    let mut plain = files.options(true);
    plain.ca = None;
    let plain = Client::connect(&format!("http://{}", server.address), plain).unwrap();
    assert!(plain.worlds().await.is_err(), "no TLS");
    assert!(client.worlds().await.is_ok());
}

#[test]
fn another_address_needs_tls_or_insecure() {
    let run = |arguments: &[&str]| {
        let output = command("0.0.0.0:0", "127.0.0.1:0", arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, log) = run(&[]);
    assert_eq!(code, Some(2));
    assert!(log.contains("--tls-cert") && log.contains("--insecure"), "{log}");
    let output = command("127.0.0.1:0", "0.0.0.0:0", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "administration as well");
    // Bad files are found before anything listens.
    let (code, log) = run(&["--tls-cert", "no.pem", "--tls-key", "no.key"]);
    assert_eq!(code, Some(2));
    assert!(log.contains("no.pem") || log.contains("no.key"), "{log}");
    let server = Server::start_at("0.0.0.0:0", "127.0.0.1:0", &["--insecure"]);
    assert!(server.address.ip().is_unspecified());
}

#[tokio::test]
async fn tokens_are_demanded_and_read_again() {
    let folder = Folder::new();
    let file = folder.file("tokens");
    fs::write(&file, "one-long-secret-token\n").unwrap();
    let server = Server::start(&["--tokens", file.to_str().unwrap()]);
    let with = |token: &str| {
        let options = Options { token: Some(token.to_owned()), ..Options::default() };
        server.client_with(options)
    };
    assert!(with("one-long-secret-token").worlds().await.is_ok());
    for bad in ["one-long-secret-tokem", "one-long-secret-token2", "x"] {
        let error = with(bad).worlds().await.unwrap_err();
        assert_eq!(error.code(), Some(Code::Unauthenticated), "{error}");
    }
    let error = server.client().worlds().await.unwrap_err();
    assert_eq!(error.code(), Some(Code::Unauthenticated), "{error}");
    let status = admin(&server).await.reload(v1::ReloadRequest::default()).await.unwrap_err();
    assert_eq!(status.code(), Code::Unauthenticated, "administration as well");
    assert_eq!(server.page("/ready").0, 200, "balancers need no token");
    fs::write(&file, "another-long-secret-token\n").unwrap();
    server.signal("HUP");
    server.wait_for_line("loaded again");
    assert!(with("another-long-secret-token").worlds().await.is_ok());
    assert!(with("one-long-secret-token").worlds().await.is_err());
}
