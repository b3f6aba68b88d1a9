//! Which lines of a Rust file are the product, and what of a line is code.

use crate::workspace::File;

/// The lines of a file that are neither tests nor comments, with their numbers from 1; comments at their ends are cut.
///
/// Unit tests stand at the end of a file. A `//` in a string is taken for a comment: a check that reads less finds less,
/// and cries wolf never.
pub(super) fn product(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let lines = file.text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let lines = if is_test(&file.path) { None } else { Some(lines) };
    let lines = lines.into_iter().flatten().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
    lines.map(|(number, line)| (number, line.split("//").next().unwrap_or_default()))
}

/// Whether the whole file is a test.
fn is_test(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.any(|part| matches!(part, "tests" | "benches" | "fuzz" | "tests.rs"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;

    #[test]
    fn tests_and_comments_are_no_product() {
        let text = "//! A.\nfn a() {} // b\n#[cfg(test)]\nmod tests {}\n";
        let source = file("crates/a/src/a.rs", text);
        let lines: Vec<_> = super::product(&source).collect();
        assert_eq!(lines, [(1, ""), (2, "fn a() {} ")]);
        assert_eq!(super::product(&file("crates/a/tests/a.rs", text)).count(), 0);
    }
}
