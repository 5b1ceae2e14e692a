//! The queries of a scene, by way of a cache.

use super::{Hint, TriangleCache};
use crate::scene::{Filter, Hit, Scene, Struck, Survey};
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
        let Some(shortcut) = self.shortcut(scene, (capsule, motion), Some(hint)) else {
            return scene.sweep(capsule, motion, filter);
        };
        // Most often there is nothing in the way of a walk, and nothing but a piece of floor in that of a fall.
        let hit = match shortcut.survey(scene, filter) {
            Survey::Clear => return None,
            Survey::One(at) => scene.sweep_one((&shortcut, at), (capsule, motion), filter),
            Survey::Open => scene.sweep_by(Some(&shortcut), capsule, motion, filter),
        };
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
