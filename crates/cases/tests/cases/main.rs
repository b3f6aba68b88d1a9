//! Cases: how they are read, and what they are judged by.

mod judging;
mod reading;
