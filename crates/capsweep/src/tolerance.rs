//! Every tolerance of the library, with its unit, its reason and the test that pins it.
//!
//! All are lengths in metres unless stated otherwise. They decide what counts as touching, when
//! two contacts count as one, and when rounding leaves no direction. Two of them move a hit by
//! more than 1 nm: [`CONTACT_TOLERANCE`] a touch at the start, by up to 2 µm, and [`PIERCE`] the
//! depth of an overlap, by up to 0.3 µm.
//!
//! *Pinned by* a test: it fails if the number is ten times as large, and if it is ten times as
//! small. *Pinned from above by* one: it fails for the larger number; *from below*, for the
//! smaller. *Tested by* one: the test runs the code that needs the number, and the comment says
//! why a factor of 10 changes no answer. `scripts/mutants tolerances` checks these claims.

/// The tolerance of the contract (2 µm): gaps that differ by less are the same gap.
///
/// An axis closer than `radius − CONTACT_TOLERANCE` overlaps; one within `CONTACT_TOLERANCE` of
/// `radius` touches. It holds for motions up to 1 km, triangles up to 4 km and coordinates up to
/// 10⁶ m. The solver's own error there is below 3·10⁻⁸ m. So it leaves room for f32
/// geometry, and for callers that move to the reported time. Pinned by
/// `touching_within_the_bound_is_no_overlap`.
pub const CONTACT_TOLERANCE: f64 = 2e-6;

/// How far past the end of the motion a touch still counts as a touch at its end (1 nm).
///
/// The end is inclusive. A touch at exactly the end can round to a little past it: up to
/// 10⁻¹⁰ m at coordinates of 10⁶ m. Pinned by `a_touch_at_exactly_the_end_is_a_hit`.
pub(crate) const END_SLACK: f64 = 1e-9;

/// Distance between axis and core (0.3 µm) below which the axis counts as piercing: the line
/// between the closest points has no reliable direction.
///
/// The closest points may be off by [`PIECE_OVERLAP`] of the largest coordinate, 10⁻¹¹ m on 4 km.
/// Over a shorter distance that turns the normal by more than 5·10⁻⁵. A push-out of a
/// kilometre along it falls short by more than 1 µm. The push-out of a piercing axis is
/// continuous across this distance, so the choice moves a depth by 0.3 µm at most. For the same
/// reason a factor of 10 changes no answer by more than 3 µm. Tested by
/// `push_out_is_continuous_where_the_axis_starts_to_pierce` and
/// `a_huge_capsule_is_pushed_out_of_a_needle_that_it_almost_pierces`.
pub(crate) const PIERCE: f64 = 3e-7;

/// A contact is a line if the gap changes by less than this (1 nm) along it.
///
/// Walls and floors parallel to the axis are so to rounding. Anything above is a tilt, and the
/// lower end is the contact. Only the reported point, feature and region depend on it. Pinned by
/// `a_line_contact_reports_its_middle`.
pub(crate) const LINE_CONTACT_GAP: f64 = 1e-9;

/// Ratio of height to longest edge below which a triangle is degenerate. Also the sine below which
/// two vectors are parallel (no unit).
///
/// At 2⁻⁴⁰ the triangle differs from its longest edge by at most 4 nm on 4 km. The rounding
/// of f64 vertices (2⁻⁵³) still leaves 13 bits in the direction across. Pinned by
/// `a_triangle_is_degenerate_relative_to_its_size`.
pub(crate) const DEGENERATE_RATIO: f64 = 1.0 / (1_u64 << 40) as f64;

/// A flat piece of a prism at most this far (1 nm) below the surface counts as on the surface.
///
/// Where the axis lies in the triangle's plane, all sides share that plane, and rounding decides
/// which is on top. Taking one for another moves a hit by 1 nm at most. Ten times as much is still
/// below what any answer promises, and a tenth is still above all rounding. Tested by the family
/// `axis-along-face` of the oracle tests.
pub(crate) const COPLANAR_DISTANCE: f64 = 1e-9;

