//! Vector instructions and the scalar fallback agree in every bit.

use crate::math::{F32x4, F32x8, F64x4, Scalar, WIDTH, with_lanes};
use capsweep_testkit::Rng;

const SPECIAL: [f32; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1e-45,
    -1e-45,
    1e-40,
    f32::EPSILON,
    1.000_000_1,
    3.0,
    -7.25,
    1e30,
    16_777_217.0,
];

/// Numbers as bits. Every NaN becomes the same one: its payload is not specified.
fn bits(values: [f32; WIDTH]) -> [u32; WIDTH] {
    values.map(|value| if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() })
}

/// Every operation of [`F32x8`] on two operands: the bits of the results, and the masks.
#[inline(always)]
fn eight_lane_operations<L: F32x8>(
    a: [f32; WIDTH],
    b: [f32; WIDTH],
    bytes: [u8; WIDTH],
) -> ([[u32; WIDTH]; 13], [u32; 3]) {
    let splat = L::splat(a[3]);
    let (a, b) = (L::load(&a), L::load(&b));
    let values = [
        a + b,
        a - b,
        a * b,
        a / b,
        a.min(b),
        a.max(b),
        a.abs(),
        a.negated_if_negative(b),
        a.swapped_if_negative(b, a).0,
        a.swapped_if_negative(b, a).1,
        a.sqrt(),
        L::load_bytes(bytes),
        splat,
    ];
    let masks = [a.le_mask(b), b.le_mask(a), a.le_mask(a)];
    (values.map(|value| bits(value.store())), masks)
}

fn assert_lanes_agree(a: [f32; WIDTH], b: [f32; WIDTH], bytes: [u8; WIDTH]) {
    let wide = with_lanes!(|L| eight_lane_operations::<L>(a, b, bytes));
    let scalar = eight_lane_operations::<Scalar>(a, b, bytes);
    assert_eq!(wide, scalar, "{a:?} {b:?} {bytes:?}");
}

#[test]
fn lanes_agree_on_special_values() {
    for (i, &one) in SPECIAL.iter().enumerate() {
        for &other in &SPECIAL {
            let mut a = [one; WIDTH];
            a[i % WIDTH] = other;
            assert_lanes_agree(a, [other; WIDTH], [0, 1, 2, 127, 128, 254, 255, 77]);
        }
    }
}

#[test]
fn lanes_agree_on_random_bits() {
    let mut random = Rng::new(&[1]);
    for _ in 0..50_000 {
        let a = [0; WIDTH].map(|_| f32::from_bits(random.bits() as u32));
        let b = [0; WIDTH].map(|_| f32::from_bits(random.bits() as u32));
        assert_lanes_agree(a, b, random.bits().to_le_bytes());
        let a = [0; WIDTH].map(|_| (random.unit() * 10.0 - 5.0) as f32);
        let b = [0; WIDTH].map(|_| random.unit() as f32);
        assert_lanes_agree(a, b, random.bits().to_le_bytes());
    }
}

#[test]
fn estimates_are_good_to_eleven_bits() {
    #[inline(always)]
    fn estimate<L: F32x8>(values: [f32; WIDTH]) -> [f32; WIDTH] {
        L::load(&values).rsqrt_estimate().store()
    }
    let mut random = Rng::new(&[12]);
    for _ in 0..50_000 {
        let values = [0; WIDTH].map(|_| random.log_range(1e-35, 1e35) as f32);
        for estimates in [with_lanes!(|L| estimate::<L>(values)), estimate::<Scalar>(values)] {
            for (value, estimate) in values.into_iter().zip(estimates) {
                let exact = 1.0 / value.sqrt();
                assert!((estimate - exact).abs() <= exact / 2048.0, "{value}");
            }
        }
    }
}

#[test]
fn selected_lanes_are_sorted_in_descending_order() {
    #[inline(always)]
    fn sort<L: F32x8>(values: [f32; WIDTH], bits: u32) -> ([f32; WIDTH], [u32; WIDTH]) {
        L::load(&values).sort_descending(bits, L::load(&values), &[0, 1, 2, 3, 4, 5, 6, 7])
    }
    let mut random = Rng::new(&[4]);
    for round in 0..20_000 {
        let values = [0; WIDTH].map(|_| match round % 3 {
            0 => f32::from_bits(random.bits() as u32),
            1 => random.below(3) as f32,
            _ => random.unit() as f32,
        });
        let bits = 1 + random.below(255);
        let (keys, lanes) = with_lanes!(|L| sort::<L>(values, bits));
        let (scalar_keys, scalar_lanes) = sort::<Scalar>(values, bits);
        let count = bits.count_ones() as usize;
        let context = format!("{values:?} {bits:b} {lanes:?}");
        assert_eq!(lanes[..count], scalar_lanes[..count], "{context}");
        assert_eq!(bits, lanes[..count].iter().map(|lane| 1 << lane).sum::<u32>(), "{context}");
        for keys in [keys, scalar_keys] {
            let theirs = lanes.map(|lane| values[lane as usize].to_bits());
            assert_eq!(keys.map(f32::to_bits)[..count], theirs[..count], "{context}");
        }
        for pair in lanes[..count].windows(2) {
            let [later, sooner] = [pair[0], pair[1]].map(|lane| values[lane as usize]);
            let is_larger = later >= 0.0 && sooner > later * (1.0 + 8.0 * f32::EPSILON) + 1e-40;
            assert!(!is_larger, "{context}");
        }
    }
}

