//! What stands at the end of each help text.

pub(crate) const ALL: &str = "\
Example: a person 1.8 m tall falls from 2 m onto a floor
  capsweep sweep --feet 0,0,2 --radius 0.4 --height 1.8 --motion 0,0,-5 --half-space 0,0,0,0,0,1

Exit code: 0 found, 1 clear, 2 error";

pub(crate) const SWEEP: &str = "\
Examples:
  capsweep sweep --capsule 0,0,2.4,0,0,3.4,0.4 --motion 0,0,-5 --triangle -4,-4,0,8,-4,0,-4,8,0
  capsweep sweep --feet 0,0,0 --radius 0.4 --height 1.8 --direction 1,0,0 --distance 3 \\
    --box 2,0,1,0.5,1,1 --sphere 4,0,1,0.5 --json

Exit code: 0 it touches, 1 clear, 2 error";

pub(crate) const OVERLAP: &str = "\
Example:
  capsweep overlap --feet 0,0,-0.1 --radius 0.4 --height 1.8 --half-space 0,0,0,0,0,1

Exit code: 0 it overlaps, 1 clear, 2 error";

pub(crate) const CLOSEST: &str = "\
Example:
  capsweep closest --capsule 0,0,1,0,0,2,0.4 --sphere 3,0,1,0.5

Exit code: 0 found, 2 error";

pub(crate) const BUILD: &str = "\
Examples:
  capsweep build level.glb -o level.capsweep
  capsweep build map.obj --up z --unit cm -o map.capsweep

Exit code: 0 written, 2 error";
