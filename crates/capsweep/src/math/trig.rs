//! Sine and cosine from sums and products in a fixed order: the same bits on every platform.
//!
//! The maths libraries of platforms differ in their last bits, so nothing that decides an answer
//! may call them.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI};

/// Largest magnitude of an angle (radians) that [`sin_cos`] takes: 159 000 turns.
///
/// Up to it the number of quarter turns is below 2²⁰, so its products with the parts of π/2 are
/// exact.
pub(crate) const MAX_ANGLE: f64 = 1e6;

/// π/2 in four parts. The first three have 33 bits each, so that their products with a number
/// below 2²⁰ are exact. All four together leave 10⁻⁴⁷ of π/2 out.
const QUARTER_TURN: [f64; 4] = [
    f64::from_bits(0x3ff9_21fb_5440_0000),
    f64::from_bits(0x3dd0_b461_1a60_0000),
    f64::from_bits(0x3ba3_198a_2e00_0000),
    f64::from_bits(0x397b_839a_2520_49c1),
];

/// Sine and cosine of an angle in radians, at most [`MAX_ANGLE`] in magnitude. Each is off by less
/// than one unit in its last place.
///
/// The angle is reduced to −π/4..π/4 by whole quarter turns, with twice the digits of f64: an f64
/// may lie as close as 6·10⁻¹⁹ to a multiple of π/2, and the rest must still have all its digits.
pub(crate) fn sin_cos(radians: f64) -> (f64, f64) {
    let turns = (radians * FRAC_2_PI).round();
    let [first, second, third, fourth] = QUARTER_TURN.map(|part| turns * part);
    // Exact: both numbers are within a factor of 2 of each other, or `turns` is 0.
    let (sum, error) = exact_sum(radians - first, -second);
    let (sum, third_error) = exact_sum(sum, -third);
    let rest = error + third_error - fourth;
    let high = sum + rest;
    let low = sum - high + rest;
    let (sin, cos) = (sin_series(high, low), cos_series(high, low));
    // `turns` is a whole number below 2²⁰.
    match turns as i32 & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// Angle in radians, −π to π, of the vector (`x`, `y`); 0 for one without a direction. It is off
/// by a few units in its last place.
///
/// From a first guess within 0.3, each round adds the tangent of the angle that is left. An error
/// e becomes tan e − e, about e³/3: 10⁻², 10⁻⁶, then rounding.
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let longest = x.abs().max(y.abs());
    if longest < f64::MIN_POSITIVE || !x.is_finite() || !y.is_finite() {
        return 0.0;
    }
    let (x, y) = (x / longest, y / longest);
    // The ratio of the shorter to the longer leg is its angle from the nearest axis within 0.22.
    let mut angle = match (x.abs() >= y.abs(), x > 0.0, y > 0.0) {
        (true, true, _) => y / x,
        (true, false, true) => PI + y / x,
        (true, false, false) => y / x - PI,
        (false, _, true) => FRAC_PI_2 - x / y,
        (false, _, false) => -FRAC_PI_2 - x / y,
    };
    for _ in 0..4 {
        let (sin, cos) = sin_cos(angle);
        angle += (y * cos - x * sin) / (x * cos + y * sin);
    }
    angle
}

/// The rounded sum of two numbers, and the rest that rounding took off it (Knuth's two-sum).
fn exact_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// Sine of `x + low` for |x| ≤ π/4, where `low` is below the last place of `x`.
///
/// The series is x − x³/3! + x⁵/5! − … up to x¹⁷; the rest is below 2·10⁻¹⁹ of the sine. With `z`
/// for x², `low` adds `low · cos x`, which is `low · (1 − z/2)` to rounding.
fn sin_series(x: f64, low: f64) -> f64 {
    let z = x * x;
    let mut series = 1.0 / FACTORIALS[17];
    for n in [15, 13, 11, 9, 7, 5, 3] {
        series = 1.0 / FACTORIALS[n] - z * series;
    }
    // x − x³ · series, with the small terms added first.
    x - (z * x * series - (low - 0.5 * z * low))
}

/// Cosine of `x + low` for |x| ≤ π/4, where `low` is below the last place of `x`.
///
/// The series is 1 − x²/2! + x⁴/4! − … up to x¹⁸; the rest is below 4·10⁻²¹. `low` subtracts
/// `low · sin x`, which is `low · x` to rounding.
fn cos_series(x: f64, low: f64) -> f64 {
    let z = x * x;
    let mut series = 1.0 / FACTORIALS[18];
    for n in [16, 14, 12, 10, 8, 6, 4] {
        series = 1.0 / FACTORIALS[n] - z * series;
    }
    // 1 − z/2 is rounded; what that takes off goes to the small terms.
    let half = 0.5 * z;
    let leading = 1.0 - half;
    leading + ((1.0 - leading - half) + (z * z * series - x * low))
}

