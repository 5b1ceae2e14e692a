use crate::args::SweepArgs;
use crate::output::{self, Format, Outcome};
use crate::plan::SweepPlan;
use crate::target::At;
use anyhow::Result;

pub(crate) fn sweep(args: &SweepArgs, format: Format) -> Result<Outcome> {
    let SweepPlan { capsule, motion, sides, targets } = SweepPlan::new(args)?;
    let first =
        At::least(&targets, |target| target.sweep(&capsule, &motion, sides), |hit| hit.time);
    output::print(first.as_ref(), "clear: nothing is touched along the motion", format)
}
