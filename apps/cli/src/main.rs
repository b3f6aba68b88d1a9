//! The command line: `dagaz`.
fn main() {}
