//! Lists of game object models: lifts and doors by display id.

use super::bih::Bounds;
use super::bytes::Bytes;
use super::core::{Layout, ObjectList};
use crate::continent::ModelKind;

/// A record of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectModel {
    /// Number by which game servers know it.
    pub display_id: u32,
    /// Name of the model, without `.vmo`.
    pub name: String,
    /// Building or prop.
    pub kind: ModelKind,
    /// Bounds in the model's frame.
    pub bounds: Bounds,
}

/// Bytes of the list.
pub fn object_list_file(objects: &[ObjectModel], layout: &Layout) -> Vec<u8> {
    let mut file = match layout.objects {
        ObjectList::Plain => Bytes::default(),
        ObjectList::WithKind | ObjectList::WithMagic => Bytes::starting(&layout.magic),
    };
    for object in objects {
        file.u32(object.display_id);
        if layout.objects == ObjectList::WithKind {
            file.u8(u8::from(object.kind == ModelKind::Wmo));
        }
        file.name(object.name.as_bytes());
        file.vec3(object.bounds[0]);
        file.vec3(object.bounds[1]);
    }
    file.0
}
