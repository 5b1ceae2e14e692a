/// Names of bodies by key, and of triangles' materials by tag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    bodies: Vec<String>,
    tags: Vec<String>,
}

/// The first bytes of names in the notes of a scene file. Notes of other kinds are ignored.
const MARK: &[u8] = b"capsweep names 1\n";

impl Names {
    /// Name `i` belongs to key or tag `i`; an empty string is no name.
    pub fn new(bodies: Vec<String>, tags: Vec<String>) -> Self {
        Self { bodies, tags }
    }

    /// The name of a body, by its key.
    pub fn body(&self, key: u64) -> Option<&str> {
        find(&self.bodies, usize::try_from(key).ok()?)
    }

    /// The name of a triangle's material, by its tag.
    pub fn tag(&self, tag: u32) -> Option<&str> {
        find(&self.tags, tag as usize)
    }

    /// The notes of a scene file: [`MARK`], then both lists. Lists and names have their length
    /// (u32, little-endian) in front.
    pub(crate) fn to_notes(&self) -> Vec<u8> {
        if [&self.bodies, &self.tags].into_iter().flatten().all(String::is_empty) {
            return Vec::new();
        }
        let mut notes = MARK.to_vec();
        for list in [&self.bodies, &self.tags] {
            notes.extend(length(list.len()));
            for name in list {
                notes.extend(length(name.len()));
                notes.extend(name.as_bytes());
            }
        }
        notes
    }

    /// Reads names from notes: empty if the notes are of another kind, `None` if damaged.
    pub(crate) fn from_notes(notes: &[u8]) -> Option<Self> {
        let Some(mut rest) = notes.strip_prefix(MARK) else { return Some(Self::default()) };
        let mut list = || {
            let count = take_length(&mut rest)?;
            // Every name takes at least four bytes. This bounds the allocation for a false count.
            (count <= rest.len() / 4).then_some(())?;
            (0..count).map(|_| take_name(&mut rest)).collect::<Option<Vec<_>>>()
        };
        let names = Self { bodies: list()?, tags: list()? };
        rest.is_empty().then_some(names)
    }
}

fn find(names: &[String], index: usize) -> Option<&str> {
    names.get(index).map(String::as_str).filter(|name| !name.is_empty())
}

/// A length as u32. [`Limits`](crate::Limits) bound names and lists far below that.
fn length(length: usize) -> [u8; 4] {
    (length as u32).to_le_bytes()
}

fn take_length(rest: &mut &[u8]) -> Option<usize> {
    let (length, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_le_bytes(*length) as usize)
}

fn take_name(rest: &mut &[u8]) -> Option<String> {
    let length = take_length(rest)?;
    let (name, after) = rest.split_at_checked(length)?;
    *rest = after;
    String::from_utf8(name.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Names {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Names::new(words(&["", "Tor\n", "böse \u{0}"]), words(&["", "walls/brick"]))
    }

    #[test]
    fn names_come_back_and_empty_ones_are_none() {
        let names = Names::from_notes(&some().to_notes()).unwrap();
        assert_eq!(names, some());
        assert_eq!((names.body(0), names.body(1), names.body(3)), (None, Some("Tor\n"), None));
        assert_eq!(
            (names.tag(1), names.tag(9), names.body(u64::MAX)),
            (Some("walls/brick"), None, None)
        );
    }

    #[test]
    fn names_that_are_cut_off_or_added_to_are_refused() {
        let notes = some().to_notes();
        for length in MARK.len()..notes.len() {
            assert_eq!(Names::from_notes(&notes[..length]), None, "{length}");
        }
        assert_eq!(Names::from_notes(&[&notes[..], &[0]].concat()), None);
        assert_eq!(Names::from_notes(&[MARK, &[0xff; 8]].concat()), None, "a count without end");
    }

    #[test]
    fn other_notes_are_no_names_and_no_error() {
        assert_eq!(Names::from_notes(b"made on a Tuesday"), Some(Names::default()));
        assert!(Names::default().to_notes().is_empty());
    }
}
