//! A height field answers like a mesh of the same triangles, in every bit.

use crate::queries::{FAR, Query, queries};
use capsweep::cache::{HintSlot, TriangleCache};
use capsweep::controller::{Controller, ControllerConfig, MoveInput};
use capsweep::query::{Column, TriangleSource};
use capsweep::scene::{
    Body, CellTriangles, Filter, HeightField, HeightFieldError, HeightFieldOptions, HeightGrid,
    Heights, HitTarget, Pose, Scene, SceneHit, Shape,
};
use capsweep::{Aabb, Capsule, Limit, MAX_POSITION, Motion, Obb, Ray, Sides, SlopeLimit};
use capsweep_testkit::Rng;
use capsweep_testkit::brute::{Brute, PlainBody, PlainGeometry};
use capsweep_testkit::height_field::PlainField;
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::fmt::Debug;
use std::sync::Arc;

/// The same world twice: with fields, and with meshes of their triangles.
struct Twins {
    fields: Scene,
    meshes: Scene,
    brute: Brute,
    /// By key: the index in the field of each triangle of the mesh.
    indices: Vec<Vec<u32>>,
}

impl Twins {
    fn new(placed: &[(PlainField, Pose)]) -> Self {
        let (mut fields, mut meshes) = (Scene::new(), Scene::new());
        let (mut indices, mut bodies) = (Vec::new(), Vec::new());
        for ((plain, pose), key) in placed.iter().zip(0..) {
            let (mesh, numbers) = plain.mesh();
            let (mesh, field) = (Arc::new(mesh), Arc::new(plain.field()));
            fields.insert(Body::height_field(field, *pose).unwrap().with_key(key));
            meshes.insert(Body::mesh(Arc::clone(&mesh), *pose).unwrap().with_key(key));
            bodies.push(PlainBody::mesh(mesh, *pose, key));
            indices.push(numbers);
        }
        // A crate that stands on the first field: its contacts tie with those of triangles.
        let (_, pose) = &placed[0];
        let at = pose.point_to_world(dvec3(2.0, 2.0, 0.5));
        let solid = Shape::Box(Obb::new(at, vec3(0.5, 0.5, 0.5), DQuat::IDENTITY).unwrap());
        for scene in [&mut fields, &mut meshes] {
            scene.insert(Body::shape(solid).with_key(77));
        }
        bodies.push(PlainBody::new(PlainGeometry::Shape(solid), 77));
        Self { fields, meshes, brute: Brute::new(bodies), indices }
    }

    /// A target of the world of meshes, as the world of fields names it.
    fn named(&self, target: &HitTarget) -> HitTarget {
        let numbers = self.indices.get(target.key as usize);
        let number = |triangle: u32| numbers.map_or(triangle, |list| list[triangle as usize]);
        HitTarget { triangle: target.triangle.map(number), ..*target }
    }

    /// Debug text tells −0 from 0, so equal text is equal bits.
    fn same<T: Debug>(&self, field: &SceneHit<T>, mesh: &SceneHit<T>) -> bool {
        format!("{:?}", field.hit) == format!("{:?}", mesh.hit)
            && field.target == self.named(&mesh.target)
    }

    #[track_caller]
    fn check<T: Debug>(
        &self,
        what: &str,
        query: &Query,
        field: Option<&SceneHit<T>>,
        mesh: Option<&SceneHit<T>>,
    ) {
        let same = match (field, mesh) {
            (Some(field), Some(mesh)) => self.same(field, mesh),
            (None, None) => true,
            _ => false,
        };
        assert!(same, "{what} {query:?}\nfield {field:?}\nmesh  {mesh:?}");
    }

    #[track_caller]
    fn check_all<T: Debug>(
        &self,
        what: &str,
        query: &Query,
        field: &[SceneHit<T>],
        mesh: &[SceneHit<T>],
    ) {
        assert_eq!(field.len(), mesh.len(), "{what} {query:?}");
        for (field, mesh) in field.iter().zip(mesh) {
            self.check(what, query, Some(field), Some(mesh));
        }
    }

