use crate::args::StaticArgs;
use crate::output::{self, Format, Outcome};
use crate::plan::StaticPlan;
use crate::target::At;
use anyhow::Result;

pub(crate) fn overlap(args: &StaticArgs, format: Format) -> Result<Outcome> {
    let StaticPlan { capsule, targets } = StaticPlan::new(args)?;
    let deepest = At::least(&targets, |target| target.overlap(&capsule), |overlap| -overlap.depth);
    output::print(deepest.as_ref(), "clear: nothing is overlapped", format)
}
