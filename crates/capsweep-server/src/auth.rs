//! Bearer tokens.

use anyhow::{Context as _, Result, bail};
use arc_swap::ArcSwap;
use ring::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use std::fs;
use std::path::{Path, PathBuf};
use subtle::{Choice, ConstantTimeEq as _};

type Hash = [u8; SHA256_OUTPUT_LEN];

fn hash(token: &[u8]) -> Hash {
    let mut hash = Hash::default();
    hash.copy_from_slice(digest(&SHA256, token).as_ref());
    hash
}

/// The tokens of a file, one per line. Lines that start with `#` are comments.
///
/// It stores hashes. A token is compared with all of them in constant time, so the response time
/// does not reveal how close a guess was.
#[derive(Debug)]
pub struct Tokens {
    file: PathBuf,
    hashes: ArcSwap<Vec<Hash>>,
}

/// Shortest token: 16 bytes.
const MIN_LENGTH: usize = 16;

fn read(file: &Path) -> Result<Vec<Hash>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("cannot read tokens from {}", file.display()))?;
    let lines = text.lines().map(str::trim);
    let tokens = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut hashes = Vec::new();
    for token in tokens {
        if token.len() < MIN_LENGTH {
            bail!("{}: a token has fewer than {MIN_LENGTH} bytes", file.display());
        }
        hashes.push(hash(token.as_bytes()));
    }
    if hashes.is_empty() {
        bail!("{} holds no token", file.display());
    }
    Ok(hashes)
}

impl Tokens {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, holds no token, or holds one that is too short.
    pub fn load(file: PathBuf) -> Result<Self> {
        let hashes = ArcSwap::from_pointee(read(&file)?);
        Ok(Self { file, hashes })
    }

    /// Reads the file again. Keeps the old tokens if that fails.
    ///
    /// # Errors
    /// As [`Tokens::load`].
    pub fn reload(&self) -> Result<()> {
        self.hashes.store(read(&self.file)?.into());
        Ok(())
    }

    /// Whether an `authorization` header holds a token of the file.
    pub fn allow(&self, header: Option<&[u8]>) -> bool {
        let Some(header) = header else { return false };
        let (scheme, token) = header.split_at(header.len().min(7));
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return false;
        }
        let given = hash(token);
        let matches = |hash: &Hash| hash.ct_eq(&given);
        let none = Choice::from(0);
        self.hashes.load().iter().map(matches).fold(none, |any, one| any | one).into()
    }
}

#[cfg(test)]
mod tests {
    use super::Tokens;
    use std::fs;

    #[test]
    fn only_tokens_of_the_file_are_allowed() {
        let folder = std::env::temp_dir().join(format!("capsweep-tokens-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("tokens");
        fs::write(&file, "# two\nfirst-token-0123456\n\nsecond-token-012345\n").unwrap();
        let tokens = Tokens::load(file.clone()).unwrap();
        assert!(tokens.allow(Some(b"Bearer first-token-0123456")));
        assert!(tokens.allow(Some(b"bearer second-token-012345")));
        for bad in
            [&b"Bearer first-token-012345"[..], b"Bearer ", b"", b"Basic first-token-0123456"]
        {
            assert!(!tokens.allow(Some(bad)));
        }
        assert!(!tokens.allow(None));
        fs::write(&file, "short\n").unwrap();
        assert!(tokens.reload().is_err());
        assert!(tokens.allow(Some(b"Bearer first-token-0123456")));
        fs::write(&file, "another-token-0123456\n").unwrap();
        tokens.reload().unwrap();
        assert!(!tokens.allow(Some(b"Bearer first-token-0123456")));
        fs::remove_dir_all(&folder).unwrap();
    }
}
