//! Law: what the front end accepts is well formed by the laws of the intermediate representation.

#![no_main]

use dagaz_lang_zrf::{AttributeView, Settings, compile};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = dagaz_fuzz::text(data);
    let first = compile("rules.zrf", &text, &mut |_: &str| None, &Settings::default());
    first.diagnostics.render(&first.sources);
    assert!(first.game.is_some() || first.diagnostics.has_errors(), "a file is refused without a reason");
    for item in first.menu.iter().take(8) {
        let settings = Settings { variant: Some(item.title.clone()), attributes: AttributeView::Before };
        let compiled = compile("rules.zrf", &text, &mut |_: &str| None, &settings);
        compiled.diagnostics.render(&compiled.sources);
    }
});
