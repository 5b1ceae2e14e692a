//! Tests of building, validating and traversing trees.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{
    Bounds, Bvh, BvhDefect, Entered, GridBox, LEAF, MAX_DEPTH, NONE, Node, NodeVisitor,
    VisitOrder, WIDTH, build, traverse,
};
use crate::bvh::{F32x8, LaneFn, Scalar, dispatch};
use capsweep_testkit::Rng;
use glam::{Vec3, vec3};

fn some_point(rng: &mut Rng, reach: f32) -> Vec3 {
    rng.cube(f64::from(reach)).as_vec3()
}

fn some_box(rng: &mut Rng, reach: f32, size: f32) -> Bounds {
    let (at, half) = (some_point(rng, reach), some_point(rng, size).abs());
    Bounds { min: at - half, max: at + half }
}

/// A node as bits: origin, exponents, used children, planes, children.
type NodeBits = ([u32; 3], [u8; 3], u8, [[[u8; WIDTH]; 2]; 3], [u32; WIDTH]);

/// Nodes and items of a tree as bits.
fn tree_bits(bvh: &Bvh) -> (Vec<NodeBits>, Vec<u32>) {
    let nodes = bvh.nodes.iter().map(|node| {
        let origin = node.origin.map(f32::to_bits);
        (origin, node.exponents, node.used, node.planes, node.children)
    });
    (nodes.collect(), bvh.items.to_vec())
}

/// Boxes of many kinds, with the name of each kind.
fn inputs() -> Vec<(String, Vec<Bounds>)> {
    let mut rng = Rng::new(&[2]);
    let mut inputs: Vec<(String, Vec<Bounds>)> = Vec::new();
    for count in (0..=100).chain([1_000]) {
        let boxes = (0..count).map(|_| some_box(&mut rng, 50.0, 1.0)).collect();
        inputs.push((format!("{count} random"), boxes));
        let one = some_box(&mut rng, 10.0, 2.0);
        inputs.push((format!("{count} identical"), vec![one; count]));
        let at = some_point(&mut rng, 1e4);
        inputs.push((format!("{count} points in one"), vec![Bounds { min: at, max: at }; count]));
        let line = (0..count).map(|i| {
            let at = Vec3::X * i as f32;
            Bounds { min: at, max: at }
        });
        inputs.push((format!("{count} collinear"), line.collect()));
    }
    let mut add = |name: &str, make: &mut dyn FnMut(&mut Rng, usize) -> Bounds| {
        let boxes = (0..3_000).map(|i| make(&mut rng, i)).collect();
        inputs.push((name.to_owned(), boxes));
    };
    add("duplicates", &mut |rng, i| {
        let at = vec3((i % 7) as f32, (i % 3) as f32, 0.0) + some_point(rng, 0.0);
        Bounds { min: at, max: at + Vec3::ONE }
    });
    add("far away", &mut |rng, _| {
        let bounds = some_box(rng, 100.0, 0.5);
        let away = vec3(16_384.0, -16_384.0, 512.0);
        Bounds { min: bounds.min + away, max: bounds.max + away }
    });
    add("all sizes", &mut |rng, _| {
        let size = (rng.unit() as f32 * 40.0 - 30.0).exp2();
        some_box(rng, size, size * 0.1)
    });
    add("nested", &mut |_, i| {
        let half = Vec3::splat((i + 1) as f32);
        Bounds { min: -half, max: half }
    });
    add("as far as positions go", &mut |rng, _| some_box(rng, 9e8, 1e7));
    add("denormal", &mut |rng, _| some_box(rng, 1e-41, 1e-42));
    add("one far from the rest", &mut |rng, i| {
        let bounds = some_box(rng, 0.01, 0.001);
        let away = if i == 77 { Vec3::splat(8e8) } else { Vec3::ZERO };
        Bounds { min: bounds.min + away, max: bounds.max + away }
    });
    inputs
}

#[test]
fn every_tree_is_valid() {
    for (name, boxes) in inputs() {
        let bvh = build(&boxes);
        assert_eq!(bvh.validate(&boxes), Ok(()), "{name}");
        assert_eq!(tree_bits(&bvh), tree_bits(&build(&boxes)), "{name}");
        let most = boxes.len().div_ceil(2) + 1;
        assert!(bvh.leaf_count() <= most, "{name}: {} leaves", bvh.leaf_count());
    }
}

