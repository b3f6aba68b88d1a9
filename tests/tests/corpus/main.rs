//! Rule files that nobody here wrote, and what holds of the rules in them and of bundled ones.

mod executors;
mod files;
mod reach;
