//! Why a message is refused.

use capsweep::ShapeError;
use capsweep::controller::ConfigError;
use core::fmt;

/// A field of a message with a bad value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// Path of the field, such as `capsule.radius`.
    pub field: String,
    /// The problem with its value.
    pub message: String,
}

// Errors are rare: marked as cold, they do not keep what may fail from being inlined.
impl FieldError {
    /// A bad field.
    #[cold]
    pub fn new(field: impl Into<String>, message: impl fmt::Display) -> Self {
        Self { field: field.into(), message: message.to_string() }
    }

    /// A required field is missing.
    #[cold]
    pub fn missing(field: &str) -> Self {
        Self::new(field, "it is missing")
    }

    /// A number that is no value of the enum.
    #[cold]
    pub fn unknown(field: &str, value: i32) -> Self {
        Self::new(field, format_args!("{value} is no value of this enum"))
    }

    /// An error of the library in a field.
    #[cold]
    pub fn of(field: &str, error: ShapeError) -> Self {
        // The library's field names need not be identifiers: `axis length`.
        Self::new(format!("{field}.{}", error.field().replace(' ', "_")), error)
    }

    /// An error of the library in the message itself.
    #[cold]
    pub fn top(error: ShapeError) -> Self {
        Self::new(error.field(), error)
    }

    /// A bad configuration.
    #[cold]
    pub fn config(field: &str, error: ConfigError) -> Self {
        match error {
            ConfigError::Number(error) => Self::of(field, error),
            error => Self::new(field, error),
        }
    }

    /// The same error in a field of a larger message.
    #[must_use]
    #[cold]
    pub fn within(self, field: &str) -> Self {
        Self { field: format!("{field}.{}", self.field), ..self }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl core::error::Error for FieldError {}

/// Prefixes an error with the enclosing field.
pub(crate) trait Within<T> {
    fn within(self, field: &str) -> Result<T, FieldError>;
}

impl<T> Within<T> for Result<T, FieldError> {
    fn within(self, field: &str) -> Self {
        self.map_err(|error| error.within(field))
    }
}

impl<T> Within<T> for Result<T, ShapeError> {
    fn within(self, field: &str) -> Result<T, FieldError> {
        self.map_err(|error| FieldError::of(field, error))
    }
}
