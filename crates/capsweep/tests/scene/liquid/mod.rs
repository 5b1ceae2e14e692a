//! Liquids: which surface counts for a point, rule by rule, and against an oracle.

mod hostile;
mod oracle;
mod rules;
mod sheets;

use capsweep::Point;
use capsweep::query::Liquid;
use capsweep::scene::{
    Heights, LiquidGrid, LiquidKind, LiquidRole, LiquidSheet, Liquids, PlacedLiquid, Pose, Scene,
};
use glam::DVec3;
use std::sync::Arc;

/// One flat cell of water, 10 by 10 m, at z = `level`.
fn pond(level: f32) -> Arc<LiquidSheet> {
    let grid = LiquidGrid { rows: 1, columns: 1, spacing: [10.0; 2], origin: [0.0; 2] };
    Arc::new(LiquidSheet::new(grid, Heights::Flat(level), LiquidKind::Water).unwrap())
}

/// A liquid in the open, without a ground.
fn open(sheet: Arc<LiquidSheet>, pose: Pose) -> PlacedLiquid {
    PlacedLiquid::new(sheet, pose, LiquidRole::Terrain { ground: None }).unwrap()
}

fn scene_of(placed: Vec<PlacedLiquid>) -> Scene {
    let mut scene = Scene::new();
    scene.set_liquids(Some(Arc::new(Liquids::new(placed, Vec::new()).unwrap())));
    scene
}

fn at(scene: &Scene, point: DVec3) -> Option<Liquid> {
    let point = Point::new(point).unwrap();
    let found = scene.liquid_at(&point);
    let all = over(scene, point.position());
    let deep = all.iter().rev().find(|liquid| liquid.depth >= 0.0);
    match (&found, deep) {
        (Some(found), Some(deep)) => assert_eq!(found.surface, deep.surface),
        (found, deep) => assert_eq!(*found, deep.copied()),
    }
    found
}

fn over(scene: &Scene, point: DVec3) -> Vec<Liquid> {
    let point = Point::new(point).unwrap();
    let mut out = Vec::new();
    scene.liquids_over(&point, &mut out);
    assert!(out.is_sorted_by(|a, b| a.surface >= b.surface), "from top to bottom");
    out
}

fn surface(scene: &Scene, point: DVec3) -> Option<f64> {
    at(scene, point).map(|liquid| liquid.surface)
}
