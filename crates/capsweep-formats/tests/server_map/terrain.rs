//! `.map`: headers, heights and holes.

use crate::terrain_fixtures::{AREA, FLAT, height_head, map, smallest_mangos, smallest_trinity};
use capsweep_formats::server_map::Problem;
use capsweep_formats::server_map::terrain::{HeightRange, Heights, TerrainTile, parse};

#[test]
fn headers_of_40_and_44_bytes_are_told_apart_by_their_offsets() {
    for (bytes, version, name) in
        [(smallest_mangos(), *b"z1.4", "z1.4"), (smallest_trinity(), [10, 0, 0, 0], "10")]
    {
        let tile = parse(&bytes).unwrap();
        assert_eq!((tile.version, &tile.version_name()[..]), (version, name));
        assert_eq!(tile.heights, Heights::Flat(2.5));
        assert!(tile.holes.is_empty() && tile.liquid.is_none());
        assert_eq!(tile.heights.height(128, 128), Some(2.5));
        assert_eq!(tile.heights.center(127, 127), Some(2.5));
    }
    // The version does not decide.
    for (header, version) in [(40, [10, 0, 0, 0]), (44, *b"z1.5"), (44, *b"v2.1")] {
        let bytes = map(version, header, [&FLAT, &[], &[]]);
        assert_eq!(parse(&bytes).unwrap().heights, Heights::Flat(2.5));
    }
}

#[test]
fn a_file_without_areas_is_read_too() {
    for (header, build) in [(40_u8, &[][..]), (44, &[1, 2, 3, 4])] {
        let bytes =
            [&b"MAPSv1.9"[..], build, &[0; 8], &[header, 0, 0, 0, 16, 0, 0, 0], &[0; 16], &FLAT]
                .concat();
        assert_eq!(parse(&bytes).unwrap().heights, Heights::Flat(2.5), "{header}");
    }
}

#[test]
fn sections_may_come_in_any_order() {
    let mut bytes = [
        &b"MAPSz1.4"[..],
        &[40, 0, 0, 0, 8, 0, 0, 0],
        &[48, 2, 0, 0, 16, 0, 0, 0], // heights at 560, after the holes
        &[0; 8],
        &[48, 0, 0, 0, 0, 2, 0, 0], // holes at 48, 512 bytes
        &AREA,
    ]
    .concat();
    bytes.resize(560, 0xff);
    bytes.extend(FLAT);
    let tile = parse(&bytes).unwrap();
    assert_eq!((tile.heights, tile.holes.count()), (Heights::Flat(2.5), 128 * 128));
}

/// A tile whose height section has these flags and these bytes after the range from 10 to 100.
fn with_heights(flags: u8, data: &[u8]) -> Result<TerrainTile, Problem> {
    let section = [&height_head(flags)[..], data].concat();
    parse(&map([9, 0, 0, 0], 44, [&section, &[], &[]])).map_err(|error| error.problem)
}

const CORNERS: usize = 129 * 129;
const CENTERS: usize = 128 * 128;

#[test]
fn f32_heights_are_kept_corners_first() {
    let mut data: Vec<u8> = Vec::new();
    for i in 0..CORNERS + CENTERS {
        data.extend((i as f32).to_le_bytes());
    }
    // Exponents cap heights at 20 000, so the last ones are lowered.
    for height in data.as_chunks_mut::<4>().0 {
        *height = (f32::from_le_bytes(*height) / 2.0).to_le_bytes();
    }
    let heights = with_heights(0, &data).unwrap().heights;
    assert_eq!(heights.height(0, 1), Some(0.5));
    assert_eq!(heights.height(1, 0), Some(64.5));
    assert_eq!(heights.height(128, 128), Some((CORNERS - 1) as f32 / 2.0));
    assert_eq!(heights.center(0, 0), Some(CORNERS as f32 / 2.0));
    assert_eq!(heights.center(1, 2), Some((CORNERS + 128 + 2) as f32 / 2.0));
    for (row, col) in [(129, 0), (0, 129), (usize::MAX, 1)] {
        assert_eq!(heights.height(row, col), None);
    }
    assert_eq!((heights.center(128, 0), heights.center(0, 128)), (None, None));
}

