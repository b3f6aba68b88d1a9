//! Law: what the front end accepts is well formed by the laws of the intermediate representation, and its text form
//! parses back to the same rules. What it refuses, it refuses for a reason.

#![no_main]

use dagaz_ir::{Rules, text, verify};
use dagaz_lang_zrf::{AttributeView, Compiled, Settings, compile};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let source = dagaz_fuzz::text(data);
    let first = compile("rules.zrf", &source, &mut |_: &str| None, &Settings::default());
    for item in first.menu.iter().take(4).filter(|item| !item.default) {
        let settings = Settings { variant: Some(item.title.clone()), attributes: AttributeView::Before };
        check(&compile("rules.zrf", &source, &mut |_: &str| None, &settings));
    }
    check(&first);
});

fn check(compiled: &Compiled) {
    compiled.diagnostics.render(&compiled.sources);
    match &compiled.game {
        Some(game) => check_rules(&game.rules),
        None => assert!(compiled.diagnostics.has_errors(), "a file is refused without a reason"),
    }
}

fn check_rules(rules: &Rules) {
    if let Err(violations) = verify::verify(rules) {
        panic!("{}", violations[0]);
    }
    let printed = text::print(rules);
    match text::parse(&printed) {
        Ok(parsed) => assert!(parsed == *rules, "the text parses to other rules"),
        Err(error) => panic!("the text does not parse: {error}"),
    }
}
