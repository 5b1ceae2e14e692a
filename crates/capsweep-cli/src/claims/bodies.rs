//! The bodies of the level that the log moves: doors, lifts, ships.

use super::key::Key;
use super::line::BodyMove;
use anyhow::{Context, Result, bail};
use capsweep::controller::Carrier;
use capsweep::scene::{BodyId, Pose};
use capsweep_formats::Level;
use std::collections::HashMap;

/// Every body that moved so far.
#[derive(Debug, Default)]
pub(crate) struct MovedBodies {
    moved: Vec<MovedBody>,
    /// Number of the body in `moved`.
    index: HashMap<BodyId, usize>,
    /// The bodies of the level by number and by name; made when the first body moves.
    found: Option<HashMap<Key, Found>>,
}

#[derive(Debug)]
struct MovedBody {
    id: BodyId,
    /// Its pose in the level's file.
    first: Pose,
    now: Pose,
}

#[derive(Debug, Clone, Copy)]
enum Found {
    One(BodyId),
    /// Several bodies have this name.
    Several,
}

impl MovedBodies {
    /// Moves a body in the level.
    pub(crate) fn set(&mut self, level: &mut Level, to: &BodyMove) -> Result<()> {
        if level.map.is_some() {
            bail!("the bodies of a map file do not move: give the level with the body as a file");
        }
        let id = self.find(level, &to.body)?;
        let body = level.scene.body(id)?;
        let (_, before) = body.instance().context("body is no mesh: only meshes move")?;
        let before = *before;
        let rotation = to.rotation.unwrap_or(before.rotation());
        let now = Pose::new(to.position, rotation, before.scale())?;
        level.scene.move_mesh(id, now)?;
        let index = *self.index.entry(id).or_insert_with(|| {
            self.moved.push(MovedBody { id, first: before, now: before });
            self.moved.len() - 1
        });
        self.moved[index].now = now;
        Ok(())
    }

    fn find(&mut self, level: &Level, key: &Key) -> Result<BodyId> {
        let found = self.found.get_or_insert_with(|| {
            let mut found = HashMap::new();
            for (id, body) in level.scene.bodies() {
                found.insert(Key::Number(body.key()), Found::One(id));
                if let Some(name) = level.names.body(body.key()) {
                    let same_name = found.entry(Key::Name(name.to_owned()));
                    same_name.and_modify(|one| *one = Found::Several).or_insert(Found::One(id));
                }
            }
            found
        });
        match found.get(key) {
            Some(Found::One(id)) => Ok(*id),
            Some(Found::Several) => {
                bail!("several bodies have the name {key}: give the number of one")
            }
            None => bail!("the level has no body {key}: `capsweep inspect` lists its instances"),
        }
    }

    /// The poses of all bodies that moved so far.
    pub(crate) fn poses(&self) -> Vec<Pose> {
        self.moved.iter().map(|body| body.now).collect()
    }

    /// The bodies that moved since a time when they had other poses.
    pub(crate) fn since(&self, before: &[Pose]) -> Vec<Carrier> {
        let with_pose = |(index, body): (usize, &MovedBody)| {
            let previous = before.get(index).copied().unwrap_or(body.first);
            (previous != body.now).then(|| Carrier::new(body.id, previous, body.now))
        };
        self.moved.iter().enumerate().filter_map(with_pose).collect()
    }
}
