//! Every tolerance of the queries, with its unit, its reason and the test that pins it.
//!
//! All are lengths in metres except where said. None of them moves a hit by more than a nanometre of gap: they
//! decide what counts as touching, when two contacts count as one, and when a direction is lost to rounding.

/// The bound of the contract (2 µm): two gaps closer than this are the same gap.
///
/// An axis closer than `radius − CONTACT_TOLERANCE` overlaps, one within `CONTACT_TOLERANCE` of `radius` touches. It is
/// stated for motions up to 1 km, triangles up to 4 km and coordinates up to 10⁶ m; the solver's
/// own error there is below 3·10⁻⁸ m, so the bound leaves room for f32 geometry and for callers who
/// move to the reported time. Pinned by `touching_within_the_bound_is_no_overlap`.
pub const CONTACT_TOLERANCE: f64 = 2e-6;

/// How far past the end of the motion a touch still counts as a touch at its end (1 nm).
///
/// The end is inclusive, and a touch at exactly the end can come out a few rounding errors past it:
/// up to 10⁻¹⁰ m at coordinates of 10⁶ m. Pinned by `a_touch_at_exactly_the_end_is_a_hit`.
pub(crate) const END_SLACK: f64 = 1e-9;

/// Below this distance (0.3 µm) between axis and core, the line between the closest points has no
/// reliable direction and the axis counts as piercing.
///
/// The closest point may be off by [`BORDER`] of the largest coordinate, 10⁻¹¹ m on 4 km; over a shorter distance
/// that turns the normal by more than 5·10⁻⁵, and a push-out of a kilometre along it falls short by more than 1 µm. The push-out found
/// for a piercing axis is continuous across this distance, so the choice moves a depth by 0.3 µm at most. Pinned by
/// `push_out_is_continuous_where_the_axis_starts_to_pierce` and `a_huge_capsule_is_pushed_out_of_a_needle_that_it_almost_pierces`.
pub(crate) const PIERCE: f64 = 3e-7;

/// A contact is a line when the gap changes by less than this (1 nm) along it.
///
/// Walls and floors that are parallel to the axis are so to rounding; anything above is a tilt, and
/// the lower end is the contact. Only the reported point, feature and region depend on it. Pinned by
/// `a_line_contact_reports_its_middle`.
pub(crate) const LINE: f64 = 1e-9;

/// A triangle thinner than this fraction of its longest edge is degenerate, and two vectors at an angle
/// whose sine is below it are parallel (no unit).
///
/// 2⁻⁴⁰: the triangle then differs from its longest edge by at most 4 nm on a 4 km triangle, while
/// the rounding of f64 vertices (2⁻⁵³) still leaves 13 bits in the direction across. Pinned by
/// `a_triangle_is_degenerate_relative_to_its_size`.
pub(crate) const THIN: f64 = 1.0 / (1_u64 << 40) as f64;

/// A flat piece of a prism no deeper than this (1 nm) below its surface is on the surface.
///
/// Where the axis lies in the triangle's plane all sides share that plane, and rounding decides
/// which is on top. Taking one for another moves a hit by 1 nm at most. Pinned by the family
/// `axis-along-face` of the oracle tests.
pub(crate) const FLUSH: f64 = 1e-9;

/// A vector shorter than this (10⁻¹⁰⁰ m) has no direction.
///
/// Squares of numbers below 10⁻¹⁵⁴ leave the range in which f64 keeps all its digits. Pinned by the
/// fuzz regression `subnormal_edges_have_no_normal`.
pub(crate) const MIN_DIRECTION_LENGTH: f64 = 1e-100;

/// Squared sine (no unit) above which two vectors span a plane whose normal is their cross product:
/// an angle of 0.06°.
///
/// The cross product is then off by at most 10⁻¹³, which over 4 km is 0.4 nm. Below, the normal is
/// built in two steps that keep the plane on the triangle. Pinned by the family `slivers` of the oracle tests.
pub(crate) const WELL_SPREAD_SQ: f64 = 1e-6;

/// Slope (no unit) up to which a motion counts as along the surface that it starts in touch with.
///
/// A contact normal is known to about 10⁻¹³ at a kilometre from the shape's far end. Over a motion
/// of a kilometre the slope lets the capsule sink by a nanometre. Pinned by
/// `sliding_along_a_rod_that_the_axis_crosses_is_no_hit`.
pub(crate) const TANGENT_SLOPE: f64 = 1e-12;

/// Two faces whose normals have a larger dot product than this lie flat (no unit): the cosine of 0.5°.
///
/// A floor that was modelled flat and stored in f32 bends by less; a bend that somebody modelled, by
/// more. Pinned by `an_edge_is_flat_below_half_a_degree`.
pub(crate) const FLAT_COS: f64 = 0.999_961_923_064_171_3;