/// Number of levels of nodes.
fn depth(bvh: &Bvh, node: usize) -> usize {
    let children = bvh.nodes[node].children.iter().filter(|child| **child & LEAF == 0);
    1 + children.map(|child| depth(bvh, *child as usize)).max().unwrap_or(0)
}

/// Clusters at every scale of f32, one inside the other, with many twins in the innermost.
#[test]
fn no_input_makes_a_tree_too_deep() {
    for (spread, twins) in [(16.0_f32, 10), (4.0, 5_000), (1.5, 60_000), (1.1, 10)] {
        let mut boxes = Vec::new();
        let mut scale = 1e8_f32;
        while scale > 1e-38 {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                boxes.extend([Bounds { min: axis * scale, max: axis * scale }; 9]);
            }
            scale /= spread;
        }
        boxes.extend(vec![Bounds { min: Vec3::ZERO, max: Vec3::ZERO }; twins]);
        let bvh = build(&boxes);
        assert_eq!(bvh.validate(&boxes), Ok(()), "{twins} twins");
        assert!(depth(&bvh, 0) <= MAX_DEPTH, "{twins} twins: {} levels", depth(&bvh, 0));
        assert!(found::<true>(&bvh, &[Vec3::ZERO; 2]).len() >= twins);
    }
}

#[test]
fn twins_fill_every_level() {
    for (count, levels) in [(8, 1), (64, 1), (512, 2), (4_096, 3), (32_768, 4)] {
        let boxes = vec![Bounds { min: Vec3::ONE, max: Vec3::ONE }; count];
        assert_eq!(depth(&build(&boxes), 0), levels, "{count} twins");
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_build_the_same_tree() {
    let mut rng = Rng::new(&[3]);
    let boxes: Vec<Bounds> = (0..60_000).map(|_| some_box(&mut rng, 200.0, 1.0)).collect();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build(&boxes))
    };
    let one = with(1);
    assert_eq!(one.validate(&boxes), Ok(()));
    assert_eq!(tree_bits(&one), tree_bits(&with(2)));
    assert_eq!(tree_bits(&one), tree_bits(&with(5)));
    assert_eq!(tree_bits(&one), tree_bits(&build(&boxes)));
}

#[test]
fn validation_finds_every_defect() {
    let mut rng = Rng::new(&[4]);
    let boxes: Vec<Bounds> = (0..500).map(|_| some_box(&mut rng, 50.0, 1.0)).collect();
    let sound = build(&boxes);
    assert!(sound.nodes.len() > 2);
    let defect = |change: &dyn Fn(&mut Bvh)| {
        let mut bvh = sound.clone();
        change(&mut bvh);
        bvh.validate(&boxes).unwrap_err()
    };
    let inner = (0..WIDTH).find(|i| sound.nodes[0].children[*i] & LEAF == 0).unwrap();
    let bad_child = BvhDefect::BadChild { node: 0 };
    assert_eq!(defect(&|bvh| bvh.nodes[0].children[inner] = 0), bad_child);
    assert_eq!(defect(&|bvh| bvh.nodes[0].children[inner] = 1_000_000), bad_child);
    assert_eq!(defect(&|bvh| bvh.nodes[0].children[inner] = LEAF | 0x000f_4240), bad_child);
    assert_eq!(defect(&|bvh| bvh.nodes[0].children[inner] = NONE), bad_child);
    let item = sound.items[0];
    let missing = BvhDefect::BadItem { item };
    assert_eq!(defect(&|bvh| bvh.items[0] = NONE), missing);
    let doubled = BvhDefect::BadItem { item: sound.items[1] };
    assert_eq!(defect(&|bvh| bvh.items[0] = bvh.items[1]), doubled);
    assert_eq!(defect(&|bvh| bvh.items[0] = 500), BvhDefect::BadItem { item: 500 });
    assert_eq!(defect(&|bvh| bvh.items.to_mut().extend([NONE; WIDTH])), BvhDefect::Unreachable);
    for axis in 0..3 {
        let too_small = BvhDefect::BoxTooSmall { node: 0 };
        assert_eq!(defect(&|bvh| bvh.nodes[0].planes[axis][1][inner] = 0), too_small);
        assert_eq!(defect(&|bvh| bvh.nodes[0].planes[axis][0][inner] = 255), too_small);
        assert_eq!(defect(&|bvh| bvh.nodes[0].exponents[axis] = 0), too_small);
        assert_eq!(defect(&|bvh| bvh.nodes[0].exponents[axis] = 255), too_small);
        assert_eq!(defect(&|bvh| bvh.nodes[0].origin[axis] += 1.0), too_small);
    }
    // A child that no traversal enters, and an unused lane that it would enter.
    let hidden = BvhDefect::BoxTooSmall { node: 0 };
    assert_eq!(defect(&|bvh| bvh.nodes[0].used &= !(1 << inner)), hidden);
    let few = &boxes[..9];
    let mut open = build(few);
    let unused = (0..WIDTH).find(|i| open.nodes[0].children[*i] == NONE).unwrap();
    assert_eq!(open.validate(few), Ok(()));
    open.nodes[0].used |= 1 << unused;
    assert_eq!(open.validate(few), Err(BvhDefect::BadChild { node: 0 }));
    let empty = Bvh::default();
    assert_eq!(empty.validate(&[]), Ok(()));
    assert_eq!(empty.validate(&boxes), Err(BvhDefect::BadItem { item: 0 }));
    assert!(sound.validate(&boxes[..499]).is_err());
    let mut chain = sound.clone();
    let root = chain.nodes[0];
    chain.nodes.to_mut().resize(MAX_DEPTH + 8, root);
    for (next, node) in chain.nodes.iter_mut().enumerate() {
        node.children = [NONE; WIDTH];
        node.children[0] = next as u32 + 1;
        node.used = 1;
    }
    assert_eq!(chain.validate(&boxes), Err(BvhDefect::TooDeep));
}

