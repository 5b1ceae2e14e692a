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
/// Its height after `t` seconds is a known function of the upward speed at the first claim, which
/// lies between two bounds. Each further claim narrows them. All claims are compared with the
/// first one, so rounding does not accumulate, and a wrong gravity is detected within a few tenths
/// of a second.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Flight {
    /// Claimed height at the first claim (metres along up).
    height: f64,
    /// Bounds of the upward speed at the first claim.
    slowest: f64,
    fastest: f64,
    /// Seconds since then.
    time: f64,
}

impl Flight {
    pub(crate) fn new(height: f64, slowest: f64, fastest: f64) -> Self {
        Self { height, slowest, fastest, time: 0.0 }
    }

    /// Height and bounds of the speed at the first claim, and the seconds since then.
    pub(crate) fn numbers(&self) -> [f64; 4] {
        [self.height, self.slowest, self.fastest, self.time]
    }

    /// Bounds of the height `dt` seconds after the last claim, without contacts.
    pub(crate) fn heights(&self, gravity: &Gravity, dt: f64) -> [f64; 2] {
        let t = self.time + dt;
        [
            self.height + gravity.lowest(self.slowest, t),
            self.height + gravity.highest(self.fastest, t),
        ]
    }

    /// Bounds of the upward speed at the last claim.
    pub(crate) fn speeds(&self, gravity: &Gravity) -> [f64; 2] {
        let fall = gravity.acceleration * self.time;
        [
            (self.slowest - fall).max(-gravity.terminal),
            (self.fastest - fall).max(-gravity.slowest_terminal),
        ]
    }

    /// The flight after another claim at `height`, which was within the bounds. `error` is the
    /// largest error of the difference of two heights.
    pub(crate) fn after(&self, gravity: &Gravity, dt: f64, height: f64, error: f64) -> Self {
        let time = self.time + dt;
        let mut next = Self { time, ..*self };
        let capped = self.slowest - gravity.acceleration * time <= -gravity.slowest_terminal;
        if time > 0.0 && !capped {
            let mean = (height - self.height) / time + 0.5 * gravity.acceleration * time;
            next.slowest = next.slowest.max(mean - error / time);
            next.fastest = next.fastest.min(mean + error / time).max(next.slowest);
        }
        next
    }
}