/// Faces within this distance (0.1 mm) of a contact's point meet there, whichever mesh they belong to.
///
/// Tiles that a level editor snapped together, exported in f32 and placed by poses of their own miss each other by a few
/// micrometres; a step that somebody modelled is higher than a tenth of a millimetre. Only normals, features and ways out
/// depend on it, never a time. Pinned by `a_step_of_a_tenth_of_a_millimetre_is_a_seam_and_a_higher_one_is_not`.
pub const SEAM: f64 = 1e-4;

/// Sine (no unit) above which a face counts as rising towards a contact's normal: 0.2 seconds of arc.
///
/// Where nothing rises the sine is 0 or negative up to the rounding of the normal to f32, 10⁻⁷. Just above it the normal is turned by
/// as little, so the cutoff shows nowhere but in the feature. Pinned by `convex_edges_keep_their_normals`.
pub(crate) const RISING_SINE: f64 = 1e-6;

/// A triangle lower than this fraction of its longest edge is reported as a sliver (no unit).
///
/// Queries are exact on slivers; boxes around long oblique ones are mostly empty, which costs time.
/// Pinned by `a_sliver_is_a_thousand_times_longer_than_high`.
pub(crate) const SLIVER: f64 = 1e-3;

/// How far the closest points of two bodies may be off (1 µm): [`BORDER`] of 2·10⁸ m, and what the axes of a box may be askew over 10⁶ m.
///
/// The way between them points as far aside as that is of their distance, so a long motion may close a thin gap that it seems to pass by. For
/// a character that is less than a micrometre. Pinned by the fuzz regression
/// `a_thin_capsule_that_flies_along_a_long_edge_closes_in_on_it`.
pub(crate) const CLOSEST_POINT_ERROR: f64 = 1e-6;

/// By how much the pieces of a rounded prism overlap where they join, as a fraction of the largest coordinate (no unit).
///
/// A point counts as over a face, or over a side, only if it is further than this inside the border; the tubes and balls
/// along the border count as touched up to this far outside. 2⁻⁴⁸ is 32 roundings: an inside test is off by `ε·L` across
/// the border, which at the tip of a needle is a billion times as much along it, and a motion that grazes both pieces could
/// miss both by a rounding and go in. What it can invent is a graze of 10⁻¹¹ m. Pinned by
/// `nothing_overlaps_past_the_tip_of_a_needle` and `a_grazing_motion_cannot_slip_in_between_a_face_and_its_border`.
pub(crate) const BORDER: f64 = 1.0 / (1_u64 << 48) as f64;

/// A motion that leaves a plane by more than this fraction of its length leaves it beyond any rounding (no unit).
///
/// Normals are known to 10⁻¹³. What lies between planes that are all left cannot be run into and is not looked at. Pinned by the
/// oracle tests: a larger cutoff costs time, a much smaller one (10⁻¹⁶) misses grazing motions.
pub(crate) const BACKWARD: f64 = 1e-9;

/// A triangle lower than the root of this, 2⁻¹⁸, times its distance may look to the capsule otherwise than it is (no unit).
///
/// Seen from the capsule a corner is off by two roundings of that distance. Over the height of any other triangle they turn it by less than
/// 2⁻³², a quarter of [`BACKWARD`], so that its own normal stands across the edges that are seen. Pinned by
/// `a_normal_stands_across_the_edges_that_are_seen`.
pub(crate) const FAINT_SQ: f64 = 1.0 / (1_u64 << 36) as f64;

/// A line that passes a round piece by more than this fraction of the largest coordinate passes by beyond any rounding (no unit).
///
/// The distance of two lines at an angle above that of [`WELL_SPREAD_SQ`] comes out right to 10³ roundings, 10⁻¹³. What is nearer
/// is solved with care; so is a line that passes a tube's end by less than this fraction of what its place there is made of. Pinned by the
/// oracle tests.
pub(crate) const LINE_MISS: f64 = 1e-12;

/// Turn (no unit) that keeps a normal against a grazing motion when rounding it to f32 would turn it along: three ulps.
/// Pinned by `a_rounded_normal_still_opposes_a_grazing_motion`.
pub(crate) const NUDGE: f64 = 2e-7;

/// Shortest quaternion (no unit) that somebody can have meant as a rotation. Pinned by
/// `what_the_library_refuses_carries_the_flag_and_the_value` of the command.
pub(crate) const SHORT_ROTATION: f64 = 1e-6;

/// |normal · axis| below which an axis counts as lying along the plane (no unit): 0.0006°, at which
/// the two ends of a 2 m axis differ by 20 µm in height. Pinned by
/// `a_point_from_a_normal_across_the_axis_is_the_middle`.
pub(crate) const LEVEL_AXIS: f64 = 1e-5;

