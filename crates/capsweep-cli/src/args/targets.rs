//! The target flags. Each may be repeated, and their order across all of them is kept: answers name
//! a target by its place in it. clap's derive keeps one list per flag, so the two traits are
//! implemented by hand.

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
            Self::Triangle => "Three corners, counter-clockwise seen from the front",
            Self::Box => "Centre, half extents, and a rotation as a quaternion if it is turned",
            Self::Sphere => "Centre and radius",
            Self::OtherCapsule => "Centres of its two hemispheres, and the radius",
            Self::HalfSpace => "A point on the surface, and the normal out of the solid",
        }
    }

    fn arg(self) -> Arg {
        let Flag { name, form } = self.flag();
        Arg::new(*name)
            .long(*name)
            .value_name(*form)
            .help(self.help())
            .help_heading(
                "Targets instead of a SCENE (one or more, numbered from 0 in the order given)",
            )
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct TypedTarget {
    pub(crate) flag: TargetFlag,
    pub(crate) text: String,
}

#[derive(Debug, Clone)]
pub(crate) struct TargetArgs {
    pub(crate) in_order: Vec<TypedTarget>,
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
        let mut placed = Vec::new();
        for flag in TargetFlag::ALL {
            let name = flag.flag().name;
            let texts = matches.get_many::<String>(name).into_iter().flatten().cloned();
            let places = matches.indices_of(name).into_iter().flatten();
            placed.extend(places.zip(texts.map(|text| TypedTarget { flag, text })));
        }
        placed.sort_by_key(|(place, _)| *place);
        Ok(Self { in_order: placed.into_iter().map(|(_, typed)| typed).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
