//! [`Buckets`]: a counting sort for welding vertices and matching edges.

/// Items sorted by bucket number: a counting sort, then a sort within each bucket. Time is linear
/// in the number of items if buckets are small.
#[derive(Debug)]
pub(crate) struct Buckets<T> {
    /// End of each bucket in `items`.
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Buckets<T> {
    /// Distributes at most `u32::MAX` items, each with the number of its bucket, below `count`. A
    /// bucket keeps the order of the input.
    pub(crate) fn distribute(count: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut ends = vec![0_u32; count];
        for (bucket, _) in items.clone() {
            ends[bucket as usize] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            let size = *end;
            *end = total;
            total += size;
        }
        let mut sorted = vec![T::default(); total as usize];
        for (bucket, item) in items {
            let end = &mut ends[bucket as usize];
            sorted[*end as usize] = item;
            *end += 1;
        }
        Self { ends, items: sorted }
    }

    /// Sorts each bucket by `sort` and passes it to `visit`, in order. Empty buckets are left out.
    pub(crate) fn each_sorted(mut self, sort: impl Fn(&mut [T]), mut visit: impl FnMut(&[T])) {
        let mut start = 0;
        for end in self.ends {
            let bucket = &mut self.items[start as usize..end as usize];
            start = end;
            if bucket.len() > 1 {
                sort(bucket);
            }
            if !bucket.is_empty() {
                visit(bucket);
            }
        }
    }
}
