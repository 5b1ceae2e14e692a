//! `.vmo` files, typed by hand.

use crate::fixtures::{BOX, bih};

/// Six zeros: the box of a prop.
const NO_BOX: [u8; 24] = [0; 24];

/// Four vertices: (1, 2, 3), (4, 2, 3), (1, 5, 3), (1, 2, 6). The size is that of the format.
const VERTICES: [u8; 60] = [
    b'V', b'E', b'R', b'T', 52, 0, 0, 0, 4, 0, 0, 0, //
    0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40, //
    0x00, 0x00, 0x80, 0x40, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40, //
    0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0xa0, 0x40, 0x00, 0x00, 0x40, 0x40, //
    0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0xc0, 0x40, //
];

/// Two triangles: (0, 1, 2) and (0, 3, 1).
const TRIANGLES: [u8; 36] = [
    b'T', b'R', b'I', b'M', 28, 0, 0, 0, 2, 0, 0, 0, //
    0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, //
    0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, //
];

/// A liquid of 2 × 1 tiles with 6 heights (1, 2, 3, 4, 5, 6) at (1, 2, 3); the second tile is dry.
/// The true size is 24 + 24 + 2 = 50.
pub(crate) fn liquid(size: u8, kind: u8) -> Vec<u8> {
    [
        &b"LIQU"[..],
        &[size, 0, 0, 0],
        &[2, 0, 0, 0],
        &[1, 0, 0, 0],
        &BOX[..12],
        &[kind, 0, 0, 0],
        &BOX,
        &[0x40, 0x4f],
    ]
    .concat()
}

/// A liquid without tiles: one height, 2, of kind 14.
pub(crate) fn level() -> Vec<u8> {
    [
        &b"LIQU"[..],
        &[28, 0, 0, 0],
        &[0; 4],
        &[3, 0, 0, 0],
        &BOX[..12],
        &[14, 0, 0, 0],
        &[0x00, 0x00, 0x00, 0x40],
    ]
    .concat()
}

/// A group with two triangles and this liquid block.
pub(crate) fn group(bounds: &[u8; 24], liquid: &[u8]) -> Vec<u8> {
    [
        &bounds[..],
        &[0x00, 0x20, 0, 0], // indoors
        &[0x11, 0x22, 0, 0],
        &VERTICES,
        &TRIANGLES,
        b"MBIH",
        &bih(2),
        liquid,
    ]
    .concat()
}

/// A group without vertices ends after their count.
pub(crate) fn empty_group() -> Vec<u8> {
    [&BOX[..], &[8, 0, 0, 0], &[5, 0, 0, 0], b"VERT", &[4, 0, 0, 0], &[0; 4]].concat()
}

/// No liquid.
pub(crate) const DRY: [u8; 8] = [b'L', b'I', b'Q', b'U', 0, 0, 0, 0];

/// A file of these groups after `head`, the bytes between "WMOD" and "GMOD".
pub(crate) fn model(magic: [u8; 8], head: &[u8], groups: &[Vec<u8>]) -> Vec<u8> {
    let count = u8::try_from(groups.len()).unwrap();
    [&magic[..], b"WMOD", head, b"GMOD", &[count, 0, 0, 0], &groups.concat(), b"GBIH", &bih(count)]
        .concat()
}

/// The head of the classic layout: it says 8 bytes, 4 follow, the id 77.
pub(crate) const CLASSIC_HEAD: [u8; 8] = [8, 0, 0, 0, 77, 0, 0, 0];

/// The head of the newest layout: flags (a prop), then the id 77.
pub(crate) const MASTER_HEAD: [u8; 12] = [8, 0, 0, 0, 1, 0, 0, 0, 77, 0, 0, 0];

/// A building of cmangos: three groups, one of them with a liquid whose size is 4 too small, one
/// without vertices.
pub(crate) fn building() -> Vec<u8> {
    let groups = [group(&BOX, &DRY), empty_group(), group(&BOX, &liquid(46, 3))];
    model(*b"VMAP_7.0", &CLASSIC_HEAD, &groups)
}

/// A prop of the newest layout.
pub(crate) fn master_prop() -> Vec<u8> {
    model(*b"VMAP_4.E", &MASTER_HEAD, &[group(&NO_BOX, &DRY)])
}

/// A prop of the classic layout.
pub(crate) fn classic_prop() -> Vec<u8> {
    model(*b"VMAP_4.8", &[8, 0, 0, 0, 0, 0, 0, 0], &[group(&NO_BOX, &DRY)])
}

/// A building of `TrinityCore` with a liquid that fills its group.
pub(crate) fn filled_building() -> Vec<u8> {
    model(*b"VMAP_4.8", &CLASSIC_HEAD, &[group(&BOX, &level())])
}
