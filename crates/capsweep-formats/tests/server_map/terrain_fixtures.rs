//! Terrain files, typed by hand up to the repeated heights.

/// "AREA", flags 1 (no areas follow), area 12: 8 bytes.
pub(crate) const AREA: [u8; 8] = [b'A', b'R', b'E', b'A', 1, 0, 12, 0];

/// A flat height section at 2.5, up to 2.5: 16 bytes.
pub(crate) const FLAT: [u8; 16] =
    [b'M', b'H', b'G', b'T', 1, 0, 0, 0, 0x00, 0x00, 0x20, 0x40, 0x00, 0x00, 0x20, 0x40];

/// A file of the sections in their order, with a header of 40 or 44 bytes. An empty section is
/// missing: its offset and size are 0.
pub(crate) fn map(
    version: [u8; 4],
    header: usize,
    [height, liquid, holes]: [&[u8]; 3],
) -> Vec<u8> {
    let mut file = b"MAPS".to_vec();
    file.extend(version);
    if header == 44 {
        // The client build 12340.
        file.extend([0x34, 0x30, 0, 0]);
    }
    let mut offset = header;
    for section in [&AREA[..], height, liquid, holes] {
        let at = if section.is_empty() { 0 } else { offset };
        file.extend(u32::try_from(at).unwrap().to_le_bytes());
        file.extend(u32::try_from(section.len()).unwrap().to_le_bytes());
        offset += section.len();
    }
    [&file[..], &AREA, height, liquid, holes].concat()
}

/// A flat tile of cmangos: header of 40 bytes, all bytes typed.
pub(crate) fn smallest_mangos() -> Vec<u8> {
    [
        &b"MAPSz1.4"[..],
        &[40, 0, 0, 0, 8, 0, 0, 0],  // areas at 40, 8 bytes
        &[48, 0, 0, 0, 16, 0, 0, 0], // heights at 48, 16 bytes
        &[0; 8],                     // no liquid
        &[0; 8],                     // no holes
        &AREA,
        &FLAT,
    ]
    .concat()
}

/// A flat tile of `TrinityCore`: header of 44 bytes, version 10, all bytes typed.
pub(crate) fn smallest_trinity() -> Vec<u8> {
    [
        &b"MAPS"[..],
        &[10, 0, 0, 0],
        &[0x34, 0x30, 0, 0],
        &[44, 0, 0, 0, 8, 0, 0, 0],
        &[52, 0, 0, 0, 16, 0, 0, 0],
        &[0; 8],
        &[0; 8],
        &AREA,
        &FLAT,
    ]
    .concat()
}

/// The head of a height section: flags, lowest 10 and highest 100.
pub(crate) fn height_head(flags: u8) -> Vec<u8> {
    let range = [0x00, 0x00, 0x20, 0x41, 0x00, 0x00, 0xc8, 0x42];
    [&b"MHGT"[..], &[flags, 0, 0, 0], &range].concat()
}

/// A liquid section of the common form: water (`TrinityCore`'s bits) at level 2.5 everywhere.
pub(crate) fn one_liquid() -> Vec<u8> {
    [
        &b"MLIQ"[..],
        &[3],    // flags: one liquid, one level
        &[1],    // bits: water
        &[1, 0], // id: water
        &[0, 0, 129, 129],
        &[0x00, 0x00, 0x20, 0x40],
    ]
    .concat()
}

/// A liquid section with chunks and heights: 3 columns from 8 and 2 rows from 16.
///
/// `ids` is whether the ids of chunks are stored. The chunk (2, 1) has id 3 and bits 0x14, the
/// chunk (0, 0) bits 0x30 alone. The heights are 1 to 5 and −500.
pub(crate) fn chunked_liquid(ids: bool) -> Vec<u8> {
    let mut section = [
        &b"MLIQ"[..],
        &[0, 0],
        &[0, 0],
        &[8, 16, 3, 2],            // columns come first
        &[0x00, 0x00, 0x80, 0xff], // the level is infinite, and not used
    ]
    .concat();
    if ids {
        let mut entries = [0_u8; 512];
        entries[2 * (2 * 16 + 1)] = 3;
        section.extend(entries);
    }
    let mut flags = [0_u8; 256];
    flags[2 * 16 + 1] = 0x14;
    flags[0] = 0x30;
    section.extend(flags);
    for height in [1.0, 2.0, -500.0, 3.0, 4.0, 5.0_f32] {
        section.extend(height.to_le_bytes());
    }
    section
}