/// A refit goes from the last node to the first, so children must come after their parents.
#[test]
fn a_parent_after_its_child_is_a_defect() {
    let mut rng = Rng::new(&[6]);
    let boxes: Vec<Bounds> = (0..5_000).map(|_| some_box(&mut rng, 50.0, 1.0)).collect();
    let mut bvh = build(&boxes);
    let inner = |children: &[u32; WIDTH]| children.iter().position(|child| child & LEAF == 0);
    let (lane, parent) =
        inner(&bvh.nodes[0].children).map(|i| (i, bvh.nodes[0].children[i])).unwrap();
    let below = bvh.nodes[parent as usize].children;
    let child = below[inner(&below).unwrap()];
    // The same tree with parent and child swapped in memory.
    bvh.nodes[0].children[lane] = child;
    let at = inner(&below).unwrap();
    bvh.nodes[parent as usize].children[at] = parent;
    bvh.nodes.swap(parent as usize, child as usize);
    let defect = BvhDefect::BadChild { node: child as usize };
    assert_eq!(bvh.validate(&boxes), Err(defect));
}

#[test]
fn every_defect_says_what_it_is() {
    let defects = [
        BvhDefect::BadChild { node: 3 },
        BvhDefect::Unreachable,
        BvhDefect::TooDeep,
        BvhDefect::BadItem { item: 4 },
        BvhDefect::BoxTooSmall { node: 5 },
    ];
    for defect in defects {
        assert!(!defect.to_string().is_empty());
    }
}

/// In the order of the keys, or in any order.
#[inline(always)]
fn order<L: F32x8, const ORDERED: bool>(bits: u32, keys: L) -> VisitOrder<L> {
    if ORDERED { VisitOrder::InOrder { keys, order: keys.if_set(bits) } } else { VisitOrder::Any }
}

/// Records the leaves that it visits, up to `most`.
struct FirstLeaves<const ORDERED: bool> {
    leaves: Vec<usize>,
    most: usize,
}

impl<const ORDERED: bool> NodeVisitor for FirstLeaves<ORDERED> {
    #[inline(always)]
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L> {
        let keys = node.boxes::<L>().min[0];
        Entered { bits: node.used(), order: order::<L, ORDERED>(node.used(), keys) }
    }

    fn limit(&self) -> f32 {
        f32::INFINITY
    }

    #[inline(always)]
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool {
        self.leaves.push(leaf);
        self.leaves.len() < self.most
    }
}

