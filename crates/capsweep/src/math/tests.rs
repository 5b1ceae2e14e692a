//! The lanes of the processor and plain loops agree in every bit.

use crate::math::{F32x4, F32x8, F64x4, Kernel, Plain, WIDTH, dispatch};
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

/// Every operation on two octets; the bits of what came out.
struct Everything {
    a: [f32; WIDTH],
    b: [f32; WIDTH],
    bytes: [u8; WIDTH],
}

/// Numbers as bits, NaN as one number: its payload is nobody's promise.
fn bits(values: [f32; WIDTH]) -> [u32; WIDTH] {
    values.map(|value| if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() })
}

impl Kernel for Everything {
    type Output = ([[u32; WIDTH]; 13], [u32; 3]);

    #[inline(always)]
    fn run<L: F32x8>(self) -> Self::Output {
        let (a, b) = (L::load(&self.a), L::load(&self.b));
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
            L::load_bytes(self.bytes),
            L::splat(self.a[3]),
        ];
        let masks = [a.le_mask(b), b.le_mask(a), a.le_mask(a)];
        (values.map(|value| bits(value.store())), masks)
    }
}

fn assert_lanes_agree(a: [f32; WIDTH], b: [f32; WIDTH], bytes: [u8; WIDTH]) {
    let wide = dispatch(Everything { a, b, bytes });
    let plain = Everything { a, b, bytes }.run::<Plain>();
    assert_eq!(wide, plain, "{a:?} {b:?} {bytes:?}");
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
    struct Estimates([f32; WIDTH]);
    impl Kernel for Estimates {
        type Output = [f32; WIDTH];

        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            L::load(&self.0).rough_inverse_root().store()
        }
    }
    let mut random = Rng::new(&[12]);
    for _ in 0..50_000 {
        let values = [0; WIDTH].map(|_| random.log_range(1e-35, 1e35) as f32);
        for estimates in [dispatch(Estimates(values)), Estimates(values).run::<Plain>()] {
            for (value, estimate) in values.into_iter().zip(estimates) {
                let exact = 1.0 / value.sqrt();
                assert!((estimate - exact).abs() <= exact / 2048.0, "{value}");
            }
        }
    }
}

#[test]
fn every_lane_has_its_turn_and_the_last_is_listed_first() {
    struct LastFirst([f32; WIDTH], u32);
    impl Kernel for LastFirst {
        type Output = ([f32; WIDTH], [u32; WIDTH]);

        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            let Self(values, bits) = self;
            L::load(&values).sort_descending(bits, L::load(&values), &[0, 1, 2, 3, 4, 5, 6, 7])
        }
    }
    let mut random = Rng::new(&[4]);
    for round in 0..20_000 {
        let values = [0; WIDTH].map(|_| match round % 3 {
            0 => f32::from_bits(random.bits() as u32),
            1 => random.below(3) as f32,
            _ => random.unit() as f32,
        });
        let bits = 1 + random.below(255);
        let (keys, lanes) = dispatch(LastFirst(values, bits));
        let (plain_keys, plain_lanes) = LastFirst(values, bits).run::<Plain>();
        let count = bits.count_ones() as usize;
        let said = format!("{values:?} {bits:b} {lanes:?}");
        assert_eq!(lanes[..count], plain_lanes[..count], "{said}");
        assert_eq!(bits, lanes[..count].iter().map(|lane| 1 << lane).sum::<u32>(), "{said}");
        for keys in [keys, plain_keys] {
            let theirs = lanes.map(|lane| values[lane as usize].to_bits());
            assert_eq!(keys.map(f32::to_bits)[..count], theirs[..count], "{said}");
        }
        for pair in lanes[..count].windows(2) {
            let [later, sooner] = [pair[0], pair[1]].map(|lane| values[lane as usize]);
            let is_larger = later >= 0.0 && sooner > later * (1.0 + 8.0 * f32::EPSILON) + 1e-40;
            assert!(!is_larger, "{said}");
        }
    }
}

