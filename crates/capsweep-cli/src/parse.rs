//! Parses the command line into queries and shapes. Errors name the flag and its value.

use crate::args::{
    CapsuleArgs, ClosestArgs, FilterArgs, LiquidArgs, MotionArgs, OverlapArgs, RawTarget, RayArgs,
    SupportsArgs, SweepArgs, TargetArgs, TargetFlag,
};
use crate::flag::{
    AXIS, BOX, CAPSULE, CENTRE, DIRECTION, FEET, Flag, HALF_SPACE, MOTION, ORIGIN, OTHER_CAPSULE,
    POINT, SPHERE, START, TRIANGLE,
};
use crate::query::{ClosestQuery, LiquidQuery, OverlapQuery, RayQuery, SupportsQuery, SweepQuery};
use crate::target::Target;
use anyhow::{Context, Result, bail};
use capsweep::query::Column;
use capsweep::scene::Filter;
use capsweep::{Capsule, HalfSpace, Motion, Obb, Point, ShapeError, Sphere, Triangle};
use glam::{DQuat, DVec3};

pub(crate) fn sweep(args: &SweepArgs) -> Result<SweepQuery> {
    let (capsule, motion) = (capsule(&args.capsule)?, motion(&args.motion)?);
    Ok(SweepQuery { capsule, motion, filter: filter(&args.filter) })
}

pub(crate) fn overlap(args: &OverlapArgs) -> Result<OverlapQuery> {
    Ok(OverlapQuery { capsule: capsule(&args.capsule)?, filter: filter(&args.filter) })
}

pub(crate) fn closest(args: &ClosestArgs) -> Result<ClosestQuery> {
    ClosestQuery::new(capsule(&args.capsule)?, args.limit, filter(&args.filter))
        .with_context(|| format!("--limit {}", args.limit.unwrap_or(f64::INFINITY)))
}

pub(crate) fn ray(args: &RayArgs) -> Result<RayQuery> {
    let Some(text) = &args.origin else { bail!("no start: give --origin") };
    let origin = vector(&ORIGIN, text)?;
    RayQuery::new(origin, motion(&args.motion)?, filter(&args.filter))
        .with_context(|| format!("--origin {text}"))
}

pub(crate) fn supports(args: &SupportsArgs) -> Result<SupportsQuery> {
    let SupportsArgs { above, below, slope_limit, .. } = args;
    let Some(text) = &args.point else { bail!("no point: give --point") };
    let column = Column::new(vector(&POINT, text)?, DVec3::Z, *above, *below)
        .with_context(|| format!("--point {text} --above {above} --below {below}"))?;
    SupportsQuery::new(column, *slope_limit, filter(&args.filter))
        .with_context(|| format!("--slope-limit {slope_limit}"))
}

pub(crate) fn liquid(args: &LiquidArgs) -> Result<LiquidQuery> {
    let Some(text) = &args.point else { bail!("no point: give --point") };
    LiquidQuery::new(vector(&POINT, text)?, args.all).with_context(|| format!("--point {text}"))
}

/// The position of `--start`.
pub(crate) fn start(text: &str) -> Result<DVec3> {
    point(&START, text)
}

/// The position of `--centre`.
pub(crate) fn centre(text: &str) -> Result<DVec3> {
    point(&CENTRE, text)
}

fn point(flag: &Flag, text: &str) -> Result<DVec3> {
    name_flag(Point::new(vector(flag, text)?), flag, text).map(|point| point.position())
}

fn filter(args: &FilterArgs) -> Filter {
    args.sides.filter(args.mask)
}

fn capsule(args: &CapsuleArgs) -> Result<Capsule> {
    match args {
        CapsuleArgs { capsule: Some(text), .. } => capsule_between(&CAPSULE, text),
        CapsuleArgs {
            feet: Some(feet), radius: Some(radius), height: Some(height), axis, ..
        } => {
            let (at, along) = (vector(&FEET, feet)?, vector(&AXIS, axis)?);
            Capsule::from_feet(at, along, *radius, *height).with_context(|| {
                format!("--feet {feet} --radius {radius} --height {height} --axis {axis}")
            })
        }
        _ => bail!("no capsule: give --capsule, or --feet with --radius and --height"),
    }
}

