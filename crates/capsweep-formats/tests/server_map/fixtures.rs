//! Small files with placements, typed by hand.
//!
//! The numbers in f32 are 1 = `00 00 80 3f`, 2 = `00 00 00 40`, 3 = `00 00 40 40`,
//! 4 = `00 00 80 40`, 5 = `00 00 a0 40`, 6 = `00 00 c0 40`, 0.5 = `00 00 00 3f`,
//! 90 = `00 00 b4 42`, −4.5 = `00 00 90 c0`.

/// A box from (−1, −2, 3) to (2, 4, 6), no words and `count` objects that are all 0.
pub(crate) fn bih(count: u8) -> Vec<u8> {
    let mut bytes = [
        &[0x00, 0x00, 0x80, 0xbf, 0x00, 0x00, 0x00, 0xc0, 0x00, 0x00, 0x40, 0x40][..],
        &[0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x80, 0x40, 0x00, 0x00, 0xc0, 0x40],
        // One leaf: 3 words.
        &[3, 0, 0, 0],
        &[0x00, 0x00, 0x00, 0xc0, count, 0, 0, 0, 0, 0, 0, 0],
        &[count, 0, 0, 0],
    ]
    .concat();
    bytes.resize(bytes.len() + 4 * usize::from(count), 0);
    bytes
}

/// Position (1, 2, 3), rotation (90, −4.5, 0.5), scale 2.
const POSE: [u8; 28] = [
    0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40, // position
    0x00, 0x00, 0xb4, 0x42, 0x00, 0x00, 0x90, 0xc0, 0x00, 0x00, 0x00, 0x3f, // rotation
    0x00, 0x00, 0x00, 0x40, // scale
];

/// A box from (1, 2, 3) to (4, 5, 6).
pub(crate) const BOX: [u8; 24] = [
    0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40, // low
    0x00, 0x00, 0x80, 0x40, 0x00, 0x00, 0xa0, 0x40, 0x00, 0x00, 0xc0, 0x40, // high
];

/// A classic record: a building with bounds, without a tree index.
pub(crate) fn classic_building() -> Vec<u8> {
    [
        &[4, 0, 0, 0][..], // flags: has bounds
        &[7, 0],           // name set
        &[0x01, 0x02, 0x03, 0x04],
        &POSE,
        &BOX,
        &[7, 0, 0, 0],
        b"Inn.wmo",
    ]
    .concat()
}

/// A classic record: a prop without bounds, whose name ends with a NUL byte.
pub(crate) fn classic_prop() -> Vec<u8> {
    [
        &[1, 0, 0, 0][..], // flags: prop
        &[0, 0],
        &[9, 0, 0, 0],
        &POSE,
        &[7, 0, 0, 0],
        b"Bed.m2\0",
    ]
    .concat()
}

/// A record of the newest layout: with bounds, of the parent map.
pub(crate) fn master_parent_spawn() -> Vec<u8> {
    [
        &[3][..], // flags: has bounds, of the parent map
        &[7],     // name set
        &[0x01, 0x02, 0x03, 0x04],
        &POSE,
        &BOX,
        &[7, 0, 0, 0],
        b"Inn.wmo",
    ]
    .concat()
}

/// A record of the newest layout: without bounds, for nav meshes only.
pub(crate) fn master_path_only() -> Vec<u8> {
    [&[4][..], &[0], &[9, 0, 0, 0], &POSE, &[6, 0, 0, 0], b"Bed.m2"].concat()
}

/// A classic tile: a building with tree index 1 and a prop with tree index 0.
pub(crate) fn classic_tile() -> Vec<u8> {
    [
        &b"VMAP_7.0"[..],
        &[2, 0, 0, 0],
        &classic_building(),
        &[1, 0, 0, 0],
        &classic_prop(),
        &[0, 0, 0, 0],
    ]
    .concat()
}

/// A tile of the newest layout.
pub(crate) fn master_tile() -> Vec<u8> {
    [&b"VMAP_4.E"[..], &[2, 0, 0, 0], &master_parent_spawn(), &master_path_only()].concat()
}

/// The tree indices of [`master_tile`].
pub(crate) fn master_tree_indices() -> Vec<u8> {
    [&b"VMAP_4.E"[..], &[2, 0, 0, 0], &[1, 0, 0, 0], &[0, 0, 0, 0]].concat()
}

/// The tree of a map with tiles, classic layout, two placements.
pub(crate) fn tiled_tree() -> Vec<u8> {
    [&b"VMAP_4.8"[..], &[1], b"NODE", &bih(2), b"GOBJ"].concat()
}

/// The tree of a map without terrain whose placements have tree indices.
pub(crate) fn global_tree_with_indices() -> Vec<u8> {
    let head = [&b"VMAP_7.0"[..], &[0], b"NODE", &bih(2), b"GOBJ"].concat();
    let records = [&classic_building()[..], &[0, 0, 0, 0], &classic_prop(), &[1, 0, 0, 0]];
    [head, records.concat()].concat()
}

/// The tree of a map without terrain whose placements have no tree indices.
pub(crate) fn global_tree_without_indices() -> Vec<u8> {
    let head = [&b"VMAP_4.8"[..], &[0], b"NODE", &bih(2), b"GOBJ"].concat();
    [head, classic_building(), classic_prop()].concat()
}

/// The tree of the newest layout: neither the byte in front nor the placements at the end.
pub(crate) fn master_tree() -> Vec<u8> {
    [&b"VMAP_4.E"[..], b"NODE", &bih(2)].concat()
}

/// A list of game objects with eight letters and a byte for buildings: two records.
pub(crate) fn game_objects_with_wmo_byte() -> Vec<u8> {
    [
        &b"VMAP_4.8"[..],
        &[0x39, 0x05, 0, 0], // 1337
        &[1],
        &[8, 0, 0, 0],
        b"Lift.wmo",
        &BOX,
        &[2, 0, 0, 0],
        &[0],
        &[7, 0, 0, 0],
        b"Door.m2",
        &BOX,
    ]
    .concat()
}

/// A list of game objects without the byte: two records.
fn game_objects_without_wmo_byte() -> Vec<u8> {
    [
        &[0x39, 0x05, 0, 0][..],
        &[8, 0, 0, 0],
        b"Lift.wmo",
        &BOX,
        &[2, 0, 0, 0],
        &[7, 0, 0, 0],
        b"Door.m2",
        &BOX,
    ]
    .concat()
}

/// The list of the newest layout: eight letters, no byte.
pub(crate) fn master_game_objects() -> Vec<u8> {
    [b"VMAP_4.E".to_vec(), game_objects_without_wmo_byte()].concat()
}

/// The list of cmangos: neither letters nor byte.
pub(crate) fn mangos_game_objects() -> Vec<u8> {
    game_objects_without_wmo_byte()
}
