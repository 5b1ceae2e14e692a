//! Routes through generated levels: their starts and their legs.

use super::report::reports;
use super::route::find_route;
use super::start::starts;
use crate::area::Area;
use crate::load::bounds;
use crate::test_walks::{DT, human, level_of, walk};
use capsweep_testkit::level::{Mesh, city_block, dungeon, stairs, terrain};
use glam::{Vec3, vec3};

/// Adds a box whose front sides are outside.
fn cuboid((vertices, triangles): &mut Mesh, low: Vec3, high: Vec3) {
    let first = vertices.len() as u32;
    let pick = |bit: u32, low: f32, high: f32| if bit == 0 { low } else { high };
    vertices.extend((0..8u32).map(|i| {
        vec3(pick(i & 1, low.x, high.x), pick(i & 2, low.y, high.y), pick(i & 4, low.z, high.z))
    }));
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    for [a, b, c, d] in faces.map(|face| face.map(|corner: u32| first + corner)) {
        triangles.extend([[a, b, c], [a, c, d]]);
    }
}

/// A plateau 12 m square without a railing, divided by walls.
fn plateau() -> Mesh {
    let mut mesh = Mesh::default();
    cuboid(&mut mesh, vec3(-6.0, -6.0, -1.0), vec3(6.0, 6.0, 0.0));
    cuboid(&mut mesh, vec3(-6.0, -0.2, 0.0), vec3(2.0, 0.2, 3.0));
    cuboid(&mut mesh, vec3(4.0, -0.2, 0.0), vec3(6.0, 0.2, 3.0));
    cuboid(&mut mesh, vec3(-2.0, 2.5, 0.0), vec3(-1.6, 6.0, 3.0));
    mesh
}

#[test]
fn starts_keep_off_rims_and_walls_where_there_is_open_ground() {
    let scene = level_of(&plateau(), "plateau").scene;
    let controller = *human().controller();
    let found = starts(&scene, &bounds(&scene).unwrap(), &controller).unwrap();
    assert!(found.len() > 20, "{}", found.len());
    let radius = f64::from(controller.config().radius);
    for start in found {
        let feet = controller.feet(&start);
        assert!(feet.z < 0.5, "not on a wall: {feet}");
        let rim = 6.0 - feet.truncate().abs().max_element();
        assert!(rim > 4.5 * radius, "{feet} is {rim} m from the rim");
        let gap = |low: [f64; 2], high: [f64; 2]| {
            let nearest = feet.truncate().clamp(low.into(), high.into());
            nearest.distance(feet.truncate())
        };
        let walls = [
            gap([-6.0, -0.2], [2.0, 0.2]),
            gap([4.0, -0.2], [6.0, 0.2]),
            gap([-2.0, 2.5], [-1.6, 6.0]),
        ];
        assert!(walls.iter().all(|gap| *gap > 4.5 * radius), "{feet}: {walls:?}");
    }
}

#[test]
fn a_level_without_open_ground_has_starts_too() {
    // A beam half a metre wide.
    let mut mesh = Mesh::default();
    cuboid(&mut mesh, vec3(-8.0, -0.25, -1.0), vec3(8.0, 0.25, 0.0));
    let scene = level_of(&mesh, "beam").scene;
    let controller = *human().controller();
    let found = starts(&scene, &bounds(&scene).unwrap(), &controller).unwrap();
    assert!(!found.is_empty());
    // Stairs two metres wide that the character can climb: the starts are in their middle.
    let mut mesh = Mesh::default();
    for step in 0..6u8 {
        let near = -1.5 + 0.5 * f32::from(step);
        let top = 0.35 * f32::from(step + 1);
        cuboid(&mut mesh, vec3(near, -1.0, -1.0), vec3(near + 0.5, 1.0, top));
    }
    let scene = level_of(&mesh, "stairs").scene;
    let found = starts(&scene, &bounds(&scene).unwrap(), &controller).unwrap();
    let off = |start: &_| controller.feet(start).truncate().abs();
    assert!(found.iter().all(|start| off(start).y < 0.5 && off(start).x < 1.0));
}

#[test]
fn routes_start_on_the_ground_and_spend_no_leg_against_a_wall() {
    let mut around = plateau();
    // A floor far below the plateau, from which the plateau is out of reach.
    cuboid(&mut around, vec3(-20.0, -20.0, -9.0), vec3(20.0, 20.0, -8.0));
    let mut small = Mesh::default();
    for step in 0..5u8 {
        let near = -1.5 + 0.6 * f32::from(step);
        let top = 0.35 * f32::from(step + 1);
        cuboid(&mut small, vec3(near, -1.0, -1.0), vec3(near + 0.6, 1.0, top));
    }
    let levels: [(&str, Mesh); 7] = [
        ("three metres of stairs", small),
        ("plateau", plateau()),
        ("plateau over a floor", around),
        ("dungeon", dungeon()),
        ("stairs", stairs()),
        ("terrain", terrain(60)),
        ("city", city_block()),
    ];
    for (name, mesh) in levels {
        let level = level_of(&mesh, name);
        let locomotion = human();
        let area = Area::new(&level, None).unwrap();
        let found = find_route(&level.scene, (&area, None), &locomotion, DT).unwrap();
        assert!(found.start.is_grounded(), "{name}: the start is on the ground");
        let ticks = walk(&level, found.start, &found.legs);
        let reports = reports(&found.legs, &ticks, locomotion.controller(), &level);
        assert!(reports.len() >= 3, "{name}: {} legs", reports.len());
        for report in &reports {
            let flags = &report.flags;
            assert!(report.ground.is_some(), "{name}, leg {} ends in the air", report.leg);
            let place = format!("{name}, leg {}", report.leg);
            assert!(flags.blocked < 0.4, "{place}: blocked for {} s", flags.blocked);
            let touching = flags.sides / report.seconds;
            assert!(touching < 0.35, "{place}: {touching} of it along walls");
            assert!(report.achieved > 0.8 * report.asked, "{place}: {} m", report.achieved);
        }
    }
}