/// A vector shorter than this (10⁻¹⁰⁰ m) has no direction.
///
/// Squares of numbers below 10⁻¹⁵⁴ leave the range in which f64 keeps all its digits. Nothing that
/// f32 vertices or radii describe is between 10⁻¹⁰¹ and 10⁻⁹⁹ m. Tested by the fuzz regression
/// `subnormal_edges_have_no_normal`.
pub(crate) const MIN_DIRECTION_LENGTH: f64 = 1e-100;

/// Squared sine (no unit) above which the normal of two vectors is their cross product: an angle
/// of 0.06°.
///
/// The cross product is then off by at most 10⁻¹³, which is 0.4 nm over 4 km. Below, the
/// normal is built in two steps that keep the plane on the triangle. Near the cutoff both give
/// the same normal, to a few nanometres over 4 km. Tested by the family `slivers` of the oracle
/// tests.
pub(crate) const WELL_SPREAD_SQ: f64 = 1e-6;

/// Slope (no unit) up to which a motion counts as along the surface that it touches at the start.
///
/// A contact normal is known to about 10⁻¹³ at a kilometre from the shape's far end. Over a
/// motion of a kilometre, the slope lets the capsule sink by a nanometre. Pinned by
/// `a_touch_is_pressed_from_the_slope_that_its_normal_is_known_to`.
pub(crate) const TANGENT_SLOPE: f64 = 1e-12;

/// Dot product of two face normals above which the faces count as flat (no unit): the cosine of
/// 0.5°.
///
/// A floor that was modelled flat and stored in f32 bends by less; a modelled bend is larger.
/// Pinned by `an_edge_is_flat_below_half_a_degree`.
pub(crate) const FLAT_COS: f64 = 0.999_961_923_064_171_3;

/// Faces within this distance (0.1 mm) of a contact point meet there, even if they belong to
/// different meshes.
///
/// Tiles that a level editor snapped together miss each other by a few micrometres: they are
/// exported in f32, and each has a pose. A modelled step is higher than a tenth of a
/// millimetre. Only normals, features and push-outs depend on it, never a time. Pinned by
/// `a_step_of_a_tenth_of_a_millimetre_is_a_seam_and_a_higher_one_is_not`.
pub const SEAM_DISTANCE: f64 = 1e-4;

/// Sine (no unit) above which a face rises towards a contact's normal: 0.2 seconds of arc.
///
/// Where nothing rises, the sine is 0 or negative, up to the rounding of the normal to f32
/// (10⁻⁷). Just above the cutoff the normal turns by as little, so the cutoff shows only in
/// the feature, on faces that bend by a hundred-thousandth. Tested by
/// `convex_edges_keep_their_normals`.
pub(crate) const RISING_SINE: f64 = 1e-6;

/// Ratio of height to longest edge below which a triangle is reported as a sliver (no unit).
///
/// Queries are exact on slivers. But boxes around long oblique ones are mostly empty, which costs
/// time. Pinned by `a_sliver_is_a_thousand_times_longer_than_high`.
pub(crate) const SLIVER: f64 = 1e-3;

/// Bound on the error of the closest points of two bodies (1 µm).
///
/// It is [`PIECE_OVERLAP`] of 2·10⁸ m, plus the skew of a box's axes over 10⁶ m. The direction
/// between the points is uncertain by this error over their distance. So a long motion may close
/// a thin gap that it seems to pass. For a character the error is far below a micrometre. A larger
/// bound costs time only. A tenth of it is still above the errors that the tests reach. Tested by
/// the fuzz regression `a_thin_capsule_that_flies_along_a_long_edge_closes_in_on_it`.
pub(crate) const CLOSEST_POINT_ERROR: f64 = 1e-6;

