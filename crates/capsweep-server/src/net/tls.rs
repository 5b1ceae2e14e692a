//! TLS: the server's certificate, and the authorities of client certificates.

use anyhow::{Context as _, Result, bail};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// A server's TLS files, in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The server's certificates, its own first.
    pub cert: PathBuf,
    /// Its key.
    pub key: PathBuf,
    /// Authorities of clients: a client must present a certificate from one of them.
    pub client_ca: Option<PathBuf>,
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let read = || -> Result<Vec<_>> {
        let all = CertificateDer::pem_file_iter(file)?.collect::<Result<Vec<_>, _>>()?;
        if all.is_empty() {
            bail!("it holds no certificate in PEM");
        }
        Ok(all)
    };
    read().with_context(|| format!("certificates in {}", file.display()))
}

/// Accepts TLS connections.
///
/// # Errors
/// If a file cannot be read, or the key does not match the certificate.
pub fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor> {
    let TlsFiles { cert, key, client_ca } = files;
    let key_of = || format!("key in {}", key.display());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()?;
    let builder = match client_ca {
        None => builder.with_no_client_auth(),
        Some(file) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(file)? {
                let of = || format!("authority in {}", file.display());
                roots.add(certificate).with_context(of)?;
            }
            let clients =
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?;
            builder.with_client_cert_verifier(clients)
        }
    };
    let secret = PrivateKeyDer::from_pem_file(key).with_context(key_of)?;
    let mut config = builder.with_single_cert(certificates(cert)?, secret).with_context(key_of)?;
    // HTTP/1.1 is for `/ready` and `/metrics`.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
