//! White space that nobody sees makes diffs that nobody wants.

use super::at;
use crate::workspace::File;

pub(super) fn findings(file: &File) -> Vec<String> {
    let trailing = file.text.lines().enumerate().filter(|(_, line)| line.ends_with([' ', '\t']));
    let mut findings: Vec<_> =
        trailing.map(|(index, _)| at(file, index + 1, "white space at the end of the line")).collect();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        findings.push(at(file, file.text.lines().count(), "no new line at the end of the file"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;

    #[test]
    fn invisible_things_are_seen() {
        assert!(super::findings(&file("a.md", "a\n\nb\n")).is_empty());
        assert_eq!(super::findings(&file("a.md", "a \nb\t\n")).len(), 2);
        assert_eq!(super::findings(&file("a.md", "a")).len(), 1);
    }
}
