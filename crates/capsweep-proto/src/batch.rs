//! The common interface of all batches: columns of queries, and rows of answers.

use crate::{FieldError, Omit, v1};

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

    /// Columns that the answer leaves out.
    fn omit(&self) -> Omit {
        Omit::NONE
    }
}

/// A batch of answers as columns.
pub trait Answers: Default {
    /// The library's type.
    type Answer;

    /// Reserves memory for this many answers.
    fn reserve(&mut self, answers: usize);

    /// As [`Answers::reserve`], for answers without some columns.
    fn reserve_without(&mut self, answers: usize, _omit: Omit) {
        self.reserve(answers);
    }

    /// Adds the answer to a query. Queries come in ascending order.
    fn push(&mut self, query: u32, answer: &Self::Answer);

    /// As [`Answers::push`], without some columns. They are the same for all answers.
    fn push_without(&mut self, query: u32, answer: &Self::Answer, _omit: Omit) {
        self.push(query, answer);
    }

    /// Moves the answers of later queries to the end. Neither `self` nor `other` is finished yet.
    /// The columns of `other` are empty afterwards, but keep their memory.
    fn append(&mut self, other: &mut Self);

    /// Number of rows: without nested columns such as contacts.
    fn rows(&self) -> usize;

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

/// The parts of [`Answers`] that are the same for all messages. The rows are in the message itself
/// or in a nested one.
macro_rules! common_parts {
    (@rows $of:ident) => { $of.query.len() };
    (@rows $of:ident $nested:ident) => {
        $of.$nested.as_ref().map_or(0, |nested| nested.query.len())
    };
    ($($nested:ident)?) => {
        fn rows(&self) -> usize {
            common_parts!(@rows self $($nested)?)
        }

        fn errors_mut(&mut self) -> &mut Vec<v1::QueryError> {
            &mut self.errors
        }

        fn revision_mut(&mut self) -> &mut u64 {
            &mut self.revision
        }
    };
}

/// Moves the columns of a message to the end of those of another one: plain columns, then
/// messages.
macro_rules! join {
    ($self:ident, $other:ident; $($column:ident),+ $(; $($nested:ident),+)?) => {
        $($self.$column.append(&mut $other.$column);)+
        $($(if let Some(nested) = &mut $other.$nested {
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
    let mut all: Vec<Answered<Option<A::Answer>>> = Vec::with_capacity(count);
    let mut place = |query: u32, answer| {
        let row = query as usize;
        if row >= count {
            let message = format!("there is no query {query} among {count}");
            return Err(FieldError::new("query", message));
        }
        // Queries ascend, so most answers are the next one. An outcome is large: it moves once.
        while all.len() < row {
            all.push(Ok(None));
        }
        if row == all.len() {
            all.push(answer);
        } else {
            all[row] = answer;
        }
        Ok(())
    };
    for (query, answer) in message.answers()? {
        place(query, Ok(Some(answer)))?;
    }
    for error in core::mem::take(message.errors_mut()) {
        place(error.query, Err(error))?;
    }
    all.resize_with(count, || Ok(None));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::{Answers as _, in_order};
    use crate::{FieldError, v1};
    use capsweep::query::Liquid;
    use capsweep::scene::LiquidKind;

    fn liquid(depth: f64) -> Liquid {
        Liquid { surface: 1.0, depth, kind: LiquidKind::Water, number: 0 }
    }

    #[test]
    fn answers_in_any_order_take_their_places() {
        let mut message = v1::LiquidBatchResponse::default();
        for (query, depth) in [(4, 4.0), (1, 1.0), (5, 5.0)] {
            message.push(query, &liquid(depth));
        }
        message.refuse(2, FieldError::missing("point"));
        message.refuse(6, FieldError::missing("point"));
        let all = in_order(message.clone(), 8).unwrap();
        let depth = |found: &Option<Liquid>| found.as_ref().map(|found| found.depth);
        let depths: Vec<_> = all.iter().map(|one| one.as_ref().map(depth).ok()).collect();
        let found = |depth| Some(Some(depth));
        let (none, refused) = (Some(None), None);
        let expected = [none, found(1.0), refused, none, found(4.0), found(5.0), refused, none];
        assert_eq!(depths, expected);
        assert!(in_order(message, 6).is_err(), "a query that the batch does not have");
    }
}
