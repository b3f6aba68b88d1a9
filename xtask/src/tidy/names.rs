//! A file is named after its subject. These names say only that it had none.

use super::at;
use crate::workspace::File;

const NOT_NAMES: &[&str] = &["util", "utils", "common", "helper", "helpers", "manager", "misc", "v2"];

pub(super) fn findings(file: &File) -> Vec<String> {
    let parts = file.path.trim_end_matches(".rs").split('/');
    let words = parts.flat_map(|part| part.split(['_', '-']));
    let bad = words.filter(|word| NOT_NAMES.contains(word));
    bad.map(|word| at(file, 1, &format!("`{word}` names no subject"))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;

    #[test]
    fn a_name_that_says_nothing_is_found_anywhere_in_the_path() {
        assert!(super::findings(&file("crates/a/src/sites.rs", "")).is_empty());
        assert_eq!(super::findings(&file("crates/a/src/utils.rs", "")).len(), 1);
        assert_eq!(super::findings(&file("crates/common/src/lib.rs", "")).len(), 1);
        assert_eq!(super::findings(&file("crates/a/src/perft_v2.rs", "")).len(), 1);
    }
}