/// Two surfaces over the same place whose heights differ by less than this are one where an edge or a vertex of them is
/// met (1 nm, and as much for each metre from the point that heights count from).
///
/// Triangles that share a vertex bit by bit agree to the last bit there; tiles of different instances to a few roundings of
/// their world coordinates, 10⁻¹⁰ m at 10⁶ m. Pinned by `a_shared_edge_or_vertex_counts_once`.
pub(crate) const SAME_HEIGHT: f64 = 1e-9;

/// By how much of its length a motion that was bent along a plane leads away from it (no unit): four ulps of f32.
///
/// Normals are f32, off by up to 10⁻⁷. Bent along one exactly, a motion may still press on the surface, and the next sweep would stop at
/// once. A character that walks a metre along a wall drifts 0.25 µm off it. Pinned by `a_wall_slide_never_stops_on_the_rounding_of_its_normal`.
pub(crate) const LIFT: f64 = 2.5e-7;

/// How far under its skin ground still carries a character, as a part of its radius (no unit): 1 mm for a person.
///
/// A character at rest has a gap of 0 to a few micrometres; a person who falls is a millimetre off the ground after 14 ms.
/// Pinned by `ground_a_millimetre_away_is_stood_on_and_further_is_not`.
pub(crate) const GROUND_GAP: f64 = 1.0 / 300.0;

/// By how much a step may be higher than the step offset, as a part of the radius (no unit): 0.1 mm for a person.
///
/// A step of exactly the step offset is climbed, though its vertices are f32 and may lie far from the origin of their mesh.
/// Pinned by `a_step_of_exactly_the_step_offset_is_climbed`.
pub(crate) const STEP_SLACK: f64 = 1.0 / 3000.0;

/// Size of the ball that finds the faces around an edge, as a part of the character's radius (no unit).
///
/// Large against the bound, small against anything that is modelled: 1.5 mm for a person. Pinned by
/// `a_box_s_rim_is_walkable_though_its_contact_leans`.
pub(crate) const NEIGHBOUR: f32 = 1.0 / 256.0;

/// How far from the landing of a step its contact may lie when the character settles there, as a part of the radius (no unit).
///
/// Settling moves the contact by a few micrometres; on a steep bevel a contact further away is other ground, which has to be
/// walkable itself. Pinned by `a_steep_landing_is_walkable_only_where_the_step_landed`.
pub(crate) const LANDING: f64 = 1e-3;

/// What rises less than this is upright, whatever the slope limit says (no unit): the cosine of 88.9°.
///
/// A walk keeps its level speed on a slope, so on this one it would rise 50 times as fast; and the normal of a wall is off by a
/// rounding, which must not make it a floor. Pinned by `with_no_slope_limit_all_but_upright_walls_are_walked_up`.
pub(crate) const UPRIGHT: f64 = 0.02;

/// Shortest level normal of a wall (no unit): a ceiling that runs along the floor to a ten-thousandth of a degree leaves no way to
/// turn. Pinned by `a_ceiling_that_leaves_just_enough_room_is_no_wall`.
pub(crate) const LEVEL_WALL: f64 = 1e-6;

/// Furthest that a motion is lifted off a plane that is met again and again (no unit): a millimetre a metre, 4096 times the first lift.
///
/// What needs more is no rounding. Pinned by `no_world_makes_a_move_panic_run_away_or_lose_its_numbers`.
pub(crate) const MOST_LIFT: f64 = 4096.0 * LIFT;

/// By what part of the contact offset a skin is made thinner than there is room for (no unit).
///
/// A character between two walls is lifted off both, which takes a little room. Pinned by `a_corridor_as_wide_as_the_skin_is_walked_through`.
pub(crate) const THINNER: f32 = 0.05;

/// By how much the vertical window exceeds the heights that a sweep reaches, up and down (5 cm): rule 3.3.3.
///
/// What a sweep may take for a touch lies within [`CONTACT_TOLERANCE`] of its way, and heights at 10⁹ m round by less than 10⁻⁶ m; the
/// rest is the rule's. Pinned by `the_window_is_at_least_the_rules_and_five_centimetres_wider_than_the_sweep`.
pub(crate) const WINDOW_MARGIN: f64 = 0.05;

/// Products of two axes of a box may be off from 1 and 0 by this much (no unit).
///
/// Axes made from a unit quaternion are off by a few roundings, 10⁻¹⁵; a box of 10⁶ m with axes off by 10⁻¹² is off by 1 µm. Pinned by
/// `a_box_can_be_made_of_its_axes_again`.
pub(crate) const ORTHONORMAL: f64 = 1e-12;

/// By how much the box that a cache gathers is wider around a swept box, relative to the largest coordinate (no unit).
///
/// As wide as the margins of the culling, which is f32, and so far above all rounding in f64; 16 mm at 16 km cost nothing. Pinned by
/// `answers_have_the_same_bits_with_and_without_a_cache`.
pub(crate) const CACHE_MARGIN: f64 = 1e-6;
