//! The route of a walk through the home block.

use super::bridge::PROFILE;
use super::frame::{CELL_EDGE, TileId, internal_to_world, world_to_internal};
use super::plan::{Patch, Plan};
use super::tile::ground_of;
use super::{cave, house};
use glam::{DVec2, DVec3, dvec2, dvec3};

/// What a waypoint stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The terrain.
    Terrain,
    /// The floor of the house.
    House,
    /// The ramps and the hall of the cave.
    Cave,
    /// The bridge.
    Bridge,
}

/// A point of the route.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waypoint {
    /// Position of the feet in the world frame, on the ground.
    pub feet: DVec3,
    /// What they stand on.
    pub place: Place,
}

/// A route on foot: through the house, down through a hole into the cave and out of another hole,
/// over the bridge, and back to the house.
///
/// Waypoints are at most [`Route::SPACING`] apart. Between them the ground may be a little above
/// or below the straight line.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// The points in order.
    pub waypoints: Vec<Waypoint>,
}

impl Route {
    /// Largest horizontal distance between neighbouring waypoints, in yards.
    pub const SPACING: f64 = 2.0;

    /// Length in yards.
    pub fn length(&self) -> f64 {
        self.waypoints.windows(2).map(|pair| pair[0].feet.distance(pair[1].feet)).sum()
    }

    /// Distance of a point of the internal frame from the route, in the plane.
    pub(super) fn distance_from(&self, internal: DVec2) -> f64 {
        let world = internal_to_world(internal.extend(0.0)).truncate();
        let nearest = self.waypoints.iter().map(|w| w.feet.truncate().distance_squared(world));
        // The nearest point of the line is at most half a spacing beside the nearest waypoint.
        (nearest.fold(f64::INFINITY, f64::min).sqrt() - 0.5 * Self::SPACING).max(0.0)
    }

    /// The route of a plan.
    pub(super) fn new(plan: &Plan) -> Self {
        let [in_house, in_cave, on_bridge] =
            plan.on_route().map(|placement| placement.transform());
        let mut trail = Trail::new(plan);
        trail.open(&[dvec2(100.0, 110.0)]);
        let floor = f64::from(house::FLOOR);
        let door = f64::from(house::HALF.x);
        let rooms = [dvec3(-door, 0.0, floor), dvec3(door, 0.0, floor)];
        trail.inside(Place::House, rooms.map(|p| in_house.to_internal(p)), 20.0 - door);
        trail.open(&[dvec2(170.0, 330.0), dvec2(140.0, 560.0)]);
        let [ramp, end] = [cave::RAMP, cave::LENGTH].map(f64::from);
        let [lip, deep] = [cave::LIP, cave::FLOOR].map(f64::from);
        let tunnel = [(0.0, lip), (ramp, deep), (end - ramp, deep), (end, lip)];
        let tunnel = tunnel.map(|(x, z)| in_cave.to_internal(dvec3(x, 0.0, z)));
        trail.inside(Place::Cave, tunnel, 12.0);
        trail.open(&[
            dvec2(240.0, 800.0),
            dvec2(330.0, 760.0),
            dvec2(520.0, 740.0),
            dvec2(640.0, 760.0),
            dvec2(720.0, 700.0),
            dvec2(800.0, 560.0),
        ]);
        let mut deck = PROFILE.map(|[x, z]| dvec3(f64::from(x), 0.0, f64::from(z)));
        deck.reverse();
        // The ramps begin where they leave the ground.
        for (end, next) in [(0, 1), (6, 5)] {
            let slope = deck[next] - deck[end];
            deck[end] -= slope * (deck[end].z / slope.z);
        }
        trail.inside(Place::Bridge, deck.map(|p| on_bridge.to_internal(p)), 12.0);
        trail.open(&[
            dvec2(790.0, 100.0),
            dvec2(650.0, 90.0),
            dvec2(500.0, 120.0),
            dvec2(330.0, 100.0),
            dvec2(180.0, 100.0),
        ]);
        Self { waypoints: trail.waypoints }
    }
}

