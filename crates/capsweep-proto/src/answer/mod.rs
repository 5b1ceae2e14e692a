//! Answers of queries: from the library's types to messages, and back.

mod hit;
mod liquid;
mod support;