#[test]
fn the_smallest_of_the_selected_lanes_is_found() {
    #[inline(always)]
    fn min_lane<L: F32x8>(values: [f32; WIDTH], bits: u32, most: f32) -> (usize, [u32; 2]) {
        let (all, most) = (L::load(&values), L::splat(most));
        let words = core::array::from_fn(|i| if bits >> i & 1 == 1 { 7 } else { 8 });
        let (set, low) = (all.if_set(bits), all.if_at_most(all, most));
        let finite = [set.le_mask(L::splat(f32::MAX)), low.le_mask(L::splat(f32::MAX))];
        assert_eq!(all.neg_infinity_where(&words, 7).le_mask(L::splat(f32::MIN)), bits);
        (set.min_lane(), finite)
    }
    let mut random = Rng::new(&[5]);
    for round in 0..20_000 {
        let values = [0; WIDTH].map(|_| match round % 2 {
            0 => random.below(3) as f32 - 1.0,
            _ => random.unit() as f32 - 0.5,
        });
        let (bits, most) = (1 + random.below(255), random.unit() as f32 - 0.5);
        let low = (0..WIDTH).filter(|i| values[*i] <= most).map(|i| 1 << i).sum::<u32>();
        let set = || (0..WIDTH).filter(|i| bits >> i & 1 == 1);
        for (smallest, finite) in [
            with_lanes!(|L| min_lane::<L>(values, bits, most)),
            min_lane::<Scalar>(values, bits, most),
        ] {
            assert_eq!(finite, [bits, low]);
            assert!(bits >> smallest & 1 == 1, "{values:?} {bits:b}");
            assert!(set().all(|i| values[smallest] <= values[i]), "{values:?} {bits:b}");
        }
    }
}

/// Four numbers each, exponents, and byte intervals.
type Quads = ([f32; 4], [f32; 4], [u8; 4], [[[u8; WIDTH]; 2]; 3]);

/// Every operation of [`F32x4`] whose result is a vector, and the overlaps of byte intervals.
#[inline(always)]
fn quad_operations<L: F32x8>((a, b, exponents, spans): Quads) -> ([[u32; WIDTH]; 27], [u32; 2]) {
    let (a, b) = (L::F32x4::load(a), L::F32x4::load(b));
    let powers = L::F32x4::powers_of_two(exponents);
    let over_powers = L::F32x4::over_powers_of_two(exponents);
    let quads =
        [a + b, a - b, a * b, a / b, a.abs(), a.max(b), a.with_sign_of(b), powers, over_powers];
    let axes = quads.map(|quad| {
        [L::splat_axis::<0>(quad), L::splat_axis::<1>(quad), L::splat_axis::<2>(quad)]
            .map(|axis| bits(axis.store()))
    });
    let mut values = [[0; WIDTH]; 27];
    values.copy_from_slice(axes.as_flattened());
    (values, [L::overlap_u8(&spans, a, b), L::overlap_u8(&spans, b, a)])
}

#[test]
fn quads_and_byte_intervals_agree() {
    let mut random = Rng::new(&[3]);
    let mut shared = 0;
    for round in 0..50_000 {
        let mut number = || {
            let value = SPECIAL[random.below(SPECIAL.len() as u32) as usize];
            // No NaN reaches the grid of a node.
            let value = if value.is_nan() { 255.5 } else { value };
            if random.chance(0.2) { value } else { random.range(-40.0, 300.0) as f32 }
        };
        let (a, b) = ([0; 4].map(|_| number()), [0; 4].map(|_| number()));
        let exponents = [0; 4].map(|_| 1 + random.below(253) as u8);
        let spans = [0; 3].map(|_| [0; 2].map(|_| random.bits().to_le_bytes()));
        let input = (a, b, exponents, spans);
        let wide = with_lanes!(|L| quad_operations::<L>(input));
        assert_eq!(wide, quad_operations::<Scalar>(input), "{round}: {input:?}");
        shared += wide.1[0].count_ones();
    }
    assert!(shared > 5_000, "{shared} shared");
}

