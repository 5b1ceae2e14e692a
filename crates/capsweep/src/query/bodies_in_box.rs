//! The bodies in a box.

use crate::Aabb;
use crate::kernel::box_overlap::CenteredBox;
use crate::math::Vec3Soa;
use crate::scene::body::{BodyId, Shape};
use crate::scene::filter::Filter;
use crate::scene::store::{Content, Scene};
use crate::tolerance::CONTACT_TOLERANCE;
use crate::traverse::box_query::{BoxVisitor, visit_box};

impl Scene {
    /// The bodies that `filter` sees and whose geometry has a point in `bounds`, its surface
    /// included: static and dynamic meshes, shapes and obstacles. Each is listed once: by kind,
    /// then key, then id, as ties are decided. `out` is cleared first.
    ///
    /// - **Geometry, not bounds.** Shapes are solid and tested exactly, half-spaces too. A mesh is
    ///   in the box if one of its triangles is that the filter's mask sees. It is a surface: a box
    ///   wholly inside a closed mesh holds none of it.
    /// - **Complete.** No body with a point in `bounds` is left out, and none further away than
    ///   [`CONTACT_TOLERANCE`] along each axis is listed.
    /// - The filter's sides and start overlaps have no effect.
    ///
    /// ```
    /// use capsweep::scene::{Bodies, Body, Filter, Mobility, Scene, Shape};
    /// use capsweep::{Aabb, Sphere};
    /// use glam::{DVec3, dvec3};
    ///
    /// let mut scene = Scene::new();
    /// let ball = |x: f64| Sphere::new(dvec3(x, x, 0.0), 1.0).map(Shape::Sphere);
    /// let near = scene.insert(Body::shape(ball(1.6)?));
    /// let door = Body::obstacle(ball(0.0)?).with_mobility(Mobility::Dynamic);
    /// let door = scene.insert(door);
    /// // Its bounds reach into the box, but not the ball itself.
    /// scene.insert(Body::shape(ball(1.9)?));
    ///
    /// let room = Aabb::new(DVec3::splat(-1.0), DVec3::splat(1.0))?;
    /// let mut found = Vec::new();
    /// scene.bodies_seen_in(&room, &Filter::default(), &mut found);
    /// assert_eq!(found, [near, door]);
    /// let moving = Filter { bodies: Bodies::Dynamic, ..Filter::default() };
    /// scene.bodies_seen_in(&room, &moving, &mut found);
    /// assert_eq!(found, [door]);
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    pub fn bodies_seen_in(&self, bounds: &Aabb, filter: &Filter, out: &mut Vec<BodyId>) {
        out.clear();
        let content = self.content();
        // The margin is far above the rounding of the tests, so that they miss no touch.
        let within = CenteredBox::new(bounds, CONTACT_TOLERANCE);
        let mut collector = BodyCollector { content, within, found: out };
        visit_box(content, &bounds.grown(CONTACT_TOLERANCE), *filter, &mut collector);
        out.sort_unstable_by_key(|&id| {
            let body = content.body_by_index(id.index).map(|(_, body)| body);
            (body.map(|body| (body.kind(), body.key)), id)
        });
    }
}

/// Collects the bodies in a box.
struct BodyCollector<'a> {
    content: &'a Content,
    within: CenteredBox,
    found: &'a mut Vec<BodyId>,
}

impl BodyCollector<'_> {
    fn add(&mut self, index: u32) {
        self.found.extend(self.content.body_by_index(index).map(|(id, _)| id));
    }
}

impl BoxVisitor for BodyCollector<'_> {
    /// The traversal visits the triangles of one body consecutively.
    fn triangle(&mut self, body: u32, _slot: u32, corners: &Vec3Soa<[f64; 4]>) {
        if self.found.last().is_none_or(|last| last.index != body)
            && self.within.overlaps_triangle([0, 1, 2].map(|i| corners.lane(i)))
        {
            self.add(body);
        }
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        let is_within = match shape {
            Shape::Box(obb) => self.within.overlaps_box(obb),
            Shape::Sphere(sphere) => self.within.overlaps_sphere(sphere),
            Shape::Capsule(capsule) => self.within.overlaps_capsule(capsule),
            Shape::HalfSpace(half_space) => self.within.overlaps_half_space(half_space),
        };
        if is_within {
            self.add(body);
        }
    }
}