#[test]
fn the_smallest_of_the_lanes_that_are_asked_for_is_found() {
    struct Smallest([f32; WIDTH], u32, f32);
    impl Kernel for Smallest {
        type Output = (usize, [u32; 2]);

        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            let Self(values, bits, most) = self;
            let (all, most) = (L::load(&values), L::splat(most));
            let words = core::array::from_fn(|i| if bits >> i & 1 == 1 { 7 } else { 8 });
            let (set, low) = (all.if_set(bits), all.if_at_most(all, most));
            let finite = [set.le_mask(L::splat(f32::MAX)), low.le_mask(L::splat(f32::MAX))];
            assert_eq!(all.unless(&words, 7).le_mask(L::splat(f32::MIN)), bits);
            (set.smallest(), finite)
        }
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
        for (smallest, finite) in
            [dispatch(Smallest(values, bits, most)), Smallest(values, bits, most).run::<Plain>()]
        {
            assert_eq!(finite, [bits, low]);
            assert!(bits >> smallest & 1 == 1, "{values:?} {bits:b}");
            assert!(set().all(|i| values[smallest] <= values[i]), "{values:?} {bits:b}");
        }
    }
}

/// What quads are for, on four numbers, exponents and spans of bytes.
struct EverythingOfQuads {
    a: [f32; 4],
    b: [f32; 4],
    exponents: [u8; 4],
    spans: [[[u8; WIDTH]; 2]; 3],
}

impl Kernel for EverythingOfQuads {
    type Output = ([[u32; WIDTH]; 27], [u32; 2]);

    #[inline(always)]
    fn run<L: F32x8>(self) -> Self::Output {
        let (a, b) = (L::F32x4::load(self.a), L::F32x4::load(self.b));
        let powers = L::F32x4::powers_of_two(self.exponents);
        let over_powers = L::F32x4::over_powers_of_two(self.exponents);
        let quads =
            [a + b, a - b, a * b, a / b, a.abs(), a.max(b), a.with_sign_of(b), powers, over_powers];
        let axes = quads.map(|quad| {
            [L::of_axis::<0>(quad), L::of_axis::<1>(quad), L::of_axis::<2>(quad)]
                .map(|axis| bits(axis.store()))
        });
        let mut values = [[0; WIDTH]; 27];
        values.copy_from_slice(axes.as_flattened());
        let shared = [L::overlap_u8(&self.spans, a, b), L::overlap_u8(&self.spans, b, a)];
        (values, shared)
    }
}

#[test]
fn quads_and_spans_of_bytes_agree() {
    let mut random = Rng::new(&[3]);
    let mut shared = 0;
    for round in 0..50_000 {
        let mut number = || {
            let value = SPECIAL[random.below(SPECIAL.len() as u32) as usize];
            // What is no number never comes to a grid.
            let value = if value.is_nan() { 255.5 } else { value };
            if random.chance(0.2) { value } else { random.range(-40.0, 300.0) as f32 }
        };
        let (a, b) = ([0; 4].map(|_| number()), [0; 4].map(|_| number()));
        let exponents = [0; 4].map(|_| 1 + random.below(253) as u8);
        let spans = [0; 3].map(|_| [0; 2].map(|_| random.bits().to_le_bytes()));
        let everything = || EverythingOfQuads { a, b, exponents, spans };
        let wide = dispatch(everything());
        assert_eq!(
            wide,
            everything().run::<Plain>(),
            "{round}: {a:?} {b:?} {exponents:?} {spans:?}"
        );
        shared += wide.1[0].count_ones();
    }
    assert!(shared > 5_000, "{shared} shared");
}