fn motion(args: &MotionArgs) -> Result<Motion> {
    match args {
        MotionArgs { motion: Some(text), .. } => {
            name_flag(Motion::new(vector(&MOTION, text)?), &MOTION, text)
        }
        MotionArgs { direction: Some(text), distance: Some(distance), .. } => {
            Motion::along(vector(&DIRECTION, text)?, *distance)
                .with_context(|| format!("--direction {text} --distance {distance}"))
        }
        _ => bail!("no motion: give --motion, or --direction with --distance"),
    }
}

pub(crate) fn targets(args: &TargetArgs) -> Result<Vec<Target>> {
    args.in_order.iter().map(target).collect()
}

fn target(RawTarget { flag, text }: &RawTarget) -> Result<Target> {
    Ok(match flag {
        TargetFlag::Triangle => Target::Triangle(triangle(text)?),
        TargetFlag::Box => Target::Box(obb(text)?),
        TargetFlag::Sphere => Target::Sphere(sphere(text)?),
        TargetFlag::OtherCapsule => Target::Capsule(capsule_between(&OTHER_CAPSULE, text)?),
        TargetFlag::HalfSpace => Target::HalfSpace(half_space(text)?),
    })
}

fn triangle(text: &str) -> Result<Triangle> {
    let [x0, y0, z0, x1, y1, z1, x2, y2, z2] = TRIANGLE.numbers(text)?;
    let [a, b, c] = [[x0, y0, z0], [x1, y1, z1], [x2, y2, z2]].map(DVec3::from_array);
    name_flag(Triangle::new(a, b, c), &TRIANGLE, text)
}

fn obb(text: &str) -> Result<Obb> {
    let (center, half_extents, rotation) = match *BOX.list(text)? {
        [x, y, z, hx, hy, hz] => ([x, y, z], [hx, hy, hz], DQuat::IDENTITY),
        [x, y, z, hx, hy, hz, qx, qy, qz, qw] => {
            ([x, y, z], [hx, hy, hz], DQuat::from_xyzw(qx, qy, qz, qw))
        }
        ref other => return Err(BOX.wrong_count("6 or 10", text, other.len())),
    };
    let [center, half_extents] = [center, half_extents].map(DVec3::from_array);
    name_flag(Obb::new(center, half_extents.as_vec3(), rotation), &BOX, text)
}

fn sphere(text: &str) -> Result<Sphere> {
    let [x, y, z, radius] = SPHERE.numbers(text)?;
    name_flag(Sphere::new(DVec3::new(x, y, z), radius as f32), &SPHERE, text)
}

fn capsule_between(flag: &Flag, text: &str) -> Result<Capsule> {
    let [x0, y0, z0, x1, y1, z1, radius] = flag.numbers(text)?;
    let (p0, p1) = (DVec3::new(x0, y0, z0), DVec3::new(x1, y1, z1));
    name_flag(Capsule::new(p0, p1, radius as f32), flag, text)
}

fn half_space(text: &str) -> Result<HalfSpace> {
    let [x, y, z, nx, ny, nz] = HALF_SPACE.numbers(text)?;
    let (point, normal) = (DVec3::new(x, y, z), DVec3::new(nx, ny, nz));
    name_flag(HalfSpace::new(point, normal), &HALF_SPACE, text)
}

fn vector(flag: &Flag, text: &str) -> Result<DVec3> {
    flag.numbers(text).map(DVec3::from_array)
}

/// Puts the flag and its value before the library's message.
fn name_flag<T>(made: Result<T, ShapeError>, flag: &Flag, text: &str) -> Result<T> {
    made.with_context(|| format!("--{} {text}", flag.name))
}
