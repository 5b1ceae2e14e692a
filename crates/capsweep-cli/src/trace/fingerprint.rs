//! What tells a scene from another: its geometry, and not how its trees are built, so that a trace outlives a change of those.

use capsweep::scene::{Mobility, Scene, TriMesh};
use std::collections::BTreeMap;
use std::sync::Arc;

/// FNV-1a over 64-bit words.
struct Fnv(u64);

impl Fnv {
    const START: Self = Self(0xCBF2_9CE4_8422_2325);

    fn take(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        // Words differ mostly in their upper bits, which a product alone never brings down.
        self.0 ^= self.0 >> 32;
    }

    fn take_text(&mut self, text: &str) {
        self.take(text.len() as u64);
        text.bytes().for_each(|byte| self.take(u64::from(byte)));
    }
}

/// Sixteen hexadecimal digits that stand for every body of a scene: what it is made of, where it stands, key, mask and mobility.
pub(crate) fn fingerprint(scene: &Scene) -> String {
    let mut meshes: BTreeMap<*const TriMesh, u64> = BTreeMap::new();
    let mut all = Fnv::START;
    for (_, body) in scene.bodies() {
        all.take(body.key());
        all.take(u64::from(body.mask()));
        all.take(u64::from(body.mobility() == Mobility::Dynamic));
        if let Some((mesh, pose)) = body.instance() {
            all.take(*meshes.entry(Arc::as_ptr(mesh)).or_insert_with(|| of_mesh(mesh)));
            let (position, scale) = (pose.position().to_array(), pose.scale().to_array());
            let numbers = position.into_iter().chain(pose.rotation().to_array()).chain(scale);
            numbers.for_each(|number| all.take(number.to_bits()));
        }
        if let Some(shape) = body.solid() {
            // Numbers are printed with as many digits as tell them from every other.
            all.take_text(&format!("{:?} {shape:?}", body.kind()));
        }
    }
    format!("{:016x}", all.0)
}

fn of_mesh(mesh: &TriMesh) -> u64 {
    let mut hash = Fnv::START;
    hash.take(u64::from(mesh.triangle_count()));
    hash.take(u64::from(mesh.is_double_sided()));
    for index in 0..mesh.triangle_count() {
        let corners = mesh.triangle(index).into_iter().flatten();
        let bits = corners.flat_map(|corner| corner.to_array()).map(|x| u64::from(x.to_bits()));
        bits.for_each(|bits| hash.take(bits));
        hash.take(u64::from(mesh.mask(index).unwrap_or(0)));
        hash.take(u64::from(mesh.tag(index).unwrap_or(0)));
    }
    hash.0
}
