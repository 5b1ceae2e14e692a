use crate::args::StaticArgs;
use crate::output::{self, Format, Outcome};
use crate::plan::StaticPlan;
use crate::target::At;
use anyhow::Result;

pub(crate) fn closest(args: &StaticArgs, format: Format) -> Result<Outcome> {
    let StaticPlan { capsule, targets } = StaticPlan::new(args)?;
    let nearest =
        At::least(&targets, |target| Some(target.closest(&capsule)), |points| points.distance);
    output::print(nearest.as_ref(), "clear: there is no target", format)
}
