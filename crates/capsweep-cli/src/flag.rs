//! Flags whose value is a list of numbers, such as `--motion 0,0,-5`.

use anyhow::{Error, Result, anyhow};

/// The name of a flag without dashes, and the form of its value for help and errors.
#[derive(Debug)]
pub(crate) struct Flag {
    pub(crate) name: &'static str,
    pub(crate) form: &'static str,
}

pub(crate) const CAPSULE: Flag = Flag { name: "capsule", form: "x,y,z,x,y,z,radius" };
pub(crate) const FEET: Flag = Flag { name: "feet", form: "x,y,z" };
pub(crate) const AXIS: Flag = Flag { name: "axis", form: "x,y,z" };
pub(crate) const ORIGIN: Flag = Flag { name: "origin", form: "x,y,z" };
pub(crate) const POINT: Flag = Flag { name: "point", form: "x,y,z" };
pub(crate) const START: Flag = Flag { name: "start", form: "x,y,z" };
pub(crate) const CENTRE: Flag = Flag { name: "centre", form: "x,y,z" };
pub(crate) const MOTION: Flag = Flag { name: "motion", form: "x,y,z" };
pub(crate) const DIRECTION: Flag = Flag { name: "direction", form: "x,y,z" };
pub(crate) const TRIANGLE: Flag = Flag { name: "triangle", form: "x,y,z,x,y,z,x,y,z" };
pub(crate) const BOX: Flag = Flag { name: "box", form: "x,y,z,hx,hy,hz[,qx,qy,qz,qw]" };
pub(crate) const SPHERE: Flag = Flag { name: "sphere", form: "x,y,z,radius" };
pub(crate) const OTHER_CAPSULE: Flag = Flag { name: "other-capsule", form: "x,y,z,x,y,z,radius" };
pub(crate) const HALF_SPACE: Flag = Flag { name: "half-space", form: "x,y,z,nx,ny,nz" };

impl Flag {
    /// Parses exactly `N` numbers.
    pub(crate) fn numbers<const N: usize>(&self, text: &str) -> Result<[f64; N]> {
        let numbers = self.list(text)?;
        let got = numbers.len();
        numbers.try_into().map_err(|_| self.wrong_count(&N.to_string(), text, got))
    }

    /// Parses any count of numbers.
    pub(crate) fn list(&self, text: &str) -> Result<Vec<f64>> {
        text.split(',').map(|part| self.number(part.trim())).collect()
    }

    fn number(&self, part: &str) -> Result<f64> {
        let Self { name, form } = self;
        part.parse()
            .map_err(|_| anyhow!("--{name} needs numbers {form}; '{part}' is not a number"))
    }

    pub(crate) fn wrong_count(&self, needed: &str, text: &str, got: usize) -> Error {
        let Self { name, form } = self;
        anyhow!("--{name} needs {needed} numbers {form}; got {got} in '{text}'")
    }
}
