//! Writes the queries of the families and the library's answers as files for numpy, so that the
//! Python package can be compared with the library in bits.
//!
//! For each pair and family one scene holds the targets of all cases, and each case asks all
//! queries. Each file is a `.npy` with one record per case.

use crate::{Case, Family, Pair, TargetShape, generate};
use capsweep::query::Column;
use capsweep::scene::{
    Body, BodyKind, Filter, HitTarget, MeshOptions, Pose, Scene, SceneHit, Shape, TriMesh,
};
use capsweep::{Feature, Limit, Ray, Region, Sides, SlopeLimit};
use glam::{DVec3, Vec3};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The pairs whose targets a scene can hold.
pub const PAIRS: [Pair; 5] =
    [Pair::Triangle, Pair::Box, Pair::Sphere, Pair::Capsule, Pair::HalfSpace];

/// Writes `<pair>-<family>.npy` for every pair and family into a folder. Returns the number of
/// files.
///
/// # Errors
/// If a file cannot be written.
pub fn write(folder: &Path, cases: u64, seed: u64) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let mut files = 0;
    for (pair, family) in PAIRS.into_iter().flat_map(|p| Family::ALL.map(|f| (p, f))) {
        let name = format!("{}-{}.npy", pair.name(), family.name());
        fs::write(folder.join(name), table(pair, family, cases, seed))?;
        files += 1;
    }
    Ok(files)
}

/// The records of one pair and family as a `.npy` file.
fn table(pair: Pair, family: Family, cases: u64, seed: u64) -> Vec<u8> {
    let cases: Vec<Case> = (0..cases).map(|index| generate(pair, family, seed, index)).collect();
    let mut scene = Scene::new();
    let targets: Vec<Target> = cases.iter().map(|case| Target::new(&case.target)).collect();
    scene.edit(|edit| {
        for (index, target) in targets.iter().enumerate() {
            edit.insert(target.body.clone().with_key(index as u64));
        }
    });
    let mut records = Records::default();
    for (case, target) in cases.iter().zip(&targets) {
        let mut record = records.next();
        record.query(case, target);
        record.answers(&scene, case);
    }
    records.finish(cases.len())
}

/// A target as a body, and the numbers that it is made of.
struct Target {
    body: Body,
    /// Position or first point; second point, half extents or normal; rotation; radius.
    numbers: [f64; 11],
    /// Corners of a triangle relative to the position.
    corners: [Vec3; 3],
}

impl Target {
    fn new(target: &TargetShape) -> Self {
        let mut corners = [Vec3::ZERO; 3];
        let numbers = |a: DVec3, b: DVec3, rotation: [f64; 4], radius: f32| {
            let mut numbers = [0.0; 11];
            numbers[..3].copy_from_slice(&a.to_array());
            numbers[3..6].copy_from_slice(&b.to_array());
            numbers[6..10].copy_from_slice(&rotation);
            numbers[10] = f64::from(radius);
            numbers
        };
        let level = [0.0, 0.0, 0.0, 1.0];
        let (shape, numbers) = match target {
            TargetShape::Triangle(triangle) => {
                let [a, b, c] = triangle.vertices();
                corners = [DVec3::ZERO, b - a, c - a].map(|corner: DVec3| corner.as_vec3());
                let numbers = numbers(a, DVec3::ZERO, level, 1.0);
                let mesh = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default());
                let pose = Pose::from_translation(a).expect("in range");
                let mesh = Arc::new(mesh.expect("valid"));
                let body = Body::mesh(mesh, pose).expect("in range");
                return Self { body, numbers, corners };
            }
            TargetShape::Box(obb) => {
                let rotation = glam::DQuat::from_mat3(&obb.axes()).to_array();
                let numbers = numbers(obb.center(), obb.half_extents().as_dvec3(), rotation, 1.0);
                // Through the quaternion, as a caller would give it.
                let rotation = glam::DQuat::from_array(rotation);
                let obb = capsweep::Obb::new(obb.center(), obb.half_extents(), rotation);
                (Shape::Box(obb.expect("valid")), numbers)
            }
            TargetShape::Sphere(sphere) => (
                Shape::Sphere(*sphere),
                numbers(sphere.center(), DVec3::ZERO, level, sphere.radius()),
            ),
            TargetShape::Capsule(capsule) => (
                Shape::Capsule(*capsule),
                numbers(capsule.p0(), capsule.p1(), level, capsule.radius()),
            ),
            TargetShape::HalfSpace(half_space) => (
                Shape::HalfSpace(*half_space),
                numbers(half_space.point(), half_space.normal(), level, 1.0),
            ),
            TargetShape::Segment(_) | TargetShape::Point(_) => {
                unreachable!("no body of a scene")
            }
        };
        Self { body: Body::shape(shape), numbers, corners }
    }
}

