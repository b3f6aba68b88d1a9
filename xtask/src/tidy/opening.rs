//! A Rust file opens with what it is for: a reader decides by its first line whether to read on.

use super::at;
use crate::workspace::File;

pub(super) fn findings(file: &File) -> Option<String> {
    let opens = file.text.lines().next().is_some_and(|line| line.starts_with("//! "));
    (!opens).then(|| at(file, 1, "the file does not open with `//!` and what it is for"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;

    #[test]
    fn a_file_opens_with_its_purpose() {
        assert!(super::findings(&file("a.rs", "//! Sites.\nfn a() {}\n")).is_none());
        assert!(super::findings(&file("a.rs", "use a::b;\n//! Sites.\n")).is_some());
        assert!(super::findings(&file("a.rs", "")).is_some());
    }
}
