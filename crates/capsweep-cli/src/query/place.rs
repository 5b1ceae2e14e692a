use super::Around;
use crate::target::Target;
use capsweep::scene::HitTarget;
use capsweep_formats::Level;
use serde::Serialize;

/// What was found: which triangle of which instance, and what they are called. The end of every JSON object.
#[derive(Debug, Serialize)]
pub(crate) struct Place<'a> {
    /// Number of the instance or target; 0 of a line's own triangles.
    instance: u64,
    /// `None` where it is no triangle.
    triangle: Option<u32>,
    tag: u32,
    instance_name: Option<&'a str>,
    tag_name: Option<&'a str>,
    #[serde(skip)]
    source: Source,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Level,
    Targets,
    Lines,
}

impl<'a> Place<'a> {
    pub(super) fn in_level(level: &'a Level, target: &HitTarget) -> Self {
        Self {
            instance: target.key,
            triangle: target.triangle,
            tag: target.tag,
            instance_name: level.names.body(target.key),
            tag_name: level.names.tag(target.tag),
            source: Source::Level,
        }
    }

    /// The target at `index`, one of those around.
    pub(super) fn of_target(around: Around<'a>, index: usize, target: &Target) -> Self {
        let number = index as u32;
        let nothing = Self {
            instance: 0,
            triangle: Some(number),
            tag: 0,
            instance_name: None,
            tag_name: None,
            source: Source::Lines,
        };
        match around {
            Around::Level(_) | Around::Triangles(_) => nothing,
            Around::Targets(_) => Self {
                instance: u64::from(number),
                triangle: matches!(target, Target::Triangle(_)).then_some(0),
                instance_name: Some(target.kind()),
                source: Source::Targets,
                ..nothing
            },
        }
    }

    /// In words, such as `triangle 4 of instance 0 "room", "floor/wood"`.
    pub(super) fn name(&self) -> String {
        let quoted = |name: Option<&str>| name.map(|name| format!("{name:?}"));
        let Self { instance, triangle, .. } = self;
        match (self.source, triangle) {
            (Source::Targets, _) => {
                format!("target {instance} ({})", self.instance_name.unwrap_or_default())
            }
            (Source::Lines, triangle) => format!("triangle {}", triangle.unwrap_or(0)),
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