#[test]
fn quads_agree_across_their_lanes() {
    #[inline(always)]
    fn reductions<L: F32x8>(
        a: [f32; 4],
        b: [f32; 4],
        wide: [f64; 4],
    ) -> ([[u32; 4]; 4], u32, bool) {
        let quads = [L::F32x4::splat(a[2]), L::narrowed(L::F64x4::load(wide))];
        let [splat, narrowed] = quads.map(|quad| quad.store().map(f32::to_bits));
        let (a, b) = (L::F32x4::load(a), L::F32x4::load(b));
        let whole = a.max(L::F32x4::splat(0.0)).truncated();
        ([splat, narrowed, a.signs(), whole], a.sum_of_three().to_bits(), a.all_le(b))
    }
    let mut random = Rng::new(&[4]);
    let mut at_most = 0;
    for round in 0..50_000 {
        let mut number = || random.range(-40.0, 300.0);
        let wide = [0; 4].map(|_| number() * 1.1);
        let a = [0; 4].map(|_| number() as f32);
        let b = a.map(|value| value + (number() as f32).max(0.0) - 0.5);
        let found = with_lanes!(|L| reductions::<L>(a, b, wide));
        assert_eq!(found, reductions::<Scalar>(a, b, wide), "{round}: {a:?} {b:?} {wide:?}");
        at_most += u32::from(found.2);
    }
    assert!(at_most > 10_000 && at_most < 40_000, "{at_most} at most");
}

/// `min` and `max` return the second operand for NaN and for two zeros.
#[test]
fn min_and_max_take_the_second_of_equals() {
    fn min_and_max(a: f32, b: f32) -> [[f32; WIDTH]; 2] {
        with_lanes!(|L| {
            let (a, b) = (<L as F32x8>::splat(a), <L as F32x8>::splat(b));
            [a.min(b).store(), a.max(b).store()]
        })
    }
    for values in min_and_max(f32::NAN, 2.0) {
        assert_eq!(values, [2.0; WIDTH]);
    }
    for values in min_and_max(2.0, f32::NAN) {
        assert!(values.iter().all(|value| value.is_nan()));
    }
    for values in min_and_max(0.0, -0.0) {
        assert!(values.iter().all(|value| value.is_sign_negative()));
    }
}

/// Every operation of [`F64x4`] on two operands: the bits of the results, and the masks.
#[inline(always)]
fn four_lane_operations<F: F64x4>(
    a_values: [f64; 4],
    b_values: [f64; 4],
) -> ([[u64; 4]; 18], [u32; 4]) {
    let (a, b) = (F::load(a_values), F::load(b_values));
    let values = [
        a + b,
        a - b,
        a * b,
        a / b,
        a.min(b),
        a.max(b),
        a.abs(),
        a.sqrt(),
        a.next::<1>(),
        a.next::<2>(),
        a.next::<3>(),
        a.next::<4>(),
        a.if_less(b, a, b),
        F::splat(a_values[3]),
        F::splat(a.first()),
        F::widen(a_values.map(|value| value as f32)),
        a.cross(b),
        F::splat(a.dot(b)),
    ];
    let masks = [a.le_mask(b), b.le_mask(a), a.lt_mask(b), a.lt_mask(a)];
    let bits = |value: f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
    (values.map(|value| value.store().map(bits)), masks)
}

type ScalarF64x4 = <Scalar as F32x8>::F64x4;

#[test]
fn four_lanes_agree_on_special_values_and_random_bits() {
    let agree = |a: [f64; 4], b: [f64; 4]| {
        let wide = with_lanes!(|L| four_lane_operations::<<L as F32x8>::F64x4>(a, b));
        assert_eq!(wide, four_lane_operations::<ScalarF64x4>(a, b), "{a:?} {b:?}");
    };
    for (i, &one) in SPECIAL.iter().enumerate() {
        for &other in &SPECIAL {
            let mut a = [f64::from(one); 4];
            a[i % 4] = f64::from(other);
            agree(a, [f64::from(other); 4]);
        }
    }
    let mut random = Rng::new(&[2]);
    for _ in 0..50_000 {
        agree(
            [0; 4].map(|_| f64::from_bits(random.bits())),
            [0; 4].map(|_| f64::from_bits(random.bits())),
        );
        agree([0; 4].map(|_| random.unit() - 0.5), [0; 4].map(|_| random.unit()));
    }
}

#[test]
fn the_next_lane_is_the_next_corner() {
    #[inline(always)]
    fn next<F: F64x4>() -> [[f64; 4]; 4] {
        let lanes = |count: usize| F::load([0, 1, 2, 3].map(|i| (i % count) as f64));
        [
            lanes(1).next::<1>().store(),
            lanes(2).next::<2>().store(),
            lanes(3).next::<3>().store(),
            lanes(4).next::<4>().store(),
        ]
    }
    let want = [[0.0; 4], [1.0, 0.0, 1.0, 0.0], [1.0, 2.0, 0.0, 1.0], [1.0, 2.0, 3.0, 0.0]];
    assert_eq!(with_lanes!(|L| next::<<L as F32x8>::F64x4>()), want);
    assert_eq!(next::<ScalarF64x4>(), want);
}
