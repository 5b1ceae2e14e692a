//! `.vmo`.

use crate::model_fixtures::{
    CLASSIC_HEAD, DRY, MASTER_HEAD, building, classic_prop, filled_building, group, liquid,
    master_prop, model,
};
use capsweep::scene::LiquidKind;
use capsweep_formats::server_map::Problem;
use capsweep_formats::server_map::model::{Bounds, ModelLiquidSurface, WorldModel, parse};
use glam::{Vec3, vec3};

const BOUNDS: Bounds = Bounds { min: vec3(1.0, 2.0, 3.0), max: vec3(4.0, 5.0, 6.0) };

/// Offset of the first group's box in a classic file.
const GROUP: usize = 28;
/// Offset of its first vertex, after box, flags, id, and the head of the vertices.
const VERTEX: usize = GROUP + 24 + 8 + 12;
/// Offset of its first triangle, after four vertices and the head of the triangles.
const TRIANGLE: usize = VERTEX + 48 + 12;

fn changed(at: usize, bytes: &[u8]) -> Result<WorldModel, (u64, Problem)> {
    let mut file = building();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    parse(&file).map_err(|error| (error.offset, error.problem))
}

#[test]
fn a_building_has_its_groups() {
    let model = parse(&building()).unwrap();
    assert_eq!((model.is_m2, model.root_id, model.groups.len()), (None, 77, 3));
    let [dry, empty, wet] = &model.groups[..] else { panic!("three groups") };
    assert_eq!((dry.bounds, dry.flags, dry.id), (BOUNDS, 0x2000, 0x2211));
    assert!(dry.is_indoor() && !dry.is_outdoor());
    let vertices =
        [vec3(1.0, 2.0, 3.0), vec3(4.0, 2.0, 3.0), vec3(1.0, 5.0, 3.0), vec3(1.0, 2.0, 6.0)];
    assert_eq!(dry.vertices, vertices);
    assert_eq!(dry.triangles, [[0, 1, 2], [0, 3, 1]]);
    assert_eq!((dry.degenerate, &dry.liquid), (0, &None));
    assert_eq!((empty.bounds, empty.flags, empty.id), (BOUNDS, 8, 5));
    assert!(empty.is_outdoor() && empty.vertices.is_empty() && empty.triangles.is_empty());
    assert!(wet.liquid.is_some());
    assert_eq!((model.triangle_count(), model.degenerate_count()), (4, 0));
}

#[test]
fn a_prop_has_the_box_of_its_vertices() {
    for (bytes, is_m2, id) in [(classic_prop(), None, 0), (master_prop(), Some(true), 77)] {
        let model = parse(&bytes).unwrap();
        assert_eq!((model.is_m2, model.root_id), (is_m2, id));
        assert_eq!(model.groups[0].bounds, BOUNDS);
    }
}

#[test]
fn a_flipped_model_has_every_triangle_the_other_way_round() {
    let mut model = parse(&classic_prop()).unwrap();
    model.flip();
    assert_eq!(model.groups[0].triangles, [[0, 2, 1], [0, 1, 3]]);
    model.flip();
    assert_eq!(model, parse(&classic_prop()).unwrap());
}

#[test]
fn a_model_may_end_after_its_head() {
    let classic = [&b"VMAP_4.8WMOD"[..], &CLASSIC_HEAD].concat();
    let master = [&b"VMAP_4.EWMOD"[..], &MASTER_HEAD].concat();
    for (bytes, is_m2) in [(classic, None), (master, Some(true))] {
        let model = parse(&bytes).unwrap();
        assert_eq!((model.is_m2, model.root_id, model.groups.len()), (is_m2, 77, 0));
    }
    assert!(parse(&model(*b"VMAP_4.8", &CLASSIC_HEAD, &[])).unwrap().groups.is_empty());
}

#[test]
fn a_box_that_does_not_hold_the_vertices_is_replaced() {
    for corner in [f32::NAN, 2.0, f32::NEG_INFINITY] {
        let model = changed(GROUP, &corner.to_le_bytes()).unwrap();
        assert_eq!(model.groups[0].bounds, BOUNDS);
    }
    let model = changed(GROUP, &(-9.0_f32).to_le_bytes()).unwrap();
    assert_eq!(model.groups[0].bounds.min, vec3(-9.0, 2.0, 3.0), "a larger box is kept");
}

#[test]
fn sizes_of_parts_are_not_used() {
    for at in [GROUP + 24 + 8 + 4, VERTEX + 48 + 4] {
        for size in [[0; 4], [0xff; 4]] {
            assert_eq!(changed(at, &size).unwrap(), parse(&building()).unwrap());
        }
    }
    for size in [1, 46, 50, 255] {
        let group = group(&[0; 24], &liquid(size, 1));
        let model = parse(&model(*b"VMAP_7.0", &CLASSIC_HEAD, &[group])).unwrap();
        assert!(model.groups[0].liquid.is_some());
    }
}

#[test]
fn a_liquid_has_a_grid_of_absolute_heights() {
    let model = parse(&building()).unwrap();
    let liquid = model.groups[2].liquid.as_ref().unwrap();
    assert_eq!((liquid.id, liquid.kind()), (3, LiquidKind::Magma));
    assert_eq!(
        liquid.surface,
        ModelLiquidSurface::Grid {
            corner: vec3(1.0, 2.0, 3.0),
            tiles_x: 2,
            tiles_y: 1,
            heights: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            flags: vec![0x40, 0x4f],
        }
    );
    let wet = [(0, 0), (1, 0), (2, 0), (0, 1), (u32::MAX, u32::MAX)];
    assert_eq!(wet.map(|(x, y)| liquid.is_wet(x, y)), [true, false, false, false, false]);
}