/// `n!`, exact in f64.
const FACTORIALS: [f64; 19] = {
    let mut factorials = [1.0; 19];
    let mut n = 1;
    while n < factorials.len() {
        factorials[n] = factorials[n - 1] * n as f64;
        n += 1;
    }
    factorials
};

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "std's sine is the reference, within a bound")]
mod tests {
    use super::{MAX_ANGLE, atan2, sin_cos};
    use capsweep_testkit::Rng;
    use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    /// Distance of two numbers in units of the last place of the second.
    fn ulps(found: f64, expected: f64) -> f64 {
        let ulp = f64::from_bits(expected.abs().to_bits() + 1) - expected.abs();
        (found - expected).abs() / ulp
    }

    /// Values from arithmetic of 200 bits, rounded to f64. The bits are these on every platform.
    #[test]
    fn sine_and_cosine_have_these_values() {
        for (angle, sin, cos) in [
            (0.0, 0.0, 1.0),
            (1e-300, 1e-300, 1.0),
            (1e-10, 1e-10, 1.0),
            (0.1, 0.099_833_416_646_828_15, 0.995_004_165_278_025_8),
            (0.5, 0.479_425_538_604_203, 0.877_582_561_890_372_8),
            (1.0, 0.841_470_984_807_896_5, 0.540_302_305_868_139_8),
            (FRAC_PI_2, 1.0, 6.123_233_995_736_766e-17),
            (2.0, 0.909_297_426_825_681_7, -0.416_146_836_547_142_4),
            // Without the second half of the rest these round otherwise.
            (2.25, 0.778_073_196_887_921_2, -0.628_173_622_722_739_1),
            (3.75, -0.571_561_318_742_343_7, -0.820_559_357_339_560_8),
            (3.0, 0.141_120_008_059_867_2, -0.989_992_496_600_445_4),
            (-4.0, 0.756_802_495_307_928_2, -0.653_643_620_863_611_9),
            (-100.0, 0.506_365_641_109_758_8, 0.862_318_872_287_683_9),
            (12_345.678, -0.704_081_313_753_381_6, 0.710_119_358_716_062_8),
            (999_999.9, -0.441_764_157_902_611_4, 0.897_131_221_612_867_8),
            (MAX_ANGLE, -0.349_993_502_171_292_94, 0.936_752_127_533_144_7),
            // The four f64 below `MAX_ANGLE` that come closest to a multiple of π/2.
            (45.553_093_477_052, 1.0, -6.189_806_365_883_577e-19),
            (91.106_186_954_104, -1.237_961_273_176_715_4e-18, -1.0),
            (182.212_373_908_208, 2.475_922_546_353_431e-18, 1.0),
            (364.424_747_816_416, 4.951_845_092_706_862e-18, 1.0),
        ] {
            let found = sin_cos(angle);
            assert_eq!(found, (sin, cos), "{angle}");
            let mirrored = sin_cos(-angle);
            assert_eq!((mirrored.0, mirrored.1), (-found.0, found.1));
        }
    }

    #[test]
    fn the_angle_of_a_vector_is_that_of_std_to_a_few_units() {
        let mut rng = Rng::new(&[7, 13]);
        for round in 0..200_000 {
            let scale = if round % 2 == 0 { 1.0 } else { rng.log_range(1e-300, 1e300) };
            let (y, x) = (rng.range(-1.0, 1.0) * scale, rng.range(-1.0, 1.0) * scale);
            let (found, expected) = (atan2(y, x), y.atan2(x));
            assert!((found - expected).abs() <= 1e-15, "{y:e} {x:e}: {found} {expected}");
        }
        for (y, x, angle) in [
            (0.0, 1.0, 0.0),
            (1.0, 0.0, FRAC_PI_2),
            (-1.0, 0.0, -FRAC_PI_2),
            (0.0, 0.0, 0.0),
            (1.0, 1.0, FRAC_PI_4),
        ] {
            assert_eq!(atan2(y, x), angle, "{y} {x}");
        }
        assert_eq!(atan2(0.0, -1.0).abs(), core::f64::consts::PI);
        assert_eq!(atan2(f64::NAN, 1.0), 0.0);
    }

    /// std is right to half a unit and a little, and so is this: they differ by one unit at most.
    #[test]
    fn sine_and_cosine_are_those_of_std_to_the_last_place() {
        let mut rng = Rng::new(&[7, 12]);
        let check = |angle: f64| {
            let (found, (sin, cos)) = (sin_cos(angle), angle.sin_cos());
            assert!(ulps(found.0, sin) <= 1.0, "sine of {angle:?}: {} {sin}", found.0);
            assert!(ulps(found.1, cos) <= 1.0, "cosine of {angle:?}: {} {cos}", found.1);
        };
        for reach in [1e-6, 0.8, 2.0, 7.0, 1e3, MAX_ANGLE] {
            for _ in 0..100_000 {
                check(rng.range(-reach, reach));
            }
        }
        // Around every multiple of π/4: the ends of the series, and the roots.
        for eighth in 1..=1_273_239 {
            let angle = f64::from(eighth) * FRAC_PI_4;
            check(angle);
            check(angle.next_up());
            check(-angle.next_down());
        }
    }
}
