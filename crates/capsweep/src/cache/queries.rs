//! The queries of a scene, by way of a cache.

use super::{Hint, TriangleCache};
use crate::scene::{Filter, Hit, Scene, Struck};
use crate::{Capsule, Motion, Overlap, SweepHit};

impl TriangleCache {
    /// The bits of [`Scene::sweep`].
    #[allow(clippy::too_many_arguments, reason = "those of the scene's own query, and whose it is")]
    pub fn sweep(
        &mut self,
        scene: &Scene,
        hint: Hint,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
    ) -> Option<Hit<SweepHit>> {
        let looks_closer = self.met[hint as usize];
        let shortcut = self.shortcut(scene, (capsule, motion), Some(hint));
        // Most often there is nothing in the way of a walk.
        if !looks_closer && shortcut.as_ref().is_some_and(|by| by.is_clear(scene, filter)) {
            return None;
        }
        let hit = scene.sweep_by(shortcut.as_ref(), capsule, motion, filter);
        self.met[hint as usize] = hit.is_some();
        self.remember(scene, hint, hit.as_ref());
        hit
    }

    /// The bits of [`Scene::sweep_where`].
    #[allow(clippy::too_many_arguments, reason = "those of the scene's own query, and whose it is")]
    pub fn sweep_where(
        &mut self,
        scene: &Scene,
        hint: Hint,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        accept: impl Fn(&Struck) -> bool,
    ) -> Option<Hit<SweepHit>> {
        let shortcut = self.shortcut(scene, (capsule, motion), Some(hint));
        let hit = scene.sweep_where_by(shortcut.as_ref(), (capsule, motion), filter, &accept);
        self.remember(scene, hint, hit.as_ref());
        hit
    }

    /// The bits of [`Scene::overlap_all`].
    pub fn overlap_all(
        &mut self,
        scene: &Scene,
        capsule: &Capsule,
        filter: &Filter,
        out: &mut Vec<Hit<Overlap>>,
    ) {
        let shortcut = self.shortcut(scene, (capsule, &Motion::ZERO), None);
        scene.overlap_all_by(shortcut.as_ref(), capsule, filter, out);
    }

    /// A hit on something that moves, or on nothing, leaves the hint as it was: the static triangle is still the best guess.
    fn remember(&mut self, scene: &Scene, hint: Hint, hit: Option<&Hit<SweepHit>>) {
        if let Some(hit) = hit
            && self.is_on
            && self.revision == Some(scene.revision())
            && let Some(place) =
                self.gathered.place_of(scene, &hit.struck, self.hints[hint as usize])
        {
            self.hints[hint as usize] = Some(place);
        }
    }
}
