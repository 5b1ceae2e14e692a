//! Examples and exit codes: the last part of each help text.

pub(crate) const ALL: &str = "\
Examples:
  capsweep walk
  capsweep sweep --feet 0,0,2 --radius 0.4 --height 1.8 --motion 0,0,-5 --half-space 0,0,0,0,0,1
  capsweep inspect level.glb
  capsweep sweep level.glb --feet 0,0,2 --radius 0.4 --height 1.8 --motion 0,0,-5

Exit code: 0 hit found or work done, 1 no hit, 2 error";

pub(crate) const SWEEP: &str = r#"Examples:
  capsweep sweep level.glb --feet 0,0,2 --radius 0.4 --height 1.8 --motion 0,0,-5
  capsweep sweep level.glb --queries queries.jsonl > answers.jsonl
  capsweep sweep --capsule 0,0,2.4,0,0,3.4,0.4 --motion 0,0,-5 --triangle -4,-4,0,8,-4,0,-4,8,0
  capsweep sweep --feet 0,0,0 --radius 0.4 --height 1.8 --direction 1,0,0 --distance 3 \
    --box 2,0,1,0.5,1,1 --sphere 4,0,1,0.5 --json

A line of queries.jsonl (sides, mask and triangles are optional):
  {"capsule":{"p0":[0,0,2.4],"p1":[0,0,3.4],"radius":0.4},"direction":[0,0,-1],"distance":5}

Exit code: 0 hit, 1 no hit, 2 error
With --queries: 0 every line answered, 2 some lines are errors"#;

pub(crate) const OVERLAP: &str = r#"Examples:
  capsweep overlap level.glb --feet 0,0,-0.1 --radius 0.4 --height 1.8
  capsweep overlap --feet 0,0,-0.1 --radius 0.4 --height 1.8 --half-space 0,0,0,0,0,1

A line for --queries:
  {"capsule":{"p0":[0,0,0.3],"p1":[0,0,1.3],"radius":0.4}}

Exit code: 0 overlap, 1 no overlap, 2 error
With --queries: 0 every line answered, 2 some lines are errors"#;

pub(crate) const CLOSEST: &str = r#"Examples:
  capsweep closest level.glb --feet 0,0,2 --radius 0.4 --height 1.8 --limit 10
  capsweep closest --capsule 0,0,1,0,0,2,0.4 --sphere 3,0,1,0.5

A line for --queries:
  {"capsule":{"p0":[0,0,1],"p1":[0,0,2],"radius":0.4},"limit":10}

Exit code: 0 found, 1 nothing within the limit, 2 error
With --queries: 0 every line answered, 2 some lines are errors"#;

pub(crate) const RAY: &str = r#"Examples:
  capsweep ray level.glb --origin 0,0,2 --motion 0,0,-5
  capsweep ray --origin 0,0,1 --direction 1,0,0 --distance 10 --sphere 3,0,1,0.5

A line for --queries:
  {"origin":[0,0,2],"direction":[0,0,-1],"distance":5}

Exit code: 0 hit, 1 no hit, 2 error
With --queries: 0 every line answered, 2 some lines are errors"#;

pub(crate) const SUPPORTS: &str = r#"Examples:
  capsweep supports level.glb --point 0,0,2 --above 3 --below 50
  capsweep supports --point 0,0,2 --box 0,0,0.5,1,1,0.5 --half-space 0,0,0,0,0,1

A line for --queries:
  {"point":[0,0,2],"above":3,"below":50}

Exit code: 0 surfaces found, 1 none, 2 error
With --queries: 0 every line answered, 2 some lines are errors"#;

pub(crate) const LIQUID: &str = r#"Examples:
  capsweep liquid kalimdor.capsweep --point 1333,-1858,15
  capsweep liquid kalimdor.capsweep --point 1333,-1858,15 --all

A line for --queries:
  {"point":[1333,-1858,15]}

Exit code: 0 liquid, 1 none, 2 error
With --queries: 0 every line answered, 2 some lines are errors"#;

pub(crate) const IMPORT: &str = "\
Examples:
  capsweep import --vmaps server/vmaps --maps server/maps --map 1 -o kalimdor.capsweep
  capsweep import --vmaps server/vmaps --map 2 -o dungeon.capsweep

Exit code: 0 written, 2 error, 130 interrupted (Ctrl-C, SIGTERM): nothing is left behind";

pub(crate) const INSPECT: &str = "\
Examples:
  capsweep inspect level.glb
  capsweep inspect level.glb --json

Exit code: 0 done, 2 error";

pub(crate) const BENCH: &str = "\
Examples:
  capsweep bench
  capsweep bench level.glb --seconds 0.1

Exit code: 0 done, 2 error";

pub(crate) const BUILD: &str = "\
Examples:
  capsweep build level.glb -o level.capsweep
  capsweep build map.obj --up z --unit cm -o map.capsweep

Exit code: 0 written, 2 error";

pub(crate) const VERIFY: &str = "\
Examples:
  capsweep verify level.capsweep
  capsweep verify level.capsweep --json

Exit code: 0 sound, 1 damaged or not a scene file of this version, 2 unreadable";

pub(crate) const WALK: &str = "\
Examples:
  capsweep walk
  capsweep walk --picture walk.png --picture walk.glb --trace walk.jsonl
  capsweep walk map.obj --up z --unit cm --picture map.svg
  capsweep walk level.glb --script patrol.json --json

Flags in the table: sides is the time in contact with walls or steep ground, above the time in
contact with a ceiling, blocked the time with less than a fifth of the desired progress, air the
time off the ground, steep the time on ground too steep to walk on. step counts the moves that
climbed a stair, snap the moves that followed ground down.

Exit code: 0 walked, 2 error";

pub(crate) const REPLAY: &str = "\
Examples:
  capsweep walk --trace walk.jsonl && capsweep replay walk.jsonl
  capsweep replay patrol.jsonl level.glb

Exit code: 0 the same bits, 1 something differs, 2 error";

pub(crate) const VALIDATE: &str = r#"Examples:
  capsweep validate level.glb claims.jsonl
  capsweep validate level.glb claims.jsonl --picture alarms.png --position 0.005 --brief
  capsweep walk --claims walk.jsonl
  capsweep validate walk.jsonl

The beginning of a log (docs/claim-lines.md):
  {"event":"start","character":"anna","feet":[0,0,0]}
  {"character":"anna","feet":[0.4,0,0],"dt":0.1}

Exit code: 0 nothing is impossible, 1 something is impossible, 2 error (bad lines, too)"#;
