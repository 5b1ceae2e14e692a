use super::world::{some_filter, worlds};
use capsweep::query::batch::{self, ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::{Limit, Motion, Ray};

#[test]
fn batches_answer_as_one_by_one() {
    let (_, world, mut rng) = worlds().swap_remove(0);
    let scene = &world.scene;
    let sweeps: Vec<SweepQuery> = (0..2_000)
        .map(|_| SweepQuery {
            capsule: world.some_capsule(&mut rng),
            motion: Motion::new(rng.cube(3.0)).expect("finite"),
            filter: some_filter(&mut rng),
        })
        .collect();
    let overlaps: Vec<OverlapQuery> = sweeps
        .iter()
        .map(|&SweepQuery { capsule, filter, .. }| OverlapQuery { capsule, filter })
        .collect();
    let closests: Vec<ClosestQuery> = overlaps
        .iter()
        .map(|&OverlapQuery { capsule, filter }| ClosestQuery {
            capsule,
            limit: Limit::new(3.0).expect("a limit"),
            filter,
        })
        .collect();

    let rays: Vec<RayQuery> = sweeps
        .iter()
        .map(|&SweepQuery { capsule, motion, filter }| RayQuery {
            ray: Ray::new(capsule.center(), motion).expect("in range"),
            filter,
        })
        .collect();

    let (mut swept, mut overlapped, mut near) = (vec![None; 3], Vec::new(), Vec::new());
    batch::sweep(scene, &sweeps, &mut swept);
    batch::overlap(scene, &overlaps, &mut overlapped);
    batch::closest(scene, &closests, &mut near);
    let mut met = vec![None; 5_000];
    batch::ray(scene, &rays, &mut met);

    let one_by_one = sweeps.iter().map(|q| scene.sweep(&q.capsule, &q.motion, &q.filter));
    assert!(swept.into_iter().eq(one_by_one));
    let one_by_one = overlaps.iter().map(|q| scene.overlap(&q.capsule, &q.filter));
    assert!(overlapped.into_iter().eq(one_by_one));
    let one_by_one = closests.iter().map(|q| scene.closest(&q.capsule, q.limit, &q.filter));
    assert!(near.into_iter().eq(one_by_one));
    assert!(met.iter().flatten().count() > 500);
    let one_by_one = rays.iter().map(|q| scene.ray(&q.ray, &q.filter));
    assert!(met.into_iter().eq(one_by_one));
}