#[test]
fn u16_heights_keep_their_numbers_and_their_range() {
    let mut data = vec![0_u8; 2 * (CORNERS + CENTERS)];
    data[2..4].copy_from_slice(&[0xff, 0xff]);
    data[4..6].copy_from_slice(&[0x01, 0x80]); // 32 769
    data[2 * CORNERS..2 * CORNERS + 2].copy_from_slice(&[0x02, 0x00]);
    let heights = with_heights(2, &data).unwrap().heights;
    assert_eq!(heights.height(0, 0), Some(10.0));
    assert_eq!(heights.height(0, 1), Some(100.0));
    assert_eq!(heights.height(0, 2), Some((32_769.0 * 90.0 / 65_535.0 + 10.0) as f32));
    assert_eq!(heights.center(0, 0), Some((2.0 * 90.0 / 65_535.0 + 10.0) as f32));
    let Heights::U16 { range, v9, v8 } = heights else { panic!("16 bits") };
    assert_eq!(range, HeightRange { min: 10.0, max: 100.0 });
    assert_eq!((v9.len(), v9[2], v8.len(), v8[0]), (CORNERS, 32_769, CENTERS, 2));
}

#[test]
fn u8_heights_keep_their_numbers_and_their_range() {
    let mut data = vec![0_u8; CORNERS + CENTERS];
    data[129] = 255;
    data[CORNERS + 128] = 51;
    let heights = with_heights(4, &data).unwrap().heights;
    assert_eq!(heights.height(1, 0), Some(100.0));
    assert_eq!(heights.center(1, 0), Some(28.0));
    let Heights::U8 { v9, v8, .. } = heights else { panic!("8 bits") };
    assert_eq!((v9.len(), v8.len()), (CORNERS, CENTERS));
}

#[test]
fn decoded_heights_are_rounded_once() {
    // In f32 alone the product would be rounded before the sum: 1000.0001 instead.
    let range = HeightRange { min: 999.9, max: 2345.6 };
    let exact = |raw: f64, steps: f64| {
        (raw * (f64::from(range.max) - f64::from(range.min)) / steps + f64::from(range.min)) as f32
    };
    for raw in [0, 1, 2, 77, 32_768, 65_534, 65_535] {
        assert_eq!(range.decode_u16(raw), exact(raw.into(), 65_535.0));
    }
    for raw in 0..=255 {
        assert_eq!(range.decode_u8(raw), exact(raw.into(), 255.0));
    }
    assert_eq!((range.decode_u16(65_535), range.decode_u8(255)), (range.max, range.max));
}

#[test]
fn flight_bounds_follow_any_form_of_heights() {
    for (flags, data) in [
        (1, 0),
        (2, 2 * (CORNERS + CENTERS)),
        (4, CORNERS + CENTERS),
        (0, 4 * (CORNERS + CENTERS)),
    ] {
        assert!(with_heights(flags, &vec![0; data]).is_ok());
        assert!(with_heights(flags | 8, &vec![0; data + 36]).is_ok());
        assert_eq!(
            with_heights(flags, &vec![0; data + 36]),
            Err(Problem::Unread { left: 36 }),
            "{flags}"
        );
        assert!(matches!(
            with_heights(flags | 8, &vec![0; data + 35]),
            Err(Problem::CutOff { needed: 36, left: 35 })
        ));
    }
}

