//! A Rust file has one subject. One of 1,500 lines has several; split it long before.

use super::at;
use crate::workspace::File;

const LINES: usize = 1_500;

pub(super) fn findings(file: &File) -> Option<String> {
    let lines = file.text.lines().count();
    (lines > LINES).then(|| at(file, LINES + 1, &format!("the file has {lines} lines, more than {LINES}")))
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;

    #[test]
    fn the_limit_is_exact() {
        assert!(super::findings(&file("a.rs", &"\n".repeat(1_500))).is_none());
        assert!(super::findings(&file("a.rs", &"\n".repeat(1_501))).is_some());
    }
}