#[test]
fn the_flags_of_liquid_tiles_are_row_by_row() {
    let mut block = liquid(50, 1);
    // Two rows of two tiles: nine heights, of which six are there, and four flags.
    block[12] = 2;
    block.truncate(block.len() - 2);
    block.extend([0; 12]);
    block.extend([0xf, 0, 0xf, 0]);
    let file = model(*b"VMAP_4.8", &CLASSIC_HEAD, &[group(&[0; 24], &block)]);
    let model = parse(&file).unwrap();
    let liquid = model.groups[0].liquid.as_ref().unwrap();
    let wet = [(0, 0), (1, 0), (0, 1), (1, 1), (3, 0), (1, 2)].map(|(x, y)| liquid.is_wet(x, y));
    assert_eq!(wet, [false, true, false, true, false, false]);
}

#[test]
fn a_liquid_without_tiles_has_one_height() {
    let model = parse(&filled_building()).unwrap();
    let liquid = model.groups[0].liquid.as_ref().unwrap();
    assert_eq!(liquid.surface, ModelLiquidSurface::Level(2.0));
    assert_eq!(liquid.kind(), LiquidKind::Ocean);
    assert!(!liquid.is_wet(0, 0));
}

#[test]
fn triangles_without_area_are_left_out_and_counted() {
    // (0, 1, 2) becomes (0, 1, 1); then vertex 2 moves onto the line through 0 and 1.
    let model = changed(TRIANGLE + 8, &[1]).unwrap();
    assert_eq!((model.groups[0].degenerate, model.degenerate_count()), (1, 1));
    assert_eq!(model.groups[0].triangles, [[0, 3, 1]]);
    let on_line: Vec<u8> = [7.0, 2.0, 3.0_f32].iter().flat_map(|x| x.to_le_bytes()).collect();
    let model = changed(VERTEX + 24, &on_line).unwrap();
    assert_eq!((model.groups[0].degenerate, model.groups[0].triangles.len()), (1, 1));
}

#[test]
fn an_index_beyond_the_vertices_is_refused() {
    for index in [4_u32, u32::MAX] {
        let error = changed(TRIANGLE + 16, &index.to_le_bytes()).unwrap_err();
        let problem = Problem::Index { found: index.into(), count: 4 };
        assert_eq!(error, (TRIANGLE as u64 + 16, problem));
    }
}

#[test]
fn vertices_out_of_range_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, -100_001.0] {
        let (offset, problem) = changed(VERTEX + 16, &bad.to_le_bytes()).unwrap_err();
        assert_eq!(offset, VERTEX as u64 + 16);
        assert!(matches!(problem, Problem::Number { limit: 1e5, .. }), "{problem}");
    }
    assert!(changed(VERTEX + 16, &100_000.0_f32.to_le_bytes()).is_ok());
}

#[test]
fn counts_beyond_the_limits_or_the_bytes_are_refused() {
    let too_many = |found, limit| Problem::TooMany { found, limit };
    let count = |at: usize, count: u32| changed(at, &count.to_le_bytes()).unwrap_err();
    assert_eq!(count(24, 4097), (24, too_many(4097, 4096)));
    assert_eq!(count(24, 4096).0, 28, "so many groups do not fit");
    assert_eq!(count(VERTEX - 4, 1_000_001).1, too_many(1_000_001, 1_000_000));
    assert!(matches!(count(VERTEX - 4, 1_000_000).1, Problem::CutOff { needed: 12_000_000, .. }));
    assert_eq!(count(TRIANGLE - 4, 2_000_001).1, too_many(2_000_001, 2_000_000));
    assert!(matches!(count(TRIANGLE - 4, 2_000_000).1, Problem::CutOff { .. }));
    for (x, y, problem) in [
        (1025_u32, 1_u32, Some(too_many(1025, 1024))),
        (1, 1025, Some(too_many(1025, 1024))),
        (1024, 1024, Some(too_many(1_048_576, 1_000_000))),
        (1024, 900, None),
    ] {
        let mut block = liquid(46, 3);
        block[8..12].copy_from_slice(&x.to_le_bytes());
        block[12..16].copy_from_slice(&y.to_le_bytes());
        let file = model(*b"VMAP_7.0", &CLASSIC_HEAD, &[group(&[0; 24], &block)]);
        let found = parse(&file).unwrap_err().problem;
        match problem {
            Some(problem) => assert_eq!(found, problem),
            None => assert!(matches!(found, Problem::CutOff { .. }), "{found}"),
        }
    }
}

#[test]
fn a_head_or_an_end_of_no_known_layout_is_refused() {
    let file = model(*b"VMAP_7.0", &[8, 0, 0, 0, 1, 0], &[group(&[0; 24], &DRY)]);
    assert!(matches!(parse(&file).unwrap_err().problem, Problem::Layout { .. }));
    let file = [building(), vec![0; 3]].concat();
    assert_eq!(parse(&file).unwrap_err().problem, Problem::Unread { left: 3 });
    let error = changed(building().len() - 60, b"XXXX").unwrap_err();
    assert_eq!(error.1, Problem::Tag { found: *b"XXXX", expected: *b"GBIH" });
}

#[test]
fn a_group_without_vertices_and_without_a_box_has_an_empty_box() {
    let mut file = building();
    let empty = GROUP + group(&[0; 24], &DRY).len();
    file[empty..empty + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let model = parse(&file).unwrap();
    assert_eq!(model.groups[1].bounds, Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
}
