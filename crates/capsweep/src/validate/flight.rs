//! Flights: bounds on the height of a character without support.

/// Gravity and terminal speeds of a fall (m/s², m/s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gravity {
    pub(crate) acceleration: f64,
    /// Terminal speed of the fastest fall.
    pub(crate) terminal: f64,
    /// Terminal speed of the slowest fall: lower with the ability to fall slowly.
    pub(crate) slowest_terminal: f64,
}

impl Gravity {
    /// Height gained after `t` seconds from an upward `speed`, with this terminal speed.
    fn height(&self, speed: f64, t: f64, terminal: f64) -> f64 {
        let speed = speed.max(-terminal);
        let falling = (speed + terminal) / self.acceleration;
        if self.acceleration == 0.0 || t <= falling {
            return speed * t - 0.5 * self.acceleration * t * t;
        }
        speed * falling - 0.5 * self.acceleration * falling * falling - terminal * (t - falling)
    }

    /// Largest height after `t` seconds.
    pub(crate) fn highest(&self, speed: f64, t: f64) -> f64 {
        self.height(speed, t, self.slowest_terminal)
    }

    /// Smallest height after `t` seconds.
    pub(crate) fn lowest(&self, speed: f64, t: f64) -> f64 {
        self.height(speed, t, self.terminal)
    }

    /// Largest height during the flight, in at most `t` seconds.
    pub(crate) fn peak(&self, speed: f64, t: f64) -> f64 {
        if speed <= 0.0 {
            return 0.0;
        }
        let rise_time = if self.acceleration > 0.0 { speed / self.acceleration } else { t };
        self.height(speed, t.min(rise_time), self.slowest_terminal)
    }

    /// Seconds until an upward `speed` has gained `height` metres; `None` if it never does.
    pub(crate) fn time_to_rise(&self, speed: f64, height: f64) -> Option<f64> {
        let left = speed * speed - 2.0 * self.acceleration * height;
        // From `h = v·t − g·t²/2`; this form has no division by g, which may be 0.
        (speed > 0.0 && left >= 0.0).then(|| 2.0 * height / (speed + left.sqrt()))
    }

    /// Seconds until the fastest fall from an upward `speed` is `depth` metres below its start.
    pub(crate) fn time_to_fall(&self, speed: f64, depth: f64) -> f64 {
        if depth <= 0.0 {
            return 0.0;
        }
        let g = self.acceleration;
        if g == 0.0 {
            return if speed < 0.0 { depth / -speed } else { f64::INFINITY };
        }
        let free = (speed + (speed * speed + 2.0 * g * depth).sqrt()) / g;
        let capped = (speed.max(-self.terminal) + self.terminal) / g;
        if free <= capped {
            return free;
        }
        let fallen = -self.height(speed, capped, self.terminal);
        capped + (depth - fallen) / self.terminal
    }
}

/// A ballistic flight since its first claim, and the heights that it allows.
///
/// Its true height after `t` seconds is a known function of the true height and the upward speed
/// at the first claim, which each lie between two bounds. Each further claim narrows those of the
/// speed. All claims are compared with the first one, so rounding does not accumulate, and a wrong
/// gravity is detected within a few tenths of a second.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Flight {
    /// Bounds of the true height at the first claim (metres along up).
    low: f64,
    high: f64,
    /// Bounds of the upward speed at the first claim.
    slowest: f64,
    fastest: f64,
    /// Seconds since then.
    time: f64,
}

impl Flight {
    /// A flight that begins between two heights, with an upward speed between two bounds.
    pub(crate) fn new([low, high]: [f64; 2], [slowest, fastest]: [f64; 2]) -> Self {
        Self { low, high, slowest, fastest, time: 0.0 }
    }

    /// Bounds of the height and of the speed at the first claim, and the seconds since then.
    pub(crate) fn numbers(&self) -> [f64; 5] {
        [self.low, self.high, self.slowest, self.fastest, self.time]
    }

    /// Bounds of the true height `dt` seconds after the last claim, without contacts.
    pub(crate) fn heights(&self, gravity: &Gravity, dt: f64) -> [f64; 2] {
        let t = self.time + dt;
        [self.low + gravity.lowest(self.slowest, t), self.high + gravity.highest(self.fastest, t)]
    }

    /// The flight moved up by `rise` metres.
    pub(crate) fn raised(&self, rise: f64) -> Self {
        Self { low: self.low + rise, high: self.high + rise, ..*self }
    }

    /// The same flight, counted from the last claim.
    pub(crate) fn rebased(&self, gravity: &Gravity) -> Self {
        Self::new(self.heights(gravity, 0.0), self.speeds(gravity))
    }

    /// The flight of a character that may also get the upward speed `rise` at any time.
    pub(crate) fn knocked(&self, gravity: &Gravity, rise: f64) -> Self {
        let Self { low, high, slowest, fastest, .. } = self.rebased(gravity);
        Self::new([low, high], [slowest.min(rise), fastest.max(rise)])
    }

    /// Bounds of the upward speed at the last claim.
    pub(crate) fn speeds(&self, gravity: &Gravity) -> [f64; 2] {
        let fall = gravity.acceleration * self.time;
        [
            (self.slowest - fall).max(-gravity.terminal),
            (self.fastest - fall).max(-gravity.slowest_terminal),
        ]
    }

    /// The flight after another claim, which was within the bounds. `least` and `most` bound the
    /// true height at that claim.
    pub(crate) fn after(&self, gravity: &Gravity, dt: f64, [least, most]: [f64; 2]) -> Self {
        let time = self.time + dt;
        let mut next = Self { time, ..*self };
        let capped = self.slowest - gravity.acceleration * time <= -gravity.slowest_terminal;
        if time > 0.0 && !capped {
            // From `h = h₀ + v·t − g·t²/2`.
            let fallen = 0.5 * gravity.acceleration * time;
            next.slowest = next.slowest.max((least - self.high) / time + fallen);
            next.fastest = next.fastest.min((most - self.low) / time + fallen).max(next.slowest);
        }
        next
    }
}
