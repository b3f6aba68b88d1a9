//! Games of which a part is missing: each is understood or refused, whatever the part was.

use dagaz_ir::verify;
use dagaz_lang_zrf::Settings;
use dagaz_tests::trial::compile_text;

use crate::page::Game;

/// Compiles the game once for each of its parts, with `()` in its place and with nothing.
pub(crate) fn each_part_missing(game: &Game<'_>) {
    for (start, end) in parts(&game.text) {
        for instead in ["()", ""] {
            let text = [&game.text[..start], instead, &game.text[end..]].concat();
            let compiled = compile_text(&text, &game.files, &Settings::default());
            compiled.diagnostics.render(&compiled.sources);
            match compiled.game {
                Some(game) => assert!(verify::verify(&game.rules).is_ok(), "not well formed, from\n{text}"),
                None => assert!(compiled.diagnostics.has_errors(), "refused without a reason:\n{text}"),
            }
        }
    }
}

/// Where the lists and the words of a text begin and end.
fn parts(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut open, mut word) = (Vec::new(), Vec::new(), None);
    let (mut quoted, mut remark) = (false, false);
    for (place, sign) in text.char_indices() {
        remark = sign != '\n' && (remark || sign == ';' && !quoted);
        quoted ^= sign == '"' && !remark;
        let in_word = !(remark || quoted || sign.is_whitespace() || "()\"".contains(sign));
        match (word, in_word) {
            (None, true) => word = Some(place),
            (Some(start), false) => {
                found.push((start, place));
                word = None;
            }
            _ => {}
        }
        match sign {
            _ if remark || quoted => {}
            '(' => open.push(place),
            ')' => found.extend(open.pop().map(|start| (start, place + 1))),
            _ => {}
        }
    }
    found
}
