//! A link in our own pages to our own files leads somewhere.

use super::at;
use crate::workspace::{self, File};

pub(super) fn findings(file: &File) -> Vec<String> {
    let folder = workspace::root().join(&file.path);
    let folder = folder.parent().expect("a file lies in a folder");
    let dead = targets(&file.text).filter(|(_, target)| !folder.join(target).exists());
    dead.map(|(number, target)| at(file, number, &format!("`{target}` does not exist"))).collect()
}

/// The files that a page links to, with the lines in which it does.
fn targets(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    let links = lines.flat_map(|(index, line)| line.split("](").skip(1).map(move |rest| (index + 1, rest)));
    let links = links.filter_map(|(number, rest)| Some((number, rest.split_once(')')?.0)));
    let links = links.map(|(number, target)| (number, target.split('#').next().unwrap_or_default()));
    links.filter(|(_, target)| !target.is_empty() && !target.contains("://"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn links_to_files_are_told_from_others() {
        let text = "[a](docs/a.md#b) and [c](#d)\n[e](https://example.org)\n[f](g.md)\n";
        assert_eq!(super::targets(text).collect::<Vec<_>>(), [(1, "docs/a.md"), (3, "g.md")]);
    }
}
