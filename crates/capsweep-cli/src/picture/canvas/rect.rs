//! Rectangles on the canvas.

use glam::DVec2;

/// An axis-aligned rectangle, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    pub(crate) low: DVec2,
    pub(crate) high: DVec2,
}

impl Rect {
    pub(crate) fn centered(center: DVec2, size: DVec2) -> Self {
        Self { low: center - size / 2.0, high: center + size / 2.0 }
    }

    pub(crate) fn size(&self) -> DVec2 {
        self.high - self.low
    }

    /// Larger by `margin` on every side.
    pub(crate) fn grown(&self, margin: f64) -> Self {
        Self { low: self.low - margin, high: self.high + margin }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.low.cmplt(other.high).all() && self.high.cmpgt(other.low).all()
    }

    pub(crate) fn contains(&self, point: DVec2) -> bool {
        point.cmpge(self.low).all() && point.cmple(self.high).all()
    }

    /// The part of a line segment inside the rectangle (Liang–Barsky).
    pub(crate) fn clip(&self, [a, b]: [DVec2; 2]) -> Option<[DVec2; 2]> {
        let offset = b - a;
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            for (slope, room) in [
                (-offset[axis], a[axis] - self.low[axis]),
                (offset[axis], self.high[axis] - a[axis]),
            ] {
                if slope == 0.0 && room < 0.0 {
                    return None;
                } else if slope < 0.0 {
                    from = from.max(room / slope);
                } else if slope > 0.0 {
                    to = to.min(room / slope);
                }
            }
        }
        (from < to).then(|| [a + offset * from, a + offset * to])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    #[test]
    fn lines_are_clipped_at_the_border() {
        let rect = Rect { low: dvec2(0.0, 0.0), high: dvec2(10.0, 5.0) };
        let line = |ax, ay, bx, by| rect.clip([dvec2(ax, ay), dvec2(bx, by)]);
        assert_eq!(line(1.0, 1.0, 2.0, 3.0), Some([dvec2(1.0, 1.0), dvec2(2.0, 3.0)]));
        assert_eq!(line(-5.0, 2.0, 15.0, 2.0), Some([dvec2(0.0, 2.0), dvec2(10.0, 2.0)]));
        assert_eq!(line(4.0, -1.0, 4.0, 9.0), Some([dvec2(4.0, 0.0), dvec2(4.0, 5.0)]));
        assert_eq!(line(-1.0, 2.0, -1.0, 3.0), None);
        assert_eq!(line(-3.0, 4.0, 1.0, 8.0), None, "past the corner");
    }
}