/// Records of fields. The first record names the fields.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    fields: Vec<(String, &'static str)>,
    has_fields: bool,
}

impl Records {
    fn next(&mut self) -> Record<'_> {
        let names_fields = !self.has_fields;
        self.has_fields = true;
        Record { records: self, names_fields }
    }

    /// The file: version 1.0 of the format, a header padded to 64 bytes, the records.
    fn finish(self, count: usize) -> Vec<u8> {
        let fields: Vec<String> =
            self.fields.iter().map(|(name, format)| format!("('{name}', {format})")).collect();
        let mut header = format!(
            "{{'descr': [{}], 'fortran_order': False, 'shape': ({count},), }}",
            fields.join(", ")
        );
        while !(12 + header.len() + 1).is_multiple_of(64) {
            header.push(' ');
        }
        header.push('\n');
        // Version 2.0: the header may be longer than 64 KiB.
        let mut file = b"\x93NUMPY\x02\x00".to_vec();
        file.extend((header.len() as u32).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(self.bytes);
        file
    }
}

struct Record<'a> {
    records: &'a mut Records,
    names_fields: bool,
}

impl Record<'_> {
    fn put(&mut self, name: &str, format: &'static str, bytes: impl IntoIterator<Item = u8>) {
        if self.names_fields {
            self.records.fields.push((name.to_owned(), format));
        }
        self.records.bytes.extend(bytes);
    }

    fn numbers<const N: usize>(&mut self, name: &str, format: &'static str, numbers: [f64; N]) {
        self.put(name, format, numbers.into_iter().flat_map(f64::to_le_bytes));
    }

    fn number(&mut self, name: &str, number: f64) {
        self.numbers(name, "'<f8'", [number]);
    }

    fn vector(&mut self, name: &str, vector: DVec3) {
        self.numbers(name, "'<f8', (3,)", vector.to_array());
    }

    fn normal(&mut self, name: &str, normal: Vec3) {
        self.put(name, "'<f4', (3,)", normal.to_array().into_iter().flat_map(f32::to_le_bytes));
    }

    fn integer(&mut self, name: &str, number: i64) {
        self.put(name, "'<i8'", number.to_le_bytes());
    }

    fn count(&mut self, name: &str, count: usize) {
        self.put(name, "'<u8'", (count as u64).to_le_bytes());
    }

    fn query(&mut self, case: &Case, target: &Target) {
        self.vector("p0", case.capsule.p0());
        self.vector("p1", case.capsule.p1());
        self.number("radius", f64::from(case.capsule.radius()));
        self.vector("motion", case.motion.vector());
        self.integer("both_sides", i64::from(case.sides == Sides::Both));
        self.numbers("target", "'<f8', (11,)", target.numbers);
        for (index, corner) in target.corners.into_iter().enumerate() {
            self.normal(&format!("corner{index}"), corner);
        }
    }

    fn answers(&mut self, scene: &Scene, case: &Case) {
        let filter = Filter { sides: case.sides, ..Filter::default() };
        let capsule = &case.capsule;
        let sweep = scene.sweep(capsule, &case.motion, &filter);
        self.contact("sweep", sweep.map(|found| touch(&found, found.point, found.region)));
        self.number("sweep_time", sweep.map_or(f64::NAN, |hit| hit.time));
        self.number("sweep_distance", sweep.map_or(f64::NAN, |hit| hit.distance));
        self.number("sweep_depth", sweep.map_or(f64::NAN, |hit| hit.depth));
        let any = scene.sweep_any(capsule, &case.motion, &filter);
        self.integer("sweep_any", i64::from(any));
        let mut all = Vec::new();
        scene.sweep_all(capsule, &case.motion, &filter, &mut all);
        self.count("sweep_all_count", all.len());
        self.number("sweep_all_last", all.last().map_or(f64::NAN, |hit| hit.time));

        let overlap = scene.overlap(capsule, &filter);
        self.contact("overlap", overlap.map(|found| touch(&found, found.point, found.region)));
        self.number("overlap_depth", overlap.map_or(f64::NAN, |hit| hit.depth));
        self.integer("overlaps", i64::from(scene.overlaps(capsule, &filter)));
        let mut all = Vec::new();
        scene.overlap_all(capsule, &filter, &mut all);
        self.count("overlap_all_count", all.len());
        self.number("overlap_all_last", all.last().map_or(f64::NAN, |hit| hit.depth));

        let closest = scene.closest(capsule, Limit::UNBOUNDED, &filter);
        self.contact(
            "closest",
            closest.map(|found| touch(&found, found.on_geometry, found.region)),
        );
        self.number("closest_distance", closest.map_or(f64::NAN, |hit| hit.distance));
        self.vector("closest_on_capsule", closest.map_or(DVec3::NAN, |hit| hit.on_capsule));

        let ray = Ray::new(capsule.p0(), case.motion).expect("in range");
        let ray = scene.ray(&ray, &filter);
        self.contact("ray", ray.map(|found| touch(&found, found.point, Region::Sphere)));
        self.number("ray_time", ray.map_or(f64::NAN, |hit| hit.time));

        let column = Column::new(capsule.p1(), DVec3::Z, 10.0, 10.0).expect("in range");
        let mut supports = Vec::new();
        scene.supports(&column, SlopeLimit::DEGREES_50, &filter, &mut supports);
        self.count("supports_count", supports.len());
        self.number("supports_first", supports.first().map_or(f64::NAN, |found| found.height));

        let push = scene.depenetrate(capsule, &filter);
        self.vector("push", push.push);
        self.number("push_left", push.left());
    }

    fn contact(&mut self, name: &str, touch: Option<Touch>) {
        let touch = touch.unwrap_or(Touch::NONE);
        self.vector(&format!("{name}_point"), touch.point);
        self.normal(&format!("{name}_normal"), touch.normal);
        self.normal(&format!("{name}_face_normal"), touch.face_normal);
        self.numbers(&format!("{name}_barycentrics"), "'<f8', (3,)", touch.barycentrics);
        for (part, number) in ["hit", "region", "feature", "feature_index", "key", "triangle"]
            .into_iter()
            .zip(touch.codes)
        {
            self.integer(&format!("{name}_{part}"), number);
        }
    }
}