    /// Asks everything of both worlds. Returns how many hits and overlaps there were.
    fn compare(&self, query: &Query, cache: &mut TriangleCache) -> [usize; 2] {
        let Query { capsule, motion, filter } = query;
        let Self { fields, meshes, .. } = self;
        let hit = fields.sweep(capsule, motion, filter);
        let twin = meshes.sweep(capsule, motion, filter);
        self.check("sweep", query, hit.as_ref(), twin.as_ref());
        let cached = cache.sweep(fields, capsule, motion, filter, HintSlot::Side);
        self.check("cached sweep", query, cached.as_ref(), twin.as_ref());
        assert_eq!(fields.sweep_any(capsule, motion, filter), twin.is_some(), "{query:?}");
        if let (Some(hit), Some(twin)) = (&hit, &twin) {
            let neighbor = fields.neighbor_normal(hit, filter);
            assert_eq!(neighbor, meshes.neighbor_normal(twin, filter), "{query:?}");
        }
        let (mut all, mut twins) = (Vec::new(), Vec::new());
        fields.sweep_all(capsule, motion, filter, &mut all);
        meshes.sweep_all(capsule, motion, filter, &mut twins);
        self.check_all("sweep_all", query, &all, &twins);

        let overlap = fields.overlap(capsule, filter);
        let twin = meshes.overlap(capsule, filter);
        self.check("overlap", query, overlap.as_ref(), twin.as_ref());
        assert_eq!(fields.overlaps(capsule, filter), twin.is_some(), "{query:?}");
        let (mut all, mut twins) = (Vec::new(), Vec::new());
        fields.overlap_all(capsule, filter, &mut all);
        meshes.overlap_all(capsule, filter, &mut twins);
        self.check_all("overlap_all", query, &all, &twins);
        let freed = fields.depenetrate(capsule, filter);
        let twin_freed = meshes.depenetrate(capsule, filter);
        assert_eq!((freed.push, freed.pushes), (twin_freed.push, twin_freed.pushes), "{query:?}");

        for limit in [Limit::UNBOUNDED, Limit::new(0.5).unwrap()] {
            let closest = fields.closest(capsule, limit, filter);
            let twin = meshes.closest(capsule, limit, filter);
            self.check("closest", query, closest.as_ref(), twin.as_ref());
            let cached = cache.closest(fields, capsule, limit, filter);
            self.check("cached closest", query, cached.as_ref(), twin.as_ref());
        }
        if let Ok(ray) = Ray::new(capsule.p0(), *motion) {
            let ray_hit = fields.ray(&ray, filter);
            self.check("ray", query, ray_hit.as_ref(), meshes.ray(&ray, filter).as_ref());
        }
        let column = Column::new(capsule.center(), DVec3::Z, 20.0, 20.0).unwrap();
        let (mut all, mut twins) = (Vec::new(), Vec::new());
        fields.supports(&column, SlopeLimit::PHYSX, filter, &mut all);
        meshes.supports(&column, SlopeLimit::PHYSX, filter, &mut twins);
        assert_eq!(all.len(), twins.len(), "{query:?}");
        for (support, twin) in all.iter().zip(&twins) {
            assert_eq!(support.target, self.named(&twin.target), "{query:?}");
            let text = |support: &capsweep::query::Support| {
                format!("{:?}", capsweep::query::Support { target: twin.target, ..*support })
            };
            assert_eq!(text(support), text(twin), "{query:?}");
        }
        [usize::from(hit.is_some()), usize::from(overlap.is_some())]
    }

    fn compare_many(&self, count: usize, seed: u64) -> [usize; 2] {
        let mut cache = TriangleCache::new();
        let mut found = [0; 2];
        for query in queries(&self.brute, count, seed) {
            let [hits, overlaps] = self.compare(&query, &mut cache);
            found = [found[0] + hits, found[1] + overlaps];
        }
        found
    }
}