/// The leaves that ordered and unordered traversals visit, with SIMD lanes and with plain loops.
fn leaves_up_to(bvh: &Bvh, most: usize) -> [Vec<usize>; 4] {
    struct Traversal<'a, const ORDERED: bool>(&'a Bvh, usize);
    impl<const ORDERED: bool> LaneFn for Traversal<'_, ORDERED> {
        type Output = Vec<usize>;

        #[inline(always)]
        fn run<L: F32x8>(self) -> Vec<usize> {
            let mut visitor = FirstLeaves::<ORDERED> { leaves: Vec::new(), most: self.1 };
            traverse::<L>(&self.0.nodes, &mut visitor);
            visitor.leaves
        }
    }
    [
        dispatch(Traversal::<true>(bvh, most)),
        Traversal::<true>(bvh, most).run::<Scalar>(),
        dispatch(Traversal::<false>(bvh, most)),
        Traversal::<false>(bvh, most).run::<Scalar>(),
    ]
}

/// With every child entered, the stack overflows and the traversal recurses.
#[test]
fn a_traversal_that_recurses_visits_every_leaf_once_and_ends_when_told() {
    let mut rng = Rng::new(&[7]);
    let boxes: Vec<Bounds> = (0..60_000)
        .map(|_| {
            let at = rng.cube(100.0).as_vec3();
            Bounds { min: at, max: at + Vec3::splat(0.5) }
        })
        .collect();
    let bvh = build(&boxes);
    assert!(depth(&bvh, 0) > 5, "the stack does not overflow");
    let all = leaves_up_to(&bvh, usize::MAX);
    for leaves in &all {
        let mut sorted = leaves.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..bvh.leaf_count()));
    }
    for most in [1, 2, 37, 500, 3_000, bvh.leaf_count() - 1] {
        for (some, all) in leaves_up_to(&bvh, most).iter().zip(&all) {
            assert_eq!(some, &all[..most]);
        }
    }
}

/// Collects the items of all leaves that overlap a box; keys are the boxes' lower x.
struct Overlapping<'a, const ORDERED: bool> {
    bvh: &'a Bvh,
    around: Bounds,
    found: Vec<u32>,
    keys: Vec<f32>,
    limit: f32,
}

impl<const ORDERED: bool> NodeVisitor for Overlapping<'_, ORDERED> {
    #[inline(always)]
    fn enter<L: F32x8>(&mut self, node: &Node) -> Entered<L> {
        let boxes = node.boxes::<L>();
        let mut bits = node.used();
        for axis in 0..3 {
            bits &= boxes.min[axis].le_mask(L::splat(self.around.max[axis]));
            bits &= L::splat(self.around.min[axis]).le_mask(boxes.max[axis]);
        }
        let keys = boxes.min[0].store();
        let entered = (0..WIDTH).filter(|i| bits >> i & 1 == 1);
        self.keys.extend(entered.map(|i| keys[i]));
        Entered { bits, order: order::<L, ORDERED>(bits, boxes.min[0]) }
    }

    fn limit(&self) -> f32 {
        self.limit
    }

    #[inline(always)]
    fn leaf<L: F32x8>(&mut self, leaf: usize) -> bool {
        let items = self.bvh.leaf_items(leaf).iter();
        self.found.extend(items.filter(|item| **item != NONE));
        true
    }
}

/// The items that an ordered or unordered traversal finds, in its order; the same with SIMD lanes
/// and plain loops.
fn found<const ORDERED: bool>(bvh: &Bvh, corners: &[Vec3; 2]) -> Vec<u32> {
    struct Traversal<'a, const ORDERED: bool>(Overlapping<'a, ORDERED>);
    impl<const ORDERED: bool> LaneFn for Traversal<'_, ORDERED> {
        type Output = (Vec<u32>, Vec<u32>);

        #[inline(always)]
        fn run<L: F32x8>(mut self) -> Self::Output {
            traverse::<L>(&self.0.bvh.nodes, &mut self.0);
            (self.0.found, self.0.keys.into_iter().map(f32::to_bits).collect())
        }
    }
    let traversal = || {
        Traversal::<ORDERED>(Overlapping {
            bvh,
            around: Bounds { min: corners[0], max: corners[1] },
            found: Vec::new(),
            keys: Vec::new(),
            limit: f32::INFINITY,
        })
    };
    let wide = dispatch(traversal());
    assert_eq!(wide, traversal().run::<Scalar>());
    wide.0
}

