/// The axis that points up in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UpAxis {
    /// Y, with Z towards the viewer: the convention of OBJ and glTF.
    Y,
    /// Z, as in capsweep: positions are not rotated.
    Z,
}

/// Options of loading a file.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoadOptions {
    /// Up axis of the file; `None` for its format's convention.
    pub up: Option<UpAxis>,
    /// Metres in one unit of the file (0.01 for centimetres); `None` for its format's convention.
    pub unit: Option<f64>,
    /// Upper bounds on the file's size and content.
    pub limits: Limits,
}

/// Upper bounds on the size and content of a file. They bound memory even if a file declares more.
///
/// A world at the default limits takes a few gigabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes of the file and of all files that it refers to.
    pub bytes: u64,
    /// Triangles of all meshes; each mesh counts once, however often it is placed.
    pub triangles: u64,
    /// Placed meshes; in an OBJ file, changes of group or material.
    pub placements: u64,
    /// Items of a glTF file's JSON: objects, lists and their elements.
    pub json_items: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1 << 31, triangles: 1 << 25, placements: 1 << 20, json_items: 1 << 22 }
    }
}