/// Overlap of the pieces of a rounded prism where they join, as a fraction of the largest
/// coordinate (no unit).
///
/// A point counts as over a cap or a side only if it is further than this inside the border. The
/// tubes and balls along the border count up to this far outside their surface. 2⁻⁴⁸ is 32
/// roundings. An inside test is off by `ε·L` across the border, and at the tip of a needle by a
/// billion times as much along it. Without the overlap, a motion that grazes two pieces could
/// miss both by rounding. With it, the solver may report a graze that misses by 10⁻¹¹ m. Ten
/// times as much is a graze of 10⁻¹⁰ m, and a tenth is still three roundings. Tested by
/// `nothing_overlaps_past_the_tip_of_a_needle` and
/// `a_grazing_motion_cannot_slip_in_between_a_face_and_its_border`.
pub(crate) const PIECE_OVERLAP: f64 = 1.0 / (1_u64 << 48) as f64;

/// Slope above which a motion leaves a plane beyond any rounding (no unit).
///
/// Normals are known to 10⁻¹³. The motion cannot enter pieces between planes that it leaves,
/// so the solver skips them. Tested by the oracle tests: a larger cutoff costs time, a tenth is
/// still above the error of normals, and a much smaller one (10⁻¹⁶) misses grazing motions.
pub(crate) const LEAVING_SLOPE: f64 = 1e-9;

/// Square of the ratio, 2⁻¹⁸, of height to distance below which a triangle is not resolved
/// in the capsule's frame (no unit).
///
/// Subtracting the capsule's position moves a corner by two roundings of their distance. Over the
/// height of a taller triangle, that turns it by less than 2⁻³², a quarter of [`LEAVING_SLOPE`].
/// Its world normal is then perpendicular to its relative edges. A larger ratio costs time only. A
/// tenth turns the triangle by three times as much, which is still below [`LEAVING_SLOPE`]. Tested
/// by `a_normal_stands_across_the_edges_that_are_seen`.
pub(crate) const UNRESOLVED_SQ: f64 = 1.0 / (1_u64 << 36) as f64;

/// Fraction of the largest coordinate by which a line must pass a round piece to miss it beyond
/// any rounding (no unit).
///
/// The distance of two lines at an angle above that of [`WELL_SPREAD_SQ`] is right to 10³
/// roundings, 10⁻¹³. The full solve handles nearer lines. The same fraction, of the terms of
/// the position along a tube, decides whether a line passes the tube's end. A larger fraction
/// costs time only, and a tenth still covers that rounding. Tested by the oracle tests.
pub(crate) const LINE_MISS: f64 = 1e-12;

/// Part of the motion's direction that is subtracted from a normal which points along a grazing
/// motion by its rounding to f32 (no unit): three ulps.
///
/// The corrected normal opposes the motion. Ten times as much turns it by 10⁻⁴ degrees, far below
/// the promised 0.5°. Pinned from below by `a_corrected_normal_is_the_faces_normal_too`.
pub(crate) const NORMAL_CORRECTION: f64 = 2e-7;

/// Shortest quaternion (no unit) that is accepted as a rotation. Pinned by
/// `a_rotation_must_have_a_length`.
pub(crate) const MIN_ROTATION_LENGTH: f64 = 1e-6;

/// `|normal · axis|` below which an axis counts as lying along the plane (no unit): 0.0006°.
///
/// The two ends of a 2 m axis then differ by 20 µm in height. Pinned by
/// `an_axis_slanted_by_more_than_a_hundred_thousandth_touches_with_one_end`.
pub(crate) const LEVEL_AXIS: f64 = 1e-5;

/// Difference of heights below which two surfaces count as one, where a ray hits an edge or
/// vertex of them. It is 1 nm, plus 1 nm for each metre from the point that heights count from.
///
/// Triangles that share a vertex bit by bit agree there to the last bit. Tiles of different
/// instances agree to a few roundings of their world coordinates, 10⁻¹⁰ m at 10⁶ m. No modelled
/// surfaces are between 0.1 nm and 10 nm apart. Tested by `a_shared_edge_or_vertex_counts_once`.
pub(crate) const SAME_HEIGHT: f64 = 1e-9;

/// Slope at which a motion that slides along a plane leads away from that plane (no unit): four
/// ulps of f32.
///
/// The plane's normal is f32, off by up to 10⁻⁷. So a motion projected exactly onto the plane may
/// still press into the surface, and the next sweep would stop at once. The bias prevents that.
/// A character that walks a metre along a wall drifts 0.25 µm off it. Pinned by
/// `a_walk_of_a_hundred_metres_along_a_wall_drifts_off_it_by_its_bias`.
pub(crate) const PLANE_BIAS: f64 = 2.5e-7;

