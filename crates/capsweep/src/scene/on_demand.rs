//! [`OnDemand`]: a shared part of a map file that is read when it is first needed.

use core::fmt;
use std::sync::{Arc, OnceLock};

/// Reads a part; `None` if it is damaged.
type Load<T> = Arc<dyn Fn() -> Option<Arc<T>> + Send + Sync>;

/// A part that is at hand, or that is read when it is first needed.
#[derive(Clone)]
pub(crate) struct OnDemand<T> {
    value: OnceLock<Option<Arc<T>>>,
    load: Option<Load<T>>,
}

impl<T> OnDemand<T> {
    /// A part that `load` reads.
    pub(crate) fn new(load: impl Fn() -> Option<Arc<T>> + Send + Sync + 'static) -> Self {
        Self { value: OnceLock::new(), load: Some(Arc::new(load)) }
    }

    /// The part; `None` if it is damaged.
    #[inline]
    pub(crate) fn get(&self) -> Option<&Arc<T>> {
        self.value.get_or_init(|| self.load.as_ref().and_then(|load| load())).as_ref()
    }
}

impl<T> From<Arc<T>> for OnDemand<T> {
    fn from(value: Arc<T>) -> Self {
        Self { value: OnceLock::from(Some(value)), load: None }
    }
}

impl<T: fmt::Debug> fmt::Debug for OnDemand<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.get().fmt(f)
    }
}
