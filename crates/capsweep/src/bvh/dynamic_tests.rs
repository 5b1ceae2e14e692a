//! Tests of [`DynamicBvh`]: valid after any changes, and not much worse than a new tree.

use crate::bvh::{Bounds, DynamicBvh, LaneBounds, build};
use capsweep_testkit::Rng;
use glam::{DVec3, Vec3};

fn around(at: DVec3, half: f64) -> Bounds {
    let (at, half) = (at.as_vec3(), Vec3::splat(half as f32));
    Bounds { min: at - half, max: at + half }
}

/// The tree and the boxes that it should hold.
#[derive(Clone, Default)]
struct CheckedTree {
    tree: DynamicBvh,
    boxes: Vec<Bounds>,
}

impl CheckedTree {
    fn update(&mut self, changes: &[(u32, Bounds)]) {
        for &(item, to) in changes {
            let item = item as usize;
            self.boxes.resize(self.boxes.len().max(item + 1), Bounds::EMPTY);
            self.boxes[item] = to;
        }
        self.tree.update(changes);
        assert_eq!(self.tree.validate(), Ok(()));
        assert_eq!(self.tree.tree().validate(&self.boxes), Ok(()));
        assert_eq!(self.tree.bounds(), Bounds::union_of(&self.boxes));
        for leaf in 0..self.tree.tree().leaf_count() {
            let mut lanes = LaneBounds::EMPTY;
            for (lane, &item) in self.tree.tree().leaf_items(leaf).iter().enumerate() {
                lanes.set(lane, self.boxes.get(item as usize).copied().unwrap_or(Bounds::EMPTY));
            }
            assert_eq!(*self.tree.boxes_in_leaf(leaf), lanes);
        }
    }

    /// Its cost as a multiple of a new tree's.
    fn degradation(&self) -> f64 {
        let mut new = DynamicBvh::default();
        let changes: Vec<_> = (0..).zip(self.boxes.iter().copied()).collect();
        new.update(&changes);
        self.tree.cost() / new.cost()
    }
}

/// Items are inserted, removed, moved a little, moved far or left; a few at a time or all at once.
#[test]
fn any_history_leaves_a_valid_tree() {
    for seed in 0..40 {
        let mut rng = Rng::new(&[seed, 9]);
        let mut tree = CheckedTree::default();
        let most = [3, 20, 100, 600][seed as usize % 4];
        for _ in 0..60 {
            let count = if rng.chance(0.1) { most } else { 1 + rng.below(8) };
            let changes: Vec<(u32, Bounds)> = (0..count)
                .map(|_| {
                    let item = rng.below(most);
                    let now = tree.boxes.get(item as usize).copied().unwrap_or(Bounds::EMPTY);
                    let to = match rng.below(6) {
                        0 | 1 => Bounds::EMPTY,
                        2 => now,
                        3 if !now.is_empty() => {
                            let by = rng.cube(0.5).as_vec3();
                            Bounds { min: now.min + by, max: now.max + by }
                        }
                        4 => around(DVec3::splat(rng.integer(-2, 2)), 0.0),
                        _ => around(rng.cube(50.0), rng.range(0.0, 2.0)),
                    };
                    (item, to)
                })
                .collect();
            tree.update(&changes);
        }
        let gone: Vec<_> =
            (0..tree.boxes.len() as u32).map(|item| (item, Bounds::EMPTY)).collect();
        tree.update(&gone);
        assert!(tree.tree.tree().is_empty());
    }
}

#[test]
fn a_small_move_changes_boxes_and_nothing_else() {
    let mut rng = Rng::new(&[10]);
    let mut tree = CheckedTree::default();
    let boxes: Vec<_> = (0..5_000).map(|item| (item, around(rng.cube(50.0), 0.5))).collect();
    tree.update(&boxes);
    let before = tree.tree.tree().items.clone();
    for item in 0..100 {
        // Towards its neighbours, so that it stays among them.
        let now = boxes[item as usize].1;
        let inward = (now.min + now.max) * -0.001;
        tree.update(&[(item, Bounds { min: now.min + inward, max: now.max + inward })]);
    }
    let moved = tree.tree.tree().items.iter().zip(before.iter()).filter(|(a, b)| a != b).count();
    assert!(moved < 200, "{moved} places of items changed");
}

/// A moving crowd, a world that grows item by item, items that jump across it.
#[test]
fn a_tree_after_many_changes_costs_less_than_twice_a_new_one() {
    let mut rng = Rng::new(&[11]);
    let mut crowd = CheckedTree::default();
    let mut at: Vec<DVec3> = (0..1_000).map(|_| rng.cube(50.0)).collect();
    let mut worst: f64 = 1.0;
    for _ in 0..150 {
        let changes: Vec<_> = at
            .iter_mut()
            .zip(0..)
            .map(|(at, item)| {
                *at = (*at + rng.cube(1.0)).clamp(DVec3::splat(-60.0), DVec3::splat(60.0));
                (item, around(*at, 0.5))
            })
            .collect();
        crowd.update(&changes);
        worst = worst.max(crowd.degradation());
    }
    assert!(worst < 2.0, "a crowd costs {worst} times as much as new");

    let mut grown = CheckedTree::default();
    for item in 0..1_500 {
        grown.update(&[(item, around(rng.cube(50.0), 0.5))]);
    }
    assert!(grown.degradation() < 2.0, "grown one by one: {} times", grown.degradation());
    for _ in 0..1_500 {
        grown.update(&[(rng.below(1_500), around(rng.cube(50.0), 0.5))]);
    }
    assert!(grown.degradation() < 2.0, "after jumps: {} times", grown.degradation());
}

/// Ever smaller and ever closer to one point: every new item goes down the same path.
#[test]
fn no_history_makes_a_tree_too_deep() {
    let mut tree = CheckedTree::default();
    let mut scale = 1e8;
    for item in 0..900 {
        tree.update(&[(item, around(DVec3::splat(scale), scale * 1e-3))]);
        scale *= 0.9;
    }
    let deepest = tree.tree.tree().depth;
    assert!(deepest <= crate::bvh::MAX_DEPTH, "{deepest} levels");
}

#[test]
fn a_refitted_tree_is_valid_wherever_the_items_went() {
    let mut rng = Rng::new(&[12]);
    for count in [1, 7, 8, 9, 64, 65, 500] {
        let mut boxes: Vec<Bounds> =
            (0..count).map(|_| around(rng.cube(20.0), rng.range(0.0, 1.0))).collect();
        let mut tree = build(&boxes);
        let mut before = 20.0;
        for reach in [1e3, 1e8, 1e-3, 1.0] {
            for bounds in &mut boxes {
                *bounds = around(rng.cube(reach), rng.range(0.0, reach));
            }
            if reach > before {
                assert!(tree.validate(&boxes).is_err());
            }
            before = reach;
            tree.refit(&boxes);
            assert_eq!(tree.validate(&boxes), Ok(()));
        }
    }
}