/// Gap under the skin at which ground still carries a character, as a fraction of its radius (no
/// unit): 1 mm for a person.
///
/// A character at rest has a gap of 0 to a few micrometres. A falling person is a millimetre off
/// the ground after 14 ms. Pinned by `ground_a_millimetre_away_is_stood_on_and_further_is_not`.
pub(crate) const GROUND_GAP: f64 = 1.0 / 300.0;

/// Height by which a step may exceed the step offset, as a fraction of the radius (no unit): 0.1
/// mm for a person.
///
/// A step of exactly the step offset must be climbed, although its vertices are f32 and may lie
/// far from the origin of their mesh. Pinned by
/// `a_step_may_exceed_the_step_offset_by_a_tenth_of_a_millimetre`.
pub(crate) const STEP_SLACK: f64 = 1.0 / 3000.0;

/// Radius of the sphere that finds the faces around an edge and the ground below the axis, as a
/// fraction of the character's radius (no unit).
///
/// Large against the contact tolerance, small against modelled details: 1.2 mm for a person.
/// Pinned by `only_faces_that_meet_at_an_edge_make_it_walkable` and
/// `ground_below_the_axis_may_be_as_low_as_the_plane_of_the_contact`.
pub(crate) const PROBE_RADIUS: f32 = 1.0 / 256.0;

/// Largest distance between the landing of a step and the contact after settling, as a fraction
/// of the radius (no unit). Up to it, both are the same ground.
///
/// Settling moves the contact by a few micrometres. On a steep bevel, a contact further away is
/// other ground, which must be walkable itself. A step onto steep ground uses up the motion, so
/// only settling moves the contact: a factor of 10 finds the same. Tested by
/// `a_steep_landing_is_walkable_only_where_the_step_landed`.
pub(crate) const SAME_LANDING_DISTANCE: f64 = 1e-3;

/// Upward component of a normal below which a surface is upright at any slope limit (no unit): the
/// cosine of 88.9°.
///
/// A walk keeps its level speed on a slope, so on this one it would rise 50 times as fast. Also,
/// the rounding of a wall's normal must not make it a floor. Pinned by
/// `with_no_slope_limit_all_but_upright_walls_are_walked_up`.
pub(crate) const UPRIGHT: f64 = 0.02;

/// Shortest level part of a wall's normal (no unit).
///
/// A ceiling parallel to the floor within a ten-thousandth of a degree gives no direction to slide
/// in. Pinned by `a_ceiling_that_leans_by_more_than_a_millionth_bends_a_walk`.
pub(crate) const LEVEL_WALL: f64 = 1e-6;

/// Largest bias away from a plane that a motion hits repeatedly (no unit): a millimetre per metre,
/// 4096 times [`PLANE_BIAS`].
///
/// Each repeated hit multiplies the bias by 4. A surface that needs more than this is hit for
/// other reasons than rounding. Pinned by
/// `a_plane_that_is_hit_again_gets_four_times_its_bias`.
pub(crate) const MAX_PLANE_BIAS: f64 = 4096.0 * PLANE_BIAS;

/// Clearance between the skin and the surfaces on both sides of a narrow gap, as a fraction of the
/// contact offset (no unit). A skin too thick for the gap is thinned until it fits and leaves
/// this clearance.
///
/// [`PLANE_BIAS`] moves a character between two walls away from both, which needs this clearance.
/// Pinned by `a_thinned_skin_leaves_a_twentieth_of_the_contact_offset`.
pub(crate) const SKIN_CLEARANCE: f32 = 0.05;

/// Margin of the vertical window above and below the heights that a sweep reaches (5 cm).
///
/// A sweep touches up to [`CONTACT_TOLERANCE`] off its path, and heights at 10⁹ m round by less
/// than 10⁻⁶ m. The rest is the reserve that the window's rule asks for. Pinned by
/// `the_window_is_at_least_the_rules_and_five_centimetres_wider_than_the_sweep`.
pub(crate) const WINDOW_MARGIN: f64 = 0.05;

