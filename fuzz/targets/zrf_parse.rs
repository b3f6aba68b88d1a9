//! Law: whatever the bytes, reading and expanding a rule file comes to an end, and every finding can be shown.

#![no_main]

use dagaz_base::{Diagnostics, Sources};
use dagaz_lang_zrf::Document;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    // An included file is the first half of the file itself, which may include it again.
    let half = &data[..data.len() / 2];
    let mut loader = |path: &str| (!path.contains("missing")).then(|| half.to_vec());
    let document = Document::read("rules.zrf", data, &mut loader, &mut sources, &mut diagnostics);
    for index in 0..document.entries.len() {
        document.expand(index, &mut sources, &mut diagnostics);
    }
    diagnostics.render(&sources);
});
