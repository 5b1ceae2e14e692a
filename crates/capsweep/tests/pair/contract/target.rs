//! One type for all kinds of target, and shorthands to make them.

use super::reference::{point_box, point_segment, point_triangle};
use capsweep::{
    Capsule, ClosestPoints, HalfSpace, Motion, Obb, Overlap, Point, Segment, Sides, Sphere,
    SweepHit, Triangle,
};
use glam::{DQuat, DVec3, Vec3};

/// The target of a capsule query.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    Triangle(Triangle),
    Box(Obb),
    Sphere(Sphere),
    Capsule(Capsule),
    HalfSpace(HalfSpace),
    Segment(Segment),
    Point(Point),
}

impl Target {
    pub(crate) fn sweep(
        &self,
        capsule: &Capsule,
        motion: DVec3,
        sides: Sides,
    ) -> Option<SweepHit> {
        let motion = &Motion::new(motion).expect("a valid motion");
        match self {
            Self::Triangle(t) => capsweep::sweep_capsule_triangle(capsule, motion, t, sides),
            Self::Box(t) => capsweep::sweep_capsule_box(capsule, motion, t, sides),
            Self::Sphere(t) => capsweep::sweep_capsule_sphere(capsule, motion, t, sides),
            Self::Capsule(t) => capsweep::sweep_capsule_capsule(capsule, motion, t, sides),
            Self::HalfSpace(t) => capsweep::sweep_capsule_half_space(capsule, motion, t, sides),
            Self::Segment(t) => capsweep::sweep_capsule_segment(capsule, motion, t),
            Self::Point(t) => capsweep::sweep_capsule_point(capsule, motion, t),
        }
    }

    pub(crate) fn both(&self, capsule: &Capsule, motion: DVec3) -> Option<SweepHit> {
        self.sweep(capsule, motion, Sides::Both)
    }

    pub(crate) fn front(&self, capsule: &Capsule, motion: DVec3) -> Option<SweepHit> {
        self.sweep(capsule, motion, Sides::Front)
    }

    pub(crate) fn overlap(&self, capsule: &Capsule) -> Option<Overlap> {
        match self {
            Self::Triangle(t) => capsweep::overlap_capsule_triangle(capsule, t),
            Self::Box(t) => capsweep::overlap_capsule_box(capsule, t),
            Self::Sphere(t) => capsweep::overlap_capsule_sphere(capsule, t),
            Self::Capsule(t) => capsweep::overlap_capsule_capsule(capsule, t),
            Self::HalfSpace(t) => capsweep::overlap_capsule_half_space(capsule, t),
            Self::Segment(t) => capsweep::overlap_capsule_segment(capsule, t),
            Self::Point(t) => capsweep::overlap_capsule_point(capsule, t),
        }
    }

    pub(crate) fn closest(&self, capsule: &Capsule) -> ClosestPoints {
        match self {
            Self::Triangle(t) => capsweep::closest_capsule_triangle(capsule, t),
            Self::Box(t) => capsweep::closest_capsule_box(capsule, t),
            Self::Sphere(t) => capsweep::closest_capsule_sphere(capsule, t),
            Self::Capsule(t) => capsweep::closest_capsule_capsule(capsule, t),
            Self::HalfSpace(t) => capsweep::closest_capsule_half_space(capsule, t),
            Self::Segment(t) => capsweep::closest_capsule_segment(capsule, t),
            Self::Point(t) => capsweep::closest_capsule_point(capsule, t),
        }
    }

    /// Distance of `p` to the target without its own radius; 0 inside a box or below a plane.
    pub(crate) fn core_distance(&self, p: DVec3) -> f64 {
        match self {
            Self::Triangle(t) => point_triangle(p, t.vertices()),
            Self::Box(t) => point_box(p, t),
            Self::Sphere(t) => p.distance(t.center()),
            Self::Capsule(t) => point_segment(p, t.p0(), t.p1()),
            Self::HalfSpace(t) => t.normal().dot(p - t.point()).max(0.0),
            Self::Segment(t) => point_segment(p, t.a(), t.b()),
            Self::Point(t) => p.distance(t.position()),
        }
    }

    /// The target's own radius; 0 for the flat ones.
    pub(crate) fn radius(&self) -> f64 {
        match self {
            Self::Sphere(t) => t.radius().into(),
            Self::Capsule(t) => t.radius().into(),
            _ => 0.0,
        }
    }

    /// How far `p` is from the target's surface.
    pub(crate) fn off_surface(&self, p: DVec3) -> f64 {
        match self {
            Self::Box(t) => {
                let local = t.axes().transpose() * (p - t.center());
                let inside = (t.half_extents().as_dvec3() - local.abs()).min_element().max(0.0);
                point_box(p, t).max(inside)
            }
            Self::HalfSpace(t) => t.normal().dot(p - t.point()).abs(),
            _ => (self.core_distance(p) - self.radius()).abs(),
        }
    }

    /// Directions in which the shortest push-out is likely.
    pub(crate) fn own_directions(&self) -> Vec<DVec3> {
        match self {
            Self::Triangle(t) => {
                let [a, b, c] = t.vertices();
                let n = t.area_vector().normalize_or_zero();
                let sides = [b - a, c - b, a - c].map(|e| e.cross(n).normalize_or_zero());
                vec![n, -n, sides[0], sides[1], sides[2]]
            }
            Self::Box(t) => {
                let m = t.axes();
                vec![m.x_axis, -m.x_axis, m.y_axis, -m.y_axis, m.z_axis, -m.z_axis]
            }
            Self::Capsule(t) => {
                let across = t.axis().any_orthogonal_vector().normalize_or_zero();
                vec![across, -across]
            }
            Self::Segment(t) => {
                let across = t.vector().any_orthogonal_vector().normalize_or_zero();
                vec![across, -across]
            }
            Self::HalfSpace(t) => vec![t.normal()],
            Self::Sphere(_) | Self::Point(_) => vec![],
        }
    }