/// Bound on the error of products of two axes of a box, which should be 1 or 0 (no unit).
///
/// Axes from a unit quaternion are off by a few roundings, 10⁻¹⁵. A box of 10⁶ m with axes
/// off by 10⁻¹² is off by 1 µm. Pinned by `a_box_can_be_made_of_its_axes_again`.
pub(crate) const ORTHONORMAL: f64 = 1e-12;

/// Largest rounding in a matrix that becomes a pose (no unit): cosines between its columns that
/// count as 0, errors of its last row, and the volume of unit columns that counts as 0.
///
/// Matrices often come from f32. Rounding moves a unit column by up to 2⁻²⁴, so a cosine or the
/// last row by 2⁻²³ and a volume by 2⁻²² (2·10⁻⁷); products of a few such matrices add up. A
/// cosine at the limit that is read as 0 moves a vertex by half of it: 5 µm for every 10 m of the
/// mesh.
/// Pinned by `rounding_to_f32_is_neither_shear_nor_projection` and `bad_matrices_are_refused`.
pub(crate) const MATRIX_ROUNDING: f64 = 1e-6;

/// Margin of the box that a cache gathers around a swept box, relative to the largest coordinate
/// (no unit).
///
/// It equals the margins of the f32 culling, which are far above all rounding in f64. At 16 km it
/// is 16 mm, which costs nothing. A wider one costs time only, and a tenth is still far above
/// rounding. Tested by `answers_have_the_same_bits_with_and_without_a_cache`.
pub(crate) const CACHE_MARGIN: f64 = 1e-6;

/// Margin of the bounds of a sweep, as a fraction of the radius (no unit).
///
/// A sweep touches up to [`CONTACT_TOLERANCE`] off its path. The rest is the reserve that the rule
/// on swept bounds asks for. Pinned by `swept_bounds_hold_start_and_end_and_a_margin`.
pub(crate) const SWEPT_MARGIN: f64 = 0.01;

/// Least margin of the bounds of a sweep (1 mm). Pinned by
/// `swept_bounds_hold_start_and_end_and_a_margin`.
pub(crate) const MIN_SWEPT_MARGIN: f64 = 1e-3;

/// Cosine (no unit) of the angle between a motion and the up axis, above which the vertical window
/// extends along the motion: within 60° of up or down. Pinned by
/// `a_window_extends_for_motions_within_sixty_degrees_of_vertical`.
pub(crate) const STEEP_COS: f64 = 0.5;

/// Angle (degrees) by which a slope may exceed a limit that is given in degrees.
///
/// Normals are f32, off by up to 10⁻⁵ degrees; modelled slopes are off by more. Pinned by
/// `a_slope_of_exactly_the_limit_in_degrees_is_walked`.
pub(crate) const SLOPE_SLACK_DEGREES: f64 = 0.01;

/// Bound on the rounding error of the length of a unit vector (no unit).
///
/// A normalised vector is off by a few roundings; a vector within this bound is taken as it is.
/// Pinned by `a_unit_vector_is_taken_as_it_is`.
pub(crate) const UNIT_LENGTH_ERROR: f64 = 8.0 * f64::EPSILON;

/// Bound on the rounding of a closest point, relative to its coordinates (no unit).
///
/// Over the distance of the closest points it is the error of the direction between them. Pinned
/// by `a_normal_is_as_uncertain_as_its_closest_points`.
pub(crate) const CLOSEST_POINT_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Radius of the capsule that stands for a bare axis (10 µm).
///
/// Small against everything modelled, but above [`CONTACT_TOLERANCE`], so that its overlaps count.
/// No test pins it: any radius between the tolerance and the details of a level serves.
pub(crate) const AXIS_RADIUS: f32 = 1e-5;

/// A push-out that misses a constraint by less than this (0.5 µm) meets it.
///
/// The remaining depth is too shallow to count as an overlap. No test pins it: any value below
/// [`CONTACT_TOLERANCE`] and above rounding serves.
pub(crate) const CONSTRAINT_TOLERANCE: f64 = 0.25 * CONTACT_TOLERANCE;

