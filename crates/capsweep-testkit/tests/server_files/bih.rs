//! Trees: every object once, children after parents, boxes that contain, missing children.

use capsweep_testkit::Rng;
use capsweep_testkit::server_files::{Bih, BihDefect, Bounds, check_bih};
use glam::{Vec3, vec3};

/// Boxes in clusters, some pairs of them equal, so that all kinds of nodes occur.
fn boxes(count: usize, seed: u64) -> Vec<Bounds> {
    let mut rng = Rng::from_seed(seed);
    let mut boxes: Vec<Bounds> = Vec::new();
    let mut centre = Vec3::ZERO;
    for k in 0..count {
        if k % 20 == 0 {
            centre = rng.cube_f32(1_000.0);
        }
        let low = centre + rng.cube_f32(if k % 3 == 0 { 40.0 } else { 2.0 });
        boxes.push([low, low + rng.cube_f32(3.0).abs()]);
        if k % 17 == 0 {
            boxes.extend(boxes.last().copied());
        }
    }
    boxes
}

#[test]
fn built_trees_have_no_defects_and_all_kinds_of_nodes() {
    let (mut clips, mut halves) = (0, 0);
    for count in (0..40).chain([100, 1_000, 20_000]) {
        let boxes = boxes(count, count as u64);
        let bih = Bih::build(&boxes, 3);
        let stats = check_bih(&bih, &boxes).unwrap_or_else(|defect| panic!("{count}: {defect}"));
        assert_eq!(stats.nodes * 3, bih.words.len(), "{count}: a node is not reached");
        assert!(stats.depth <= 52 && stats.largest_leaf <= 3, "{count}: {stats:?}");
        clips += stats.clips;
        halves += stats.half_nodes;
    }
    assert!(clips > 100 && halves > 100, "{clips} clip nodes, {halves} half nodes");
}

#[test]
fn equal_boxes_end_in_one_leaf_at_limited_depth() {
    let boxes = vec![[Vec3::ZERO, vec3(1.0, 2.0, 3.0)]; 10];
    let bih = Bih::build(&boxes, 3);
    let stats = check_bih(&bih, &boxes).expect("a sound tree");
    assert_eq!((stats.leaves, stats.largest_leaf), (1, 10));
    assert!(stats.depth <= 52, "{stats:?}");
}

#[test]
fn an_empty_tree_is_one_empty_leaf() {
    let bih = Bih::build(&[], 3);
    assert_eq!((bih.words, bih.objects), (vec![3 << 30, 0, 0], vec![]));
}

/// A tree of two leaves over two boxes, split along x.
fn pair() -> (Bih, Vec<Bounds>) {
    let boxes = vec![[Vec3::ZERO, Vec3::ONE], [vec3(8.0, 0.0, 0.0), vec3(9.0, 1.0, 1.0)]];
    let bih = Bih::build(&boxes, 1);
    assert!(check_bih(&bih, &boxes).is_ok());
    (bih, boxes)
}

#[test]
fn every_damage_to_a_tree_is_found() {
    let (sound, boxes) = pair();
    let damaged = |change: fn(&mut Bih)| {
        let mut bih = sound.clone();
        change(&mut bih);
        check_bih(&bih, &boxes).expect_err("a defect")
    };
    assert_eq!(damaged(|b| b.words.truncate(8)), BihDefect::Words(8));
    assert_eq!(damaged(|b| b.words.clear()), BihDefect::Words(0));
    assert_eq!(damaged(|b| b.words[0] = 0), BihDefect::Child { parent: 0, child: 0 });
    assert_eq!(damaged(|b| b.words[0] = 6), BihDefect::Child { parent: 0, child: 9 });
    assert_eq!(damaged(|b| b.words[1] = f32::NAN.to_bits()), BihDefect::Clip(0));
    assert_eq!(damaged(|b| b.words[4] = 3), BihDefect::Leaf(3));
    assert_eq!(damaged(|b| b.objects[0] = 2), BihDefect::Leaf(3));
    assert_eq!(damaged(|b| b.words[7] = 0), BihDefect::Listed { object: 1, times: 0 });
    let outside = BihDefect::Outside { leaf: 3, object: 0 };
    assert_eq!(damaged(|b| b.words[1] = 0.5_f32.to_bits()), outside);
    assert_eq!(damaged(|b| b.bounds[0].y = 0.25), BihDefect::Outside { leaf: 6, object: 1 });
    // Clips that are infinite hide both children.
    let hidden = |b: &mut Bih| {
        b.words[1] = f32::NEG_INFINITY.to_bits();
        b.words[2] = f32::INFINITY.to_bits();
    };
    assert_eq!(damaged(hidden), BihDefect::Clip(0));
}

#[test]
fn a_missing_child_is_not_followed_wherever_its_offset_points() {
    let boxes = vec![[Vec3::ZERO, Vec3::ONE]];
    let leaf = [3 << 30, 1, 0];
    let half = |offset: u32, clips: [f32; 2]| {
        let words = [&[offset, clips[0].to_bits(), clips[1].to_bits()][..], &leaf].concat();
        Bih { bounds: boxes[0], words, objects: vec![0] }
    };
    // The right child at 0 + 3 is the leaf; the left would be the root itself.
    let right = half(0, [f32::NEG_INFINITY, 0.0]);
    assert_eq!(check_bih(&right, &boxes).map(|s| (s.nodes, s.half_nodes)), Ok((2, 1)));
    // The left child at 3 is the leaf; the right would be outside.
    let left = half(3, [1.0, f32::INFINITY]);
    assert_eq!(check_bih(&left, &boxes).map(|s| (s.nodes, s.half_nodes)), Ok((2, 1)));
    assert!(check_bih(&half(3, [1.0, 0.0]), &boxes).is_err());
}

#[test]
fn a_block_is_read_back_and_a_wrong_count_ends_the_reading() {
    let (sound, _) = pair();
    let words = [&[9][..], &sound.words, &[2], &sound.objects].concat();
    let bounds = sound.bounds.map(|corner| corner.to_array().map(f32::to_bits)).concat();
    let bytes: Vec<u8> = [bounds, words].concat().into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(Bih::read(&bytes), Some((sound.clone(), bytes.len())));
    assert_eq!(Bih::read(&[&bytes[..], &[1, 2]].concat()), Some((sound, bytes.len())));
    assert_eq!(Bih::read(&bytes[..bytes.len() - 1]), None);
    let mut wrong = bytes;
    wrong[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(Bih::read(&wrong), None);
}