/// What hits of all kinds have in common.
struct Touch {
    point: DVec3,
    normal: Vec3,
    face_normal: Vec3,
    barycentrics: [f64; 3],
    /// Hit, region, feature and its number, key and triangle, as the Python package codes them.
    codes: [i64; 6],
}

impl Touch {
    const NONE: Self = Self {
        point: DVec3::NAN,
        normal: Vec3::NAN,
        face_normal: Vec3::NAN,
        barycentrics: [f64::NAN; 3],
        codes: [0, -1, -1, -1, 0, -1],
    };
}

/// The parts that hits of all kinds have under the same names.
trait Parts {
    fn parts(&self) -> (Vec3, Vec3, Option<[f64; 3]>, Feature);
}

macro_rules! parts {
    ($($hit:ty),*) => {$(
        impl Parts for $hit {
            fn parts(&self) -> (Vec3, Vec3, Option<[f64; 3]>, Feature) {
                (self.normal, self.face_normal, self.barycentrics, self.feature)
            }
        }
    )*};
}
parts!(capsweep::SweepHit, capsweep::Overlap, capsweep::ClosestPoints);

impl Parts for capsweep::RayHit {
    fn parts(&self) -> (Vec3, Vec3, Option<[f64; 3]>, Feature) {
        (self.normal, Vec3::NAN, self.barycentrics, self.feature)
    }
}

fn touch<T: Parts>(found: &SceneHit<T>, point: DVec3, region: Region) -> Touch {
    let (normal, face_normal, barycentrics, feature) = found.hit.parts();
    let region = match region {
        Region::Bottom => 0,
        Region::Side => 1,
        Region::Top => 2,
        Region::Sphere => 3,
    };
    let (feature, number) = match feature {
        Feature::Face => (0, -1),
        Feature::Edge(number) => (1, i64::from(number)),
        Feature::Vertex(number) => (2, i64::from(number)),
    };
    let HitTarget { key, triangle, kind, .. } = found.target;
    debug_assert!(kind != BodyKind::Obstacle, "the scene has none");
    // Keys are numbers of cases.
    let key = i64::try_from(key).unwrap_or(-1);
    let codes = [1, region, feature, number, key, triangle.map_or(-1, i64::from)];
    let barycentrics = barycentrics.unwrap_or([f64::NAN; 3]);
    Touch { point, normal, face_normal, barycentrics, codes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_record_for_each_case() {
        let [small, large] =
            [3, 7].map(|cases| table(Pair::Triangle, Family::General, cases, 1).len());
        let larger = table(Pair::Triangle, Family::General, 11, 1).len();
        assert_eq!(larger - large, large - small);
    }

    #[test]
    fn every_pair_and_family_becomes_a_scene() {
        let folder = std::env::temp_dir().join(format!("capsweep-answers-{}", std::process::id()));
        assert_eq!(write(&folder, 2, 1).unwrap(), PAIRS.len() * Family::ALL.len());
        fs::remove_dir_all(&folder).unwrap();
    }
}
