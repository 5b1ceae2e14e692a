//! Sets of the cells of a terrain tile.

/// Cells along a side of a tile.
pub const CELLS: usize = 128;

/// A set of the 128 × 128 cells of a tile, by row and column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSet {
    /// One number for each row; bit `col` stands for the cell in that column.
    rows: Box<[u128; CELLS]>,
}

impl CellSet {
    /// The set without cells.
    pub fn empty() -> Self {
        Self { rows: Box::new([0; CELLS]) }
    }

    /// The set of the cells for which `holds(row, col)` is true.
    pub(super) fn of(mut holds: impl FnMut(usize, usize) -> bool) -> Self {
        let mut set = Self::empty();
        for (row, bits) in set.rows.iter_mut().enumerate() {
            for col in (0..CELLS).filter(|&col| holds(row, col)) {
                *bits |= 1 << col;
            }
        }
        set
    }

    /// Whether the cell is in the set. No cell is beyond row or column 127.
    pub fn contains(&self, row: usize, col: usize) -> bool {
        col < CELLS && self.rows.get(row).is_some_and(|bits| bits >> col & 1 == 1)
    }

    /// Number of cells in the set.
    pub fn count(&self) -> u32 {
        self.rows.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Whether no cell is in the set.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&bits| bits == 0)
    }

    /// The 128 rows; bit `col` of a row stands for the cell in that column.
    pub fn rows(&self) -> &[u128; CELLS] {
        &self.rows
    }
}
