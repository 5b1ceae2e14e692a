//! The common interface of all batches: columns of queries, and rows of answers.

use crate::{FieldError, v1};

/// Columns of queries. Their lengths are checked.
pub trait Queries: Sync {
    /// The library's type.
    type Query;

    /// Number of queries.
    fn rows(&self) -> usize;

    /// The query in a row.
    ///
    /// # Errors
    /// If a value in the row is bad.
    fn query(&self, row: usize) -> Result<Self::Query, FieldError>;
}

/// A batch of answers as columns.
pub trait Answers: Default {
    /// The library's type.
    type Answer;

    /// Reserves memory for this many answers.
    fn reserve(&mut self, answers: usize);

    /// Adds the answer to a query. Queries come in ascending order.
    fn push(&mut self, query: u32, answer: &Self::Answer);

    /// Appends the answers of later queries. Neither `self` nor `other` is finished yet.
    fn append(&mut self, other: Self);

    /// Finishes the columns after the last answer.
    fn finish(&mut self) {}

    /// All answers with the numbers of their queries.
    ///
    /// # Errors
    /// If the columns have different lengths, or a value is bad.
    fn answers(&self) -> Result<Vec<(u32, Self::Answer)>, FieldError>;

    /// The queries that were refused.
    fn errors_mut(&mut self) -> &mut Vec<v1::QueryError>;

    /// The revision of the world.
    fn revision_mut(&mut self) -> &mut u64;

    /// Notes that a query was refused.
    fn refuse(&mut self, query: u32, error: FieldError) {
        let FieldError { field, message } = error;
        self.errors_mut().push(v1::QueryError { query, field, message });
    }
}

/// The parts of [`Answers`] that are the same for all messages.
macro_rules! common_parts {
    () => {
        fn errors_mut(&mut self) -> &mut Vec<v1::QueryError> {
            &mut self.errors
        }

        fn revision_mut(&mut self) -> &mut u64 {
            &mut self.revision
        }
    };
}

/// Appends the columns of a message to those of another one: plain columns, then messages.
macro_rules! join {
    ($self:ident, $other:ident; $($column:ident),+ $(; $($nested:ident),+)?) => {
        $($self.$column.append(&mut $other.$column);)+
        $($(if let Some(nested) = $other.$nested.take() {
            $self.$nested.get_or_insert_default().append(nested);
        })+)?
    };
}

/// Reserves rows in columns of a width.
macro_rules! reserve {
    ($self:ident, $rows:expr; $($width:literal: $($column:ident),+);+) => {
        $($($self.$column.reserve($width * $rows);)+)+
    };
}

pub(crate) use {common_parts, join, reserve};

/// The answer to one query of a batch.
pub type Answered<T> = Result<T, v1::QueryError>;

/// The answers of `count` queries in order.
///
/// # Errors
/// If the message is malformed, or names a query that the batch does not have.
pub fn in_order<A: Answers>(
    mut message: A,
    count: usize,
) -> Result<Vec<Answered<Option<A::Answer>>>, FieldError> {
    let mut all: Vec<Answered<Option<A::Answer>>> = (0..count).map(|_| Ok(None)).collect();
    let mut place = |query: u32, answer| {
        let Some(slot) = all.get_mut(query as usize) else {
            let message = format!("there is no query {query} among {count}");
            return Err(FieldError::new("query", message));
        };
        *slot = answer;
        Ok(())
    };
    for (query, answer) in message.answers()? {
        place(query, Ok(Some(answer)))?;
    }
    for error in core::mem::take(message.errors_mut()) {
        place(error.query, Err(error))?;
    }
    Ok(all)
}
