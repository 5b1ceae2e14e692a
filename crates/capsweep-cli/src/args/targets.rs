//! The target flags. Each is repeatable, and answers number the targets in the order typed, across
//! all flags. clap's derive keeps one list per flag and loses that order, so this file implements
//! clap's two traits by hand.

use crate::flag::{BOX, Flag, HALF_SPACE, OTHER_CAPSULE, SPHERE, TRIANGLE};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

#[derive(Debug, Clone, Copy)]
pub(crate) enum TargetFlag {
    Triangle,
    Box,
    Sphere,
    OtherCapsule,
    HalfSpace,
}

impl TargetFlag {
    const ALL: [Self; 5] =
        [Self::Triangle, Self::Box, Self::Sphere, Self::OtherCapsule, Self::HalfSpace];

    fn flag(self) -> &'static Flag {
        match self {
            Self::Triangle => &TRIANGLE,
            Self::Box => &BOX,
            Self::Sphere => &SPHERE,
            Self::OtherCapsule => &OTHER_CAPSULE,
            Self::HalfSpace => &HALF_SPACE,
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Triangle => "Three corners in metres, counter-clockwise seen from the front",
            Self::Box => {
                "Centre and half extents in metres, and optionally a rotation as a quaternion"
            }
            Self::Sphere => "Centre and radius, in metres",
            Self::OtherCapsule => "Centres of its two hemispheres and the radius, in metres",
            Self::HalfSpace => {
                "A point on the surface in metres, and the outward normal of any length"
            }
        }
    }

    fn arg(self) -> Arg {
        let Flag { name, form } = self.flag();
        Arg::new(*name)
            .long(*name)
            .value_name(*form)
            .help(self.help())
            .help_heading(
                "Targets instead of a SCENE (repeatable, numbered from 0 in the order given)",
            )
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
    }
}

/// A target flag and its value, not yet parsed.
#[derive(Debug, Clone)]
pub(crate) struct RawTarget {
    pub(crate) flag: TargetFlag,
    pub(crate) text: String,
}

/// All target flags in the order typed.
#[derive(Debug, Clone)]
pub(crate) struct TargetArgs {
    pub(crate) in_order: Vec<RawTarget>,
}

impl Args for TargetArgs {
    fn augment_args(command: Command) -> Command {
        command.args(TargetFlag::ALL.map(TargetFlag::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for TargetArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut indexed = Vec::new();
        for flag in TargetFlag::ALL {
            let name = flag.flag().name;
            let texts = matches.get_many::<String>(name).into_iter().flatten().cloned();
            let indices = matches.indices_of(name).into_iter().flatten();
            indexed.extend(indices.zip(texts.map(|text| RawTarget { flag, text })));
        }
        indexed.sort_by_key(|(index, _)| *index);
        Ok(Self { in_order: indexed.into_iter().map(|(_, target)| target).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