#[test]
fn traversals_find_every_box_with_any_lanes() {
    let mut rng = Rng::new(&[5]);
    for (name, boxes) in inputs() {
        let bvh = build(&boxes);
        let reach = boxes.iter().fold(0.0_f32, |all, b| all.max(b.max.abs().max_element()));
        for _ in 0..4 {
            let around = some_box(&mut rng, reach, reach * 0.3);
            let (mut in_order, mut in_any) = (
                found::<true>(&bvh, &[around.min, around.max]),
                found::<false>(&bvh, &[around.min, around.max]),
            );
            in_order.sort_unstable();
            in_any.sort_unstable();
            assert_eq!(in_order, in_any, "{name}");
            let overlaps =
                |b: &Bounds| b.min.cmple(around.max).all() && around.min.cmple(b.max).all();
            for (item, _) in (0_u32..).zip(&boxes).filter(|(_, b)| overlaps(b)) {
                assert!(in_order.binary_search(&item).is_ok(), "{name}: {item} is not found");
            }
        }
    }
}

/// Boxes far from the origin, among them flat and huge ones. The query box touches them exactly or
/// nearly.
#[test]
fn a_box_on_the_grid_misses_no_child_that_it_touches() {
    struct OverlappingChildren<'a>(&'a Node, GridBox);
    impl LaneFn for OverlappingChildren<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<L: F32x8>(self) -> u32 {
            self.0.overlapping::<L>(self.1)
        }
    }
    let mut rng = Rng::new(&[11]);
    let (mut touched, mut skipped) = (0, 0);
    for round in 0..2_000 {
        let (reach, size) = ([1.0, 300.0, 2e4][round % 3], [0.0, 0.01, 1.0, 100.0][round % 4]);
        let at = some_point(&mut rng, reach);
        let boxes: Vec<Bounds> = (0..=round % 60)
            .map(|_| {
                let Bounds { min, max } = some_box(&mut rng, 10.0, size);
                Bounds { min: at + min, max: at + max }
            })
            .collect();
        let bvh = build(&boxes);
        for node in &*bvh.nodes {
            let around = boxes[rng.bits() as usize % boxes.len()];
            let extent = some_point(&mut rng, 2.0 * size + 1.0);
            let query = Bounds {
                min: around.max + extent.min(Vec3::ZERO),
                max: around.max + extent.abs(),
            };
            let largest = query.min.abs().max(query.max.abs()).max_element() + reach + 120.0;
            let wider = Vec3::splat(8.0 * f32::EPSILON * largest);
            let grid_box = GridBox::new(query.min - wider, query.max + wider);
            let found = dispatch(OverlappingChildren(node, grid_box));
            assert_eq!(found, OverlappingChildren(node, grid_box).run::<Scalar>());
            for child in (0..WIDTH).filter(|child| node.used() >> child & 1 == 1) {
                let touches = (0..3).all(|axis| {
                    let (low, high) = node.decoded_planes(child, axis);
                    low <= query.max[axis] && query.min[axis] <= high
                });
                let is_found = found >> child & 1 == 1;
                assert!(is_found || !touches, "{round}: child {child} of {node:?}, {query:?}");
                touched += usize::from(touches);
                skipped += usize::from(!is_found);
            }
        }
    }
    assert!(touched > 2_000 && skipped > 2_000, "{touched} {skipped}");
}

/// Planes a rounding below a plane of the grid, on the far side of the origin: their distance from
/// the corner of the grid rounds up.
#[test]
fn a_grid_holds_boxes_that_end_a_rounding_before_its_planes() {
    for (corner, pitch) in [(-1000.3_f32, 8.0_f32), (-3.7, 0.25), (-0.1, 1.0), (5.3, 0.5)] {
        let at = |steps: f32| corner + steps * pitch;
        for step in 1..250_u8 {
            let (below, above) = (at(f32::from(step)).next_down(), at(f32::from(step)).next_up());
            let mut boxes = [Bounds::EMPTY; WIDTH];
            boxes[0] = Bounds { min: Vec3::splat(corner), max: Vec3::splat(at(254.0)) };
            boxes[1] = Bounds { min: Vec3::splat(below), max: Vec3::splat(above) };
            let node = build::encode(&boxes);
            for axis in 0..3 {
                let (low, high) = node.decoded_planes(1, axis);
                assert!(low <= below && high >= above, "{corner} {step}: {low} {high}");
            }
        }
    }
}