/// Dot product (no unit) of two planes' normals below which the planes face each other: within
/// 2.6° of opposite.
///
/// A motion between such planes can be lifted off neither. Pinned by
/// `planes_within_three_degrees_of_opposite_face_each_other`.
pub(crate) const OPPOSITE_COS: f64 = -0.999;

/// A motion that makes less than this fraction of its length is blocked (no unit). Pinned by
/// `a_walk_that_makes_a_fiftieth_of_its_length_is_not_blocked`.
pub(crate) const BLOCKED_FRACTION: f64 = 0.01;

/// A character that falls on a surface and makes less than this fraction of its motion is stuck
/// (no unit). Pinned by `a_fall_that_makes_a_fiftieth_of_its_length_keeps_its_speed`.
pub(crate) const STUCK_FRACTION: f64 = 0.01;

/// How far the feet of a swimmer may be from the float line and still count as at it, relative to
/// the character's height (no unit): 4.5 cm for a person.
///
/// Above the line it still swims, and below the line it can jump out of the water. Heights of
/// liquids that are stored as u16 differ by up to 3 cm between neighbouring tiles, so a smaller
/// slack would switch the mode to and fro. Pinned by
/// `a_swimmer_is_at_the_float_line_within_a_fortieth_of_its_height`.
pub(crate) const FLOAT_SLACK: f64 = 1.0 / 40.0;

/// Least distance of a crushed character's centre from a surface, as a fraction of its radius (no
/// unit). Pinned by `the_centre_of_a_crushed_character_keeps_its_distance`.
pub(crate) const CENTER_GAP: f32 = 1e-3;

// Liquids.

/// How far outside of a liquid sheet, a room's box or a ground a point still counts as on its rim
/// (1 nm, on top of the rounding of the pose).
///
/// Sheets of neighbouring tiles meet at their rims, and rounding must leave no gap between them:
/// 10⁻¹⁰ m at 10⁶ m. Pinned by `a_point_counts_as_on_the_rim_within_a_nanometre`.
pub(crate) const RIM_SLACK: f64 = 1e-9;

/// How far below the ground, or below the floor of a room, a point still counts as on it (5 cm).
///
/// Game servers round positions to f32 or to a centimetre, and u16 heights of neighbouring tiles
/// differ by up to 3 cm. A character that stands on the bed of a lake must stay in the lake.
/// Pinned by `a_point_counts_as_on_the_ground_within_five_centimetres`.
pub(crate) const BELOW_GROUND: f64 = 0.05;

// Culling. These constants keep f32 arithmetic in range and its margins above its rounding.
// Culling may only reject with a proven margin, so a wider margin changes the cost and no answer.
// A narrower one may reject a hit. But the margins cover the worst case of every rounding at once,
// so a tenth of most of them rejects no hit that a test has found. So they claim no test. The
// tests of `tests/cull` and those of brute force run all of them.

/// Half width of a line for culling, on top of rounding (4 nm): more than any slack at its ends.
pub(crate) const LINE_MARGIN: f64 = 4.0 * END_SLACK;

/// Bound on the f32 rounding of a distance, relative to its terms (no unit).
///
/// Rounded inputs and three rounded products and sums make 8 · 2⁻²⁴; this is twice that.
pub(crate) const ROUNDING_ERROR: f32 = 1.0 / (1 << 20) as f32;

/// Twice [`CONTACT_TOLERANCE`] (4 µm): added to the radius wherever it must not be too small.
pub(crate) const TWICE_TOLERANCE: f32 = 2.0 * CONTACT_TOLERANCE as f32;

/// Ratio of height to edges (no unit) below which f32 culling cannot tell whether a triangle is
/// degenerate, and so has no sides. It is above [`DEGENERATE_RATIO`] by a factor of 4.
pub(crate) const MAYBE_DEGENERATE: f32 = 1.0 / (1_u64 << 38) as f32;

