//! The head of scene and map files: lengths and checksums that fit any content.

/// Bytes of the header.
const HEAD: usize = 64;

/// Bytes of an entry in the table.
const ENTRY: usize = 32;

/// The number of the section with the placements of a map.
const BODIES: u32 = 9;

/// Bytes of a placement, and the place of its checksum.
const RECORD: usize = 160;
const SUM_OF_RECORD: usize = 28;

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).map_or(0, |word| u64::from_le_bytes(word.try_into().expect("8 bytes")))
}

/// Sets the length, and the checksum to that of the whole file.
pub fn seal_scene(file: &mut [u8]) {
    set_length(file);
    let sum = checksum(file);
    file[32..40].copy_from_slice(&sum.to_le_bytes());
}

/// Sets the length, and the checksum to that of header and table. The table stays as it is if the
/// file states one outside of its bytes.
pub fn seal_map(file: &mut [u8]) {
    set_length(file);
    let Some(table) = table_of(file) else { return };
    let sum = checksum(&[&file[..HEAD], &file[table]].concat());
    file[32..40].copy_from_slice(&sum.to_le_bytes());
}

/// Sets the checksums of all sections and placements of a map to 0: there is none.
pub fn drop_sums_of_parts(map: &mut [u8]) {
    let table = table_of(map).expect("a table");
    for entry in table.step_by(ENTRY) {
        map[entry + 24..entry + 32].fill(0);
        let section = word(map, entry) as u32;
        let (offset, length) = (word(map, entry + 8) as usize, word(map, entry + 16) as usize);
        if section == BODIES {
            for record in map[offset..offset + length].chunks_exact_mut(RECORD) {
                record[SUM_OF_RECORD..SUM_OF_RECORD + 4].fill(0);
            }
        }
    }
}

fn set_length(file: &mut [u8]) {
    let length = file.len() as u64;
    file[16..24].copy_from_slice(&length.to_le_bytes());
    file[32..40].fill(0);
}

/// The bytes of a map's table; `None` if they are not in the file.
fn table_of(file: &[u8]) -> Option<std::ops::Range<usize>> {
    let (start, count) = (word(file, 40) as usize, word(file, 24) as u32 as usize);
    let end = start.checked_add(count * ENTRY)?;
    (end <= file.len()).then_some(start..end)
}

/// The checksum of the format, a second time, because the library's own is private.
fn checksum(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0xFF51_AFD7_ED55_8CCD;
    let step = |state: u64, word: u64| (state ^ word).wrapping_mul(ODD).rotate_left(29);
    let mut state: [u64; 4] = [
        0x9E37_79B9_7F4A_7C15,
        0xBF58_476D_1CE4_E5B9,
        0x94D0_49BB_1331_11EB,
        0xD6E8_FEB8_6659_FD93,
    ];
    for (i, word) in bytes.chunks_exact(8).enumerate() {
        let word = word.try_into().expect("eight bytes");
        state[i % 4] = step(state[i % 4], u64::from_le_bytes(word));
    }
    let joined = state.into_iter().fold(ODD, step);
    let mixed = (joined ^ (joined >> 32)).wrapping_mul(ODD);
    mixed ^ (mixed >> 29)
}
