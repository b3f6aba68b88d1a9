//! Command transcripts: the binary is run as a person runs it.

mod boards;
mod cases;
mod executors;
mod explains;
mod games;
mod hidden;
mod hostile;
mod matches;
mod pictures;
mod protocols;
mod records;
mod rules;
mod run;
mod runs;
mod solves;
mod trains;