/// A route under construction.
struct Trail {
    /// Corner of the home block in the internal frame.
    corner: DVec2,
    home: TileId,
    /// Heights of the four tiles of the home block.
    patches: [[Patch; 2]; 2],
    waypoints: Vec<Waypoint>,
}

impl Trail {
    fn new(plan: &Plan) -> Self {
        let patch = |row, column| {
            plan.patch(TileId { row: plan.home.row + row, column: plan.home.column + column })
        };
        let [i, j] = plan.home.first_cell().map(f64::from);
        Self {
            corner: dvec2(i, j) * CELL_EDGE,
            home: plan.home,
            patches: [[patch(0, 0), patch(0, 1)], [patch(1, 0), patch(1, 1)]],
            waypoints: Vec::new(),
        }
    }

    /// The waypoint on the terrain over a point of the internal frame.
    fn on_terrain(&self, internal: DVec2) -> Waypoint {
        let tile = TileId::containing(internal_to_world(internal.extend(0.0)));
        let [row, column] = [tile.row - self.home.row, tile.column - self.home.column];
        let patch = &self.patches[row as usize][column as usize];
        let feet = internal_to_world(internal.extend(ground_of(patch, internal)));
        Waypoint { feet, place: Place::Terrain }
    }

    /// Walks over open terrain to points that are given in yards from the home block's corner.
    fn open(&mut self, points: &[DVec2]) {
        for point in points {
            self.walk_to(self.corner + *point);
        }
    }

    /// Walks over terrain to a point of the internal frame.
    fn walk_to(&mut self, target: DVec2) {
        if let Some(last) = self.waypoints.last() {
            let from = world_to_internal(last.feet).truncate();
            for part in between(from.distance(target)) {
                self.waypoints.push(self.on_terrain(from.lerp(target, part)));
            }
        }
        self.waypoints.push(self.on_terrain(target));
    }

    /// Walks over a model along points of the internal frame.
    ///
    /// The way to the first point and from the last is straight for `run` yards of terrain.
    fn inside<const N: usize>(&mut self, place: Place, points: [DVec3; N], run: f64) {
        let before = points[0] + (points[0] - points[1]).with_z(0.0).normalize() * run;
        let after = points[N - 1] + (points[N - 1] - points[N - 2]).with_z(0.0).normalize() * run;
        self.walk_to(before.truncate());
        // A centimetre outside, still on the terrain.
        let rim = |inner: DVec3, outer: DVec3| inner + (outer - inner).normalize() * 0.01;
        self.walk_to(rim(points[0], before.with_z(points[0].z)).truncate());
        for (k, point) in points.iter().enumerate() {
            if k > 0 {
                let from = points[k - 1];
                let length = from.truncate().distance(point.truncate());
                for part in between(length) {
                    let feet = internal_to_world(from.lerp(*point, part));
                    self.waypoints.push(Waypoint { feet, place });
                }
            }
            // The ends of a model are rounded: stay a centimetre inside.
            let inward = match k {
                0 => (points[1] - *point).normalize() * 0.01,
                _ if k + 1 == N => (points[N - 2] - *point).normalize() * 0.01,
                _ => DVec3::ZERO,
            };
            let feet = internal_to_world(*point + inward);
            self.waypoints.push(Waypoint { feet, place });
        }
        self.walk_to(rim(points[N - 1], after.with_z(points[N - 1].z)).truncate());
        self.walk_to(after.truncate());
    }
}

/// Fractions of a leg of this length at which waypoints lie, without its ends.
fn between(length: f64) -> impl Iterator<Item = f64> {
    let parts = (length / Route::SPACING).ceil().max(1.0) as u32;
    (1..parts).map(move |k| f64::from(k) / f64::from(parts))
}