#[test]
fn heights_out_of_range_are_refused_with_their_place() {
    let good = vec![0_u8; 4 * (CORNERS + CENTERS)];
    for height in [f32::NAN, f32::INFINITY, 20_001.0, -20_001.0] {
        let mut data = good.clone();
        data[400..404].copy_from_slice(&height.to_le_bytes());
        let section = [&height_head(0)[..], &data].concat();
        let error = parse(&map(*b"z1.4", 40, [&section, &[], &[]])).unwrap_err();
        assert!(matches!(error.problem, Problem::Number { .. }), "{error}");
        assert_eq!(error.offset, 40 + 8 + 16 + 400);
    }
    // A range that is upside down, and one that is not finite.
    let section = |min: f32, max: f32| {
        [&b"MHGT\x01\0\0\0"[..], &min.to_le_bytes(), &max.to_le_bytes()].concat()
    };
    let error = parse(&map(*b"z1.4", 40, [&section(2.0, 1.0), &[], &[]])).unwrap_err();
    assert_eq!(error.problem, Problem::Inverted { low: 2.0, high: 1.0 });
    assert!(parse(&map(*b"z1.4", 40, [&section(2.0, f32::NAN), &[], &[]])).is_err());
}

#[test]
fn a_hole_of_the_small_form_covers_four_cells() {
    let mut holes = [0_u8; 512];
    // Chunk (3, 5): bit 4 is the second pair of rows, first pair of columns; bit 3 the first
    // pair of rows, last pair of columns.
    holes[2 * (3 * 16 + 5)] = 1 << 4 | 1 << 3;
    // Chunk (15, 0): bit 15 is the last pair of both.
    holes[2 * (15 * 16) + 1] = 1 << 7;
    let tile = parse(&map(*b"z1.4", 40, [&FLAT, &[], &holes])).unwrap();
    let mut expected = Vec::new();
    for (row, col) in [(3 * 8, 5 * 8 + 6), (3 * 8 + 2, 5 * 8), (15 * 8 + 6, 6)] {
        for (down, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            expected.push((row + down, col + right));
        }
    }
    assert_eq!(tile.holes.count(), 12);
    for (row, col) in expected {
        assert!(tile.holes.contains(row, col), "{row} {col}");
        assert_eq!(tile.holes.rows()[row] >> col & 1, 1);
    }
    assert!(!tile.holes.contains(128, 0) && !tile.holes.contains(0, 128));
}

#[test]
fn a_hole_of_the_large_form_is_one_cell() {
    let mut holes = [0_u8; 2048];
    // Chunk (3, 5), row 6, column 2.
    holes[8 * (3 * 16 + 5) + 6] = 1 << 2;
    let tile = parse(&map([10, 0, 0, 0], 44, [&FLAT, &[], &holes])).unwrap();
    assert_eq!(tile.holes.count(), 1);
    assert!(tile.holes.contains(3 * 8 + 6, 5 * 8 + 2));
    let error = parse(&map([10, 0, 0, 0], 44, [&FLAT, &[], &[0; 513]])).unwrap_err();
    assert_eq!(error.problem, Problem::Value { found: 513, expected: "512 or 2048 bytes" });
}

#[test]
fn damaged_headers_are_refused_with_their_place() {
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = smallest_mangos();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        parse(&file).unwrap_err()
    };
    assert_eq!(changed(0, b"MAPX").field, "magic");
    assert_eq!((changed(8, &[41]).offset, changed(8, &[41]).field), (8, "header"));
    assert_eq!(changed(40, b"AERA").field, "tag of the areas");
    assert_eq!(changed(48, b"MHGX").field, "tag of the heights");
    assert_eq!(changed(20, &[0]).field, "height section");
    assert_eq!(changed(20, &[17]).problem, Problem::CutOff { needed: 17, left: 16 });
    assert_eq!(changed(16, &[0xff; 8]).field, "height section");
    // A section inside the header.
    let problem = Problem::Value { found: 0, expected: "an offset after the header" };
    assert_eq!(changed(36, &[0, 2]).problem, problem);
    let error = parse(&vec![0; (1 << 20) + 1]).unwrap_err();
    assert_eq!(error.problem, Problem::TooMany { found: (1 << 20) + 1, limit: 1 << 20 });
}
