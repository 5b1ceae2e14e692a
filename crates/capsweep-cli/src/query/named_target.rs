//! The target of a hit, with its names.

use super::WorldRef;
use crate::load;
use crate::target::Target;
use capsweep::scene::HitTarget;
use capsweep_formats::Level;
use serde::Serialize;

/// The numbers and names of the instance and triangle that a query hit, as JSON keys.
#[derive(Debug, Serialize)]
pub(crate) struct NamedTarget<'a> {
    /// Number of the instance or target; 0 for a query line's own triangles.
    instance: u64,
    /// `None` for shapes other than triangles.
    triangle: Option<u32>,
    tag: u32,
    instance_name: Option<&'a str>,
    tag_name: Option<&'a str>,
    #[serde(skip)]
    source: Source,
}

/// The kind of world that holds the target; it decides how text output names the target.
#[derive(Debug, Clone, Copy)]
enum Source {
    Level,
    Targets,
    LineTriangles,
}

impl<'a> NamedTarget<'a> {
    pub(crate) fn in_level(level: &'a Level, target: &HitTarget) -> Self {
        Self {
            instance: target.key,
            triangle: target.triangle,
            tag: target.tag,
            instance_name: load::body_name(level, target),
            tag_name: level.names.tag(target.tag),
            source: Source::Level,
        }
    }

    /// The target at `index` of a world of single targets.
    pub(super) fn in_targets(world: WorldRef<'a>, index: usize, target: &Target) -> Self {
        let number = index as u32;
        let unnamed = Self {
            instance: 0,
            triangle: Some(number),
            tag: 0,
            instance_name: None,
            tag_name: None,
            source: Source::LineTriangles,
        };
        match world {
            WorldRef::Level(_) | WorldRef::LineTriangles(_) => unnamed,
            WorldRef::Targets(_) => Self {
                instance: u64::from(number),
                triangle: matches!(target, Target::Triangle(_)).then_some(0),
                instance_name: Some(target.kind()),
                source: Source::Targets,
                ..unnamed
            },
        }
    }

    /// For text output, such as `triangle 4 of instance 0 "room", "floor/wood"`.
    pub(crate) fn describe(&self) -> String {
        let quoted = |name: Option<&str>| name.map(|name| format!("{name:?}"));
        let Self { instance, triangle, .. } = self;
        match (self.source, triangle) {
            (Source::Targets, _) => {
                format!("target {instance} ({})", self.instance_name.unwrap_or_default())
            }
            (Source::LineTriangles, triangle) => format!("triangle {}", triangle.unwrap_or(0)),
            (Source::Level, triangle) => {
                let triangle = triangle.map(|number| format!("triangle {number} of "));
                let name = quoted(self.instance_name).map(|name| format!(" {name}"));
                let tag = quoted(self.tag_name).map(|name| format!(", {name}"));
                let [triangle, name, tag] = [triangle, name, tag].map(Option::unwrap_or_default);
                format!("{triangle}instance {instance}{name}{tag}")
            }
        }
    }
}