fn poses(rng: &mut Rng) -> Vec<Pose> {
    let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    let half_turn = DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0);
    vec![
        Pose::IDENTITY,
        Pose::new(FAR, half_turn, DVec3::ONE).unwrap(),
        Pose::new(rng.cube(10.0), turn, dvec3(2.0, -0.7, 1.5)).unwrap(),
        Pose::new(rng.cube(10.0), turn, DVec3::splat(-1.5)).unwrap(),
    ]
}

#[test]
fn every_query_gives_the_bits_of_a_mesh_of_the_same_triangles() {
    let mut rng = Rng::new(&[2201]);
    let mut found = [0; 2];
    let mut asked = 0;
    for round in 0..24 {
        // Sizes on both sides of whole blocks.
        let (rows, columns) = (1 + rng.below(11), 1 + rng.below(11));
        for pose in poses(&mut rng) {
            let plain = PlainField::random(&mut rng, rows, columns, round % 2 == 0);
            let beside = PlainField::random(&mut rng, rows, columns, round % 3 == 0);
            let shift = pose.point_to_world(dvec3(0.5 * f64::from(rows), 0.3, -0.4));
            let other = Pose::new(shift, pose.rotation(), pose.scale()).unwrap();
            let twins = Twins::new(&[(plain, pose), (beside, other)]);
            let [hits, overlaps] = twins.compare_many(60, round);
            found = [found[0] + hits, found[1] + overlaps];
            asked += 60;
        }
    }
    assert!(found[0] > asked / 4 && found[1] > asked / 20, "{found:?} of {asked}");
}

#[test]
fn a_large_field_gives_the_bits_of_its_mesh() {
    let mut rng = Rng::new(&[2202]);
    for four in [true, false] {
        let mut plain = PlainField::random(&mut rng, 90, 67, four);
        plain.holes = (0..90 * 67).map(|cell| cell % 67 > 40 && cell % 5 == 0).collect();
        let twins = Twins::new(&[(plain, Pose::IDENTITY)]);
        let [hits, _] = twins.compare_many(400, 9);
        assert!(hits > 100, "{hits}");
    }
}

/// Steep needles: some triangles are slivers, some count as degenerate.
#[test]
fn needles_and_degenerate_triangles_are_those_of_a_mesh() {
    let mut rng = Rng::new(&[2203]);
    let grid = HeightGrid { rows: 5, columns: 5, spacing: [1e-4, 1e-3] };
    for tall in [1.0, 1e3, 1e7] {
        let heights = (0..36 + 25).map(|_| rng.range_f32(-tall, tall)).collect();
        let plain = PlainField::new(grid, Heights::F32(heights), true);
        Twins::new(&[(plain, Pose::IDENTITY)]).compare_many(60, 3);
    }
}

fn hills(rows: u32, columns: u32) -> PlainField {
    let spacing = [1.0, 1.0];
    let at = |row: f32, column: f32| (row * 0.7).sin() * 0.8 + (column * 0.45).cos() * 1.1;
    let corners =
        (0..=rows).flat_map(|row| (0..=columns).map(move |column| at(row as f32, column as f32)));
    let centers = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| at(row as f32 + 0.5, column as f32 + 0.5)));
    let heights = corners.chain(centers).collect();
    PlainField::new(HeightGrid { rows, columns, spacing }, Heights::F32(heights), true)
}