    /// The target, translated.
    pub(crate) fn translated(&self, by: DVec3) -> Self {
        match self {
            Self::Triangle(t) => {
                let [a, b, c] = t.vertices();
                triangle(a + by, b + by, c + by)
            }
            Self::Box(t) => {
                let rotation = DQuat::from_mat3(&t.axes());
                solid(t.center() + by, t.half_extents(), rotation)
            }
            Self::Sphere(t) => sphere(t.center() + by, t.radius()),
            Self::Capsule(t) => Self::Capsule(t.translated(by).expect("in range")),
            Self::HalfSpace(t) => half_space(t.point() + by, t.normal()),
            Self::Segment(t) => edge(t.a() + by, t.b() + by),
            Self::Point(t) => vertex(t.position() + by),
        }
    }

    /// The target mapped by `map`, which permutes and mirrors the world's axes. Boxes must be
    /// axis-aligned.
    pub(crate) fn mapped(&self, map: impl Fn(DVec3) -> DVec3) -> Self {
        match self {
            Self::Triangle(t) => {
                let [a, b, c] = t.vertices().map(map);
                triangle(a, b, c)
            }
            Self::Box(t) => {
                let half = map(t.half_extents().as_dvec3()).abs().as_vec3();
                solid(map(t.center()), half, DQuat::IDENTITY)
            }
            Self::Sphere(t) => sphere(map(t.center()), t.radius()),
            Self::Capsule(t) => Self::Capsule(capsule(map(t.p0()), map(t.p1()), t.radius())),
            Self::HalfSpace(t) => half_space(map(t.point()), map(t.normal())),
            Self::Segment(t) => edge(map(t.a()), map(t.b())),
            Self::Point(t) => vertex(map(t.position())),
        }
    }

    /// The same target, `factor` times as large.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        let small = factor as f32;
        match self {
            Self::Triangle(t) => {
                let [a, b, c] = t.vertices();
                triangle(a * factor, b * factor, c * factor)
            }
            Self::Box(t) => {
                let rotation = DQuat::from_mat3(&t.axes());
                solid(t.center() * factor, t.half_extents() * small, rotation)
            }
            Self::Sphere(t) => sphere(t.center() * factor, t.radius() * small),
            Self::Capsule(t) => Self::Capsule(scaled(t, factor)),
            Self::HalfSpace(t) => half_space(t.point() * factor, t.normal()),
            Self::Segment(t) => edge(t.a() * factor, t.b() * factor),
            Self::Point(t) => vertex(t.position() * factor),
        }
    }
}

pub(crate) fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

pub(crate) fn capsule(p0: DVec3, p1: DVec3, radius: f32) -> Capsule {
    Capsule::new(p0, p1, radius).expect("a valid capsule")
}

pub(crate) fn scaled(capsule: &Capsule, factor: f64) -> Capsule {
    self::capsule(capsule.p0() * factor, capsule.p1() * factor, capsule.radius() * factor as f32)
}

pub(crate) fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Target {
    Target::Triangle(Triangle::new(a, b, c).expect("a valid triangle"))
}

pub(crate) fn solid(center: DVec3, half: Vec3, rotation: DQuat) -> Target {
    Target::Box(Obb::new(center, half, rotation).expect("a valid box"))
}

pub(crate) fn sphere(center: DVec3, radius: f32) -> Target {
    Target::Sphere(Sphere::new(center, radius).expect("a valid sphere"))
}

pub(crate) fn half_space(point: DVec3, normal: DVec3) -> Target {
    Target::HalfSpace(HalfSpace::new(point, normal).expect("a valid half-space"))
}

pub(crate) fn rod(p0: DVec3, p1: DVec3, radius: f32) -> Target {
    Target::Capsule(capsule(p0, p1, radius))
}

pub(crate) fn edge(a: DVec3, b: DVec3) -> Target {
    Target::Segment(Segment::new(a, b).expect("a valid segment"))
}

pub(crate) fn vertex(position: DVec3) -> Target {
    Target::Point(Point::new(position).expect("a valid point"))
}

/// A rotation about a skew axis, exactly representable as numbers but not as an angle.
pub(crate) fn skew() -> DQuat {
    DQuat::from_xyzw(1.0, -2.0, 3.0, 5.0).normalize()
}

/// One asymmetric target of each kind around the origin, axis-aligned where it has axes.
pub(crate) fn lattice_targets() -> [Target; 7] {
    [
        triangle(v(-2.0, -1.0, 0.0), v(3.0, -1.0, 0.0), v(-2.0, 2.0, 0.0)),
        solid(DVec3::ZERO, Vec3::new(1.0, 2.0, 0.5), DQuat::IDENTITY),
        sphere(DVec3::ZERO, 0.75),
        rod(v(-1.0, 0.0, 0.0), v(2.0, 0.0, 0.0), 0.25),
        half_space(DVec3::ZERO, DVec3::Z),
        edge(v(-1.0, 0.0, 0.0), v(2.0, 0.0, 0.0)),
        vertex(DVec3::ZERO),
    ]
}
