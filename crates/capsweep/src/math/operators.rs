//! The four arithmetic operators, written once for every lane type.

/// Operators of `Scalar`, an array of `$number`, as loops.
macro_rules! scalar_operators {
    ($number:ty) => {
        impl Scalar {
            #[inline(always)]
            fn zip(self, other: Self, f: impl Fn($number, $number) -> $number) -> Self {
                Self(core::array::from_fn(|i| f(self.0[i], other.0[i])))
            }
        }
        scalar_operators!(Add add +, Sub sub -, Mul mul *, Div div /);
    };
    ($($operator:ident $method:ident $sign:tt),*) => {$(
        impl core::ops::$operator for Scalar {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |a, b| a $sign b)
            }
        }
    )*};
}

/// Operators of a register, one instruction each.
#[cfg(target_arch = "x86_64")]
macro_rules! register_operators {
    ($register:ident: $add:ident, $sub:ident, $mul:ident, $div:ident) => {
        register_operators!($register: Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);
    };
    ($register:ident: $($operator:ident $method:ident $instruction:ident),*) => {$(
        impl core::ops::$operator for $register {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: values of this type exist only where AVX2 does.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
pub(crate) use register_operators;
pub(crate) use scalar_operators;
