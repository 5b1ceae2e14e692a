//! Every pair and family against the independent oracle: no hit missed, none invented, every field
//! right.
//!
//! `cargo run --release -p capsweep-testkit -- oracle --queries 1000000` runs more cases.

use capsweep_testkit::{Family, Pair, run};

const QUERIES: u64 = 20_000;

fn all_families(pair: Pair) {
    let mut examples = Vec::new();
    for family in Family::ALL {
        let report = run(pair, family, QUERIES, 1);
        assert_eq!(report.queries, QUERIES);
        // A family that hits nothing, or everything, would test little. But segments and points
        // have no sides, so each overlap at the start is a hit.
        let has_sides = !matches!(pair, Pair::Segment | Pair::Point);
        if family == Family::Overlapping && !has_sides {
            assert_eq!((report.hits, report.overlaps), (QUERIES, QUERIES), "{report}");
        } else {
            let share = report.hits as f64 / QUERIES as f64;
            assert!((0.1..0.95).contains(&share), "{report}: {share} of the queries hit");
        }
        examples.extend(report.failures().map(|failure| report.example(failure)));
    }
    assert!(examples.is_empty(), "{}", examples.join("\n\n"));
}

#[test]
fn triangles_agree_with_the_oracle() {
    all_families(Pair::Triangle);
}

#[test]
fn boxes_agree_with_the_oracle() {
    all_families(Pair::Box);
}

#[test]
fn spheres_agree_with_the_oracle() {
    all_families(Pair::Sphere);
}

#[test]
fn capsules_agree_with_the_oracle() {
    all_families(Pair::Capsule);
}

#[test]
fn half_spaces_agree_with_the_oracle() {
    all_families(Pair::HalfSpace);
}

#[test]
fn segments_agree_with_the_oracle() {
    all_families(Pair::Segment);
}

#[test]
fn points_agree_with_the_oracle() {
    all_families(Pair::Point);
}