/// Smallest ratio of a triangle's area vector to the product of two edges (no unit). The direction
/// of a thinner triangle is too uncertain in f32 to reject it.
pub(crate) const MIN_FACE_SHAPE: f32 = 1.0 / 1024.0;

/// Longest sum of edges (metres) of triangles that may be rejected by their direction. Products of
/// four lengths then stay well within the range of f32.
pub(crate) const MAX_FACE_EDGES: f32 = 1e6;

/// Smallest area vector (m²) of triangles that may be rejected by their direction, for the same
/// reason.
pub(crate) const MIN_FACE_AREA: f32 = 1e-12;

/// A capsule axis within this angle (radians) of the motion counts as parallel to it: over a
/// kilometre that is a nanometre.
pub(crate) const PARALLEL_ANGLE: f64 = 1e-12;

/// Beyond this angle (radians) from the motion, the part of the axis across the motion is known to
/// 10⁻¹⁰ of itself, far better than f32.
pub(crate) const NEARLY_PARALLEL_ANGLE: f64 = 1e-6;

/// A cross product of axis and motion (m²) below this loses digits when it is squared. The axis is
/// then within 10⁻⁵⁰ m of the line of any motion that has a direction.
pub(crate) const MIN_CROSS_LENGTH: f64 = 1e-150;

/// Longest time per metre (fraction of the motion per metre) of motions that have a direction in
/// f32.
pub(crate) const MAX_INV_SPEED: f64 = 1e20;

/// Motions below this length (metres) lose their direction in f32, so they cull no back faces.
pub(crate) const TINY_MOTION: f32 = 1e-20;

/// Largest time (fraction of the motion) that culling handles. A limit above it comes only with
/// motions below 10⁻³⁰ m: the rest of their path is far below the margins. It is finite, so that
/// the product with a motion of zero stays zero.
pub(crate) const MAX_TIME: f64 = 1e30;

/// Largest time per unit of length. A slower motion covers less than any margin within the limit,
/// and the product with the largest coordinate, 10⁹, is still a finite f32.
pub(crate) const MAX_INV_MOTION: f32 = 1e28;

/// Smallest square of a length (m²) or product of lengths that counts. A smaller one underflows in
/// f32 as soon as it is squared or multiplied again.
pub(crate) const MIN_SQUARE: f32 = 1e-30;

/// Smallest speed of approach to an edge (m³, as `n` is not a unit vector). A capsule that is
/// apart and does not approach stays apart: this makes its distance huge.
pub(crate) const MIN_APPROACH: f32 = 1e-30;

/// Rounding of a chain of claims, beside the allowances (1 mm, and 1 ms of clocks).
///
/// A move ends within 2 µm of its contacts, and a character stands up to a millimetre above the
/// ground. Tested by `whatever_locomotion_does_is_possible`; a larger slack only gives a cheat a
/// centimetre.
pub(crate) const CLAIM_SLACK: f64 = 1e-3;

/// Thickness that the body of a validation has less than the true one, beside the allowance for
/// positions (1 mm). The true body may touch surfaces within 2 µm; the rest is for positions that
/// are rounded on their way. Tested by `whatever_locomotion_does_is_possible`.
pub(crate) const CLAIM_SHRINK: f64 = 1e-3;

/// How far under claimed feet ground still carries them, beside the allowance for positions (2
/// mm): [`GROUND_GAP`] of a person is 1 mm. Tested by `whatever_locomotion_does_is_possible`.
pub(crate) const SUPPORT_SLACK: f64 = 2e-3;

/// How near the controller must come to a claim that it tries to walk to (2 cm). The tested body
/// makes the rest of the way. Tested by `whatever_locomotion_does_is_possible`: farther or nearer,
/// the search decides instead.
pub(crate) const WALK_TOLERANCE: f64 = 0.02;

/// How far a replay may end from the claim, beside the allowance for positions (1 mm). The client
/// and the server run the same code; the rest is for clients that round their inputs. Tested by
/// `inputs_that_lead_to_the_claim_prove_it`.
pub(crate) const REPLAY_TOLERANCE: f64 = 1e-3;
