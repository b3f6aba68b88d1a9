//! Notation, judged on small games with awkward names.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;
mod engines;
mod games;
mod readers;
mod records;
mod universal;
mod zsg;
