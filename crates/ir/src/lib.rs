//! The typed intermediate representation that all rule languages and executors share.
