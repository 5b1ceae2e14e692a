//! A hash of a scene's geometry. It ignores the trees, so a trace stays valid if their build
//! changes.

use capsweep::scene::{Mobility, Scene, TriMesh};
use capsweep_formats::Level;
use std::collections::BTreeMap;
use std::sync::Arc;

/// FNV-1a over 64-bit words.
struct Fnv(u64);

impl Fnv {
    const OFFSET_BASIS: Self = Self(0xCBF2_9CE4_8422_2325);

    fn write(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        // The bits of floats differ mostly at the top, and a product only carries upwards: fold
        // the top half into the bottom half.
        self.0 ^= self.0 >> 32;
    }

    fn write_text(&mut self, text: &str) {
        self.write(text.len() as u64);
        text.bytes().for_each(|byte| self.write(u64::from(byte)));
    }
}

/// Hashes every body of a level (geometry, pose, key, mask, mobility) to 16 hexadecimal digits.
///
/// A map is too large for that. Its own checksum covers all its parts.
pub(crate) fn fingerprint(level: &Level) -> String {
    match &level.map {
        Some(map) => format!("{:016x}", map.file().checksum()),
        None => of_bodies(&level.scene),
    }
}

fn of_bodies(scene: &Scene) -> String {
    let mut meshes: BTreeMap<*const TriMesh, u64> = BTreeMap::new();
    let mut all = Fnv::OFFSET_BASIS;
    for (_, body) in scene.bodies() {
        all.write(body.key());
        all.write(u64::from(body.mask()));
        all.write(u64::from(body.mobility() == Mobility::Dynamic));
        if let Some((mesh, pose)) = body.instance() {
            all.write(*meshes.entry(Arc::as_ptr(mesh)).or_insert_with(|| hash_mesh(mesh)));
            let (position, scale) = (pose.position().to_array(), pose.scale().to_array());
            let numbers = position.into_iter().chain(pose.rotation().to_array()).chain(scale);
            numbers.for_each(|number| all.write(number.to_bits()));
        }
        if let Some(shape) = body.solid() {
            // Debug output of a float has enough digits to identify it.
            all.write_text(&format!("{:?} {shape:?}", body.kind()));
        }
    }
    format!("{:016x}", all.0)
}

fn hash_mesh(mesh: &TriMesh) -> u64 {
    let mut hash = Fnv::OFFSET_BASIS;
    hash.write(u64::from(mesh.triangle_count()));
    hash.write(u64::from(mesh.is_double_sided()));
    // Meshes without such triangles keep the hash that they always had.
    let differ = !mesh.is_double_sided() && mesh.double_sided_triangle_count() > 0;
    for index in 0..mesh.triangle_count() {
        let corners = mesh.triangle(index).into_iter().flatten();
        let bits = corners.flat_map(|corner| corner.to_array()).map(|x| u64::from(x.to_bits()));
        bits.for_each(|bits| hash.write(bits));
        hash.write(u64::from(mesh.mask(index).unwrap_or(0)));
        hash.write(u64::from(mesh.tag(index).unwrap_or(0)));
        if differ {
            hash.write(u64::from(mesh.is_triangle_double_sided(index).unwrap_or(false)));
        }
    }
    hash.0
}