#[test]
fn quads_agree_on_all_of_their_numbers() {
    struct AsOne([f32; 4], [f32; 4], [f64; 4]);
    impl Kernel for AsOne {
        type Output = ([[u32; 4]; 3], u32, bool);

        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            let (a, b) = (L::F32x4::load(self.0), L::F32x4::load(self.1));
            let quads = [L::F32x4::splat(self.0[2]), L::narrowed(L::F64x4::load(self.2))];
            let [splat, narrowed] = quads.map(|quad| quad.store().map(f32::to_bits));
            ([splat, narrowed, a.signs()], a.sum_of_three().to_bits(), a.all_at_most(b))
        }
    }
    let mut random = Rng::new(&[4]);
    let mut at_most = 0;
    for round in 0..50_000 {
        let mut number = || random.range(-40.0, 300.0);
        let wide = [0; 4].map(|_| number() * 1.1);
        let a = [0; 4].map(|_| number() as f32);
        let b = a.map(|value| value + (number() as f32).max(0.0) - 0.5);
        let found = dispatch(AsOne(a, b, wide));
        assert_eq!(found, AsOne(a, b, wide).run::<Plain>(), "{round}: {a:?} {b:?} {wide:?}");
        at_most += u32::from(found.2);
    }
    assert!(at_most > 10_000 && at_most < 40_000, "{at_most} at most");
}

/// The second operand comes out where neither is smaller: where one is NaN, and of two zeros.
#[test]
fn min_and_max_take_the_second_of_equals() {
    struct Ends([f32; WIDTH], [f32; WIDTH]);
    impl Kernel for Ends {
        type Output = [[f32; WIDTH]; 2];

        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            let (a, b) = (L::load(&self.0), L::load(&self.1));
            [a.min(b).store(), a.max(b).store()]
        }
    }
    for ends in dispatch(Ends([f32::NAN; WIDTH], [2.0; WIDTH])) {
        assert_eq!(ends, [2.0; WIDTH]);
    }
    for ends in dispatch(Ends([2.0; WIDTH], [f32::NAN; WIDTH])) {
        assert!(ends.iter().all(|value| value.is_nan()));
    }
    for ends in dispatch(Ends([0.0; WIDTH], [-0.0; WIDTH])) {
        assert!(ends.iter().all(|value| value.is_sign_negative()));
    }
}

/// Every operation on two quartets; the bits of what came out.
struct EverythingOfFour {
    a: [f64; 4],
    b: [f64; 4],
}

impl Kernel for EverythingOfFour {
    type Output = ([[u64; 4]; 18], [u32; 4]);

    #[inline(always)]
    fn run<L: F32x8>(self) -> Self::Output {
        let (a, b) = (L::F64x4::load(self.a), L::F64x4::load(self.b));
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
            L::F64x4::splat(self.a[3]),
            L::F64x4::splat(a.first()),
            L::F64x4::widen(self.a.map(|value| value as f32)),
            a.cross(b),
            L::F64x4::splat(a.dot(b)),
        ];
        let masks = [a.le_mask(b), b.le_mask(a), a.lt_mask(b), a.lt_mask(a)];
        let bits = |value: f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
        (values.map(|value| value.store().map(bits)), masks)
    }
}

#[test]
fn four_lanes_agree_on_special_values_and_random_bits() {
    let agree = |a: [f64; 4], b: [f64; 4]| {
        let wide = dispatch(EverythingOfFour { a, b });
        let plain = EverythingOfFour { a, b }.run::<Plain>();
        assert_eq!(wide, plain, "{a:?} {b:?}");
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

/// Lanes that repeat every so often are the next corner's.
#[test]
fn the_next_lane_is_the_next_corner() {
    struct Next;
    impl Kernel for Next {
        type Output = [[f64; 4]; 4];

        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            let lanes = |count: usize| L::F64x4::load([0, 1, 2, 3].map(|i| (i % count) as f64));
            [
                lanes(1).next::<1>().store(),
                lanes(2).next::<2>().store(),
                lanes(3).next::<3>().store(),
                lanes(4).next::<4>().store(),
            ]
        }
    }
    let want = [[0.0; 4], [1.0, 0.0, 1.0, 0.0], [1.0, 2.0, 0.0, 1.0], [1.0, 2.0, 3.0, 0.0]];
    assert_eq!(dispatch(Next), want);
    assert_eq!(Next.run::<Plain>(), want);
}
