//! Command transcripts: the binary is run as a person runs it.

mod rules;
mod run;
mod runs;
