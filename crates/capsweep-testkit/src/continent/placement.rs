//! Placements of models and their transforms.

use super::frame::internal_to_world;
use super::model::Model;
use glam::{DMat3, DVec3, Vec3, dvec3};

/// A model in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// Unique id.
    pub id: u32,
    /// Index of the model in the continent.
    pub model: usize,
    /// Set of names of the building; 0 for props.
    pub name_set: u16,
    /// Position in the internal frame, in yards.
    pub position: Vec3,
    /// Angles in degrees, in the order of the files; not normalised.
    pub rotation: Vec3,
    /// Uniform scale.
    pub scale: f32,
    /// Index of the placement of the building that it furnishes.
    pub building: Option<usize>,
    /// What an importer makes of it.
    pub fate: Fate,
    /// Which tiles list it.
    pub listing: Listing,
}

/// What an importer makes of a placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is in the world.
    Present,
    /// Its model file does not exist.
    MissingModel,
    /// Its scale is 0, or one of its numbers is not finite.
    Unusable,
}

/// Which tiles list a placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Every tile that its bounds touch.
    Touched,
    /// Only the tile of its position, although its bounds touch others.
    OwnTile,
}

impl Placement {
    /// The transform from the model's frame.
    pub fn transform(&self) -> Transform {
        // R = Rz(rot.y) · Ry(rot.x) · Rx(rot.z), for column vectors.
        let [y, z, x] = self.rotation.to_array().map(|degrees| {
            let (sin, cos) = (f64::from(degrees) % 360.0).to_radians().sin_cos();
            [sin, cos]
        });
        let about_z = DMat3::from_cols(dvec3(z[1], z[0], 0.0), dvec3(-z[0], z[1], 0.0), DVec3::Z);
        let about_y = DMat3::from_cols(dvec3(y[1], 0.0, -y[0]), DVec3::Y, dvec3(y[0], 0.0, y[1]));
        let about_x = DMat3::from_cols(DVec3::X, dvec3(0.0, x[1], x[0]), dvec3(0.0, -x[0], x[1]));
        Transform {
            rotation: about_z * about_y * about_x,
            scale: f64::from(self.scale),
            position: self.position.as_dvec3(),
        }
    }

    /// The model's triangles in the world frame, in the order of the model.
    pub fn triangles<'a>(&self, model: &'a Model) -> impl Iterator<Item = [DVec3; 3]> + use<'a> {
        let transform = self.transform();
        model
            .corners()
            .map(move |corners| corners.map(|vertex| transform.to_world(vertex.as_dvec3())))
    }

    /// Corners of the bounds in the internal frame, rounded outward to f32.
    ///
    /// A placement that cannot be used, or has no vertices, gets a box of a yard.
    pub fn bounds(&self, model: &Model) -> [Vec3; 2] {
        let transform = self.transform();
        let mut bounds: Option<[DVec3; 2]> = None;
        for vertex in model.vertices() {
            let at = transform.to_internal(vertex.as_dvec3());
            let [low, high] = bounds.unwrap_or([at; 2]);
            bounds = Some([low.min(at), high.max(at)]);
        }
        match bounds {
            Some([low, high]) if self.fate != Fate::Unusable => {
                [low.as_vec3().map(f32::next_down), high.as_vec3().map(f32::next_up)]
            }
            _ => {
                let at = self.position.map(|x| if x.is_finite() { x } else { 0.0 });
                [at - 0.5, at + 0.5]
            }
        }
    }
}

/// A rotation, a uniform scale and a translation into the internal frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    rotation: DMat3,
    scale: f64,
    position: DVec3,
}

impl Transform {
    /// A point of the model in the internal frame: R · (scale · v) + position.
    pub fn to_internal(&self, vertex: DVec3) -> DVec3 {
        self.rotation * (self.scale * vertex) + self.position
    }

    /// A point of the model in the world frame.
    pub fn to_world(&self, vertex: DVec3) -> DVec3 {
        internal_to_world(self.to_internal(vertex))
    }

    /// A point of the world in the model's frame: Rᵀ · (p − position) / scale.
    pub fn to_model(&self, world: DVec3) -> DVec3 {
        let internal = internal_to_world(world);
        self.rotation.transpose() * (internal - self.position) / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3;

    fn placed(rotation: Vec3) -> Placement {
        Placement {
            id: 1,
            model: 0,
            name_set: 0,
            position: vec3(100.0, 200.0, 300.0),
            rotation,
            scale: 2.0,
            building: None,
            fate: Fate::Present,
            listing: Listing::Touched,
        }
    }

    /// Quarter turns by hand: rot.z about x first, then rot.x about y, then rot.y about z.
    #[test]
    fn angles_turn_about_x_then_y_then_z() {
        let vertex = dvec3(1.0, 2.0, 3.0);
        for (rotation, turned) in [
            (vec3(0.0, 0.0, 90.0), dvec3(1.0, -3.0, 2.0)),
            (vec3(90.0, 0.0, 0.0), dvec3(3.0, 2.0, -1.0)),
            (vec3(0.0, 90.0, 0.0), dvec3(-2.0, 1.0, 3.0)),
            (vec3(90.0, 0.0, 90.0), dvec3(2.0, -3.0, -1.0)),
            (vec3(90.0, 90.0, 90.0), dvec3(3.0, 2.0, -1.0)),
            (vec3(0.0, -3_600.0 + 450.0, 0.0), dvec3(-2.0, 1.0, 3.0)),
        ] {
            let transform = placed(rotation).transform();
            let internal = dvec3(100.0, 200.0, 300.0) + 2.0 * turned;
            assert!(transform.to_internal(vertex).distance(internal) < 1e-12, "{rotation}");
            let world = transform.to_world(vertex);
            assert_eq!(world.z, transform.to_internal(vertex).z);
            assert!((world.x - (17_066.666_015_625 - internal.x)).abs() < 1e-11, "{rotation}");
            assert!(transform.to_model(world).distance(vertex) < 1e-11, "{rotation}");
        }
    }
}
