//! `unwrap` says nothing when it fails. A bug is a panic that names its invariant (`expect`); the rest is an error.
//!
//! The compiler's own lint says the same; this one also looks where a lint was allowed away.

use super::{at, source};
use crate::workspace::File;

pub(super) fn findings(file: &File) -> Vec<String> {
    // The word is put together here lest this very line be found.
    let word = concat!(".unwrap", "()");
    let lines = source::product(file).filter(|(_, line)| line.contains(word));
    lines.map(|(number, _)| at(file, number, "`unwrap` outside tests: say what holds with `expect`")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;

    #[test]
    fn only_the_product_is_asked() {
        let text = "//! A.\nfn a() { b().unwrap(); }\n#[cfg(test)]\nmod tests { fn c() { d().unwrap(); } }\n";
        assert_eq!(super::findings(&file("crates/a/src/a.rs", text)).len(), 1);
        assert!(super::findings(&file("crates/a/tests/a.rs", text)).is_empty());
    }
}