#[test]
fn a_character_moves_over_a_field_as_over_its_mesh() {
    let mut plain = hills(24, 24);
    plain.holes = (0..24 * 24).map(|cell| cell == 12 * 24 + 9).collect();
    let beside = Pose::from_translation(dvec3(24.0, 0.0, 0.0)).unwrap();
    let twins = Twins::new(&[(plain, Pose::IDENTITY), (hills(24, 24), beside)]);
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let mut rng = Rng::new(&[2204]);
    let start = controller.spawn(dvec3(6.0, 6.0, 4.0)).unwrap();
    let (mut one, mut other) = (start, start);
    let (mut cache, mut twin_cache) = (TriangleCache::new(), TriangleCache::off());
    let mut way = DVec3::X;
    for step in 0..1500 {
        if step % 40 == 0 {
            way = dvec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0);
        }
        let input = MoveInput::new(Motion::new(way * 0.12 - DVec3::Z * 0.1).unwrap());
        let here = controller.move_by(&twins.fields, &mut cache, &one, &input);
        let there = controller.move_by(&twins.meshes, &mut twin_cache, &other, &input);
        (one, other) = (here.state, there.state);
        assert_eq!(one.center(), other.center(), "{step}");
    }
}

#[test]
fn the_triangles_of_a_field_are_those_of_its_twin() {
    let mut rng = Rng::new(&[2205]);
    for round in 0..40 {
        let (rows, columns) = (1 + rng.below(9), 1 + rng.below(9));
        let plain = PlainField::random(&mut rng, rows, columns, round % 2 == 0);
        let field = plain.field();
        let triangles = plain.triangles();
        assert_eq!(field.triangles().collect::<Vec<_>>(), triangles);
        let mesh = plain.mesh().0;
        assert_eq!(field.bounds(), mesh.bounds());
        // In a box: the same as among all.
        let low = rng.cube(3.0);
        let bounds = Aabb::new(low, low + dvec3(2.0, 3.0, 20.0)).unwrap();
        let mut inside = Vec::new();
        field.triangles_in(&bounds, &mut |found| inside.push((found.index, found.triangle)));
        inside.sort_by_key(|(index, _)| *index);
        let expected: Vec<u32> = triangles
            .iter()
            .filter(|(_, corners)| {
                let corners = corners.map(Vec3::as_dvec3);
                let min = corners[0].min(corners[1]).min(corners[2]);
                let max = corners[0].max(corners[1]).max(corners[2]);
                min.cmple(bounds.max()).all() && max.cmpge(bounds.min()).all()
            })
            .map(|(index, _)| *index)
            .collect();
        assert_eq!(inside.iter().map(|(index, _)| *index).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn only_the_upper_side_counts_unless_both_are_asked_for() {
    let grid = HeightGrid { rows: 2, columns: 2, spacing: [4.0, 4.0] };
    let plain = PlainField::new(grid, Heights::Flat(1.0), true);
    let hits = |plain: &PlainField, up: f64, sides: Sides| {
        let mut scene = Scene::new();
        let field = Arc::new(plain.field());
        scene.insert(Body::height_field(field, Pose::IDENTITY).unwrap());
        let ray = Ray::new(dvec3(3.0, 3.3, 1.0 - up), Motion::new(DVec3::Z * 2.0 * up).unwrap());
        scene.ray(&ray.unwrap(), &Filter { sides, ..Filter::default() }).is_some()
    };
    assert!(hits(&plain, -1.0, Sides::Front) && !hits(&plain, 1.0, Sides::Front));
    assert!(hits(&plain, 1.0, Sides::Both));
    let both = PlainField { double_sided: true, ..plain };
    assert!(hits(&both, 1.0, Sides::Front));
}

#[test]
fn a_capsule_falls_through_a_hole_and_not_beside_it() {
    let grid = HeightGrid { rows: 8, columns: 8, spacing: [1.0, 1.0] };
    let mut plain = PlainField::new(grid, Heights::Flat(0.0), false);
    plain.holes = (0..64).map(|cell| matches!((cell / 8, cell % 8), (3..5, 3..5))).collect();
    let mut scene = Scene::new();
    scene.insert(Body::height_field(Arc::new(plain.field()), Pose::IDENTITY).unwrap());
    let fall = Motion::new(DVec3::Z * -5.0).unwrap();
    let falls = |x: f64, y: f64| {
        let person = Capsule::from_feet(dvec3(x, y, 2.0), DVec3::Z, 0.4, 1.8).unwrap();
        scene.sweep(&person, &fall, &Filter::default()).is_none()
    };
    assert!(falls(4.0, 4.0) && !falls(4.0, 2.5) && !falls(4.0, 3.2));
}

#[test]
fn bad_fields_are_refused_with_what_is_wrong() {
    let grid = HeightGrid { rows: 2, columns: 3, spacing: [1.0, 1.0] };
    let new = |grid: HeightGrid, heights: Heights| {
        HeightField::new(grid, heights, CellTriangles::Four, HeightFieldOptions::default())
            .unwrap_err()
    };
    let flat = Heights::Flat(0.0);
    assert_eq!(
        new(grid, Heights::F32(vec![0.0; 12])),
        HeightFieldError::WrongCount { what: "heights", given: 12, needed: 18 }
    );
    for (rows, columns) in [(0, 3), (2, 0), (65_537, 1)] {
        let size = HeightFieldError::BadSize { rows, columns, limit: 65_536 };
        assert_eq!(new(HeightGrid { rows, columns, ..grid }, flat.clone()), size);
    }
    let huge = HeightGrid { rows: 65_536, columns: 65_536, spacing: [1.0, 1.0] };
    assert!(matches!(new(huge, flat.clone()), HeightFieldError::TooManyTriangles { .. }));
    for step in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9] {
        let spacing = [1.0, step];
        let error = new(HeightGrid { spacing, ..grid }, flat.clone());
        assert!(matches!(error, HeightFieldError::BadSpacing { .. }), "{error}");
    }
    let mut heights = vec![0.0; 18];
    heights[7] = f32::NAN;
    let error = new(grid, Heights::F32(heights));
    assert!(matches!(error, HeightFieldError::BadHeight { index: 7, .. }), "{error}");
    let high = MAX_POSITION as f32 * 2.0;
    let raw = vec![0; 18];
    assert!(matches!(
        new(grid, Heights::U16 { raw, low: 0.0, high }),
        HeightFieldError::BadHeight { .. }
    ));
    assert!(matches!(new(grid, Heights::Flat(high)), HeightFieldError::BadHeight { .. }));

    let field = || {
        HeightField::new(grid, flat.clone(), CellTriangles::Four, HeightFieldOptions::default())
    };
    let holes = field().unwrap().with_holes(&[true; 5]).unwrap_err();
    assert_eq!(holes.to_string(), "5 flags of holes where the grid needs 6");
}

#[test]
fn a_field_takes_the_memory_that_it_promises() {
    let grid = HeightGrid { rows: 128, columns: 128, spacing: [4.0, 4.0] };
    let count = 129_u32 * 129 + 128 * 128;
    let triangles = 4.0 * 128.0 * 128.0;
    let field = |heights| {
        HeightField::new(grid, heights, CellTriangles::Four, HeightFieldOptions::default())
            .unwrap()
    };
    let holes: Vec<bool> = (0..128 * 128).map(|cell| cell % 77 == 0).collect();
    let floats = field(Heights::F32((0..count).map(|i| (i % 97) as f32).collect()));
    let floats = floats.with_holes(&holes).unwrap();
    assert!(floats.memory() as f64 / triangles <= 2.6, "{}", floats.memory());
    let raw = (0..count).map(|i| (i % 9973) as u16).collect();
    let words = field(Heights::U16 { raw, low: 0.0, high: 500.0 }).with_holes(&holes).unwrap();
    assert!(words.memory() as f64 / triangles <= 1.6, "{}", words.memory());
    let plain = words.memory();
    let cells: Vec<_> = (0..128 * 128)
        .map(|cell| capsweep::scene::CellMaterial { tag: cell % 200, mask: 1 })
        .collect();
    let words = words.with_materials(&cells).unwrap();
    let more = (words.memory() - plain) as f64 / triangles;
    assert!(more <= 0.28 && words.memory() as f64 / triangles <= 1.6 + 0.25, "{more}");
}
