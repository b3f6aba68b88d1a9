//! Command transcripts: the binary is run as a person runs it.

mod boards;
mod cases;
mod explains;
mod games;
mod hidden;
mod records;
mod rules;
mod run;
mod runs;
