//! The spelling of names and of the fixed words: the one place that printing and parsing share.

use crate::op::Type;
use crate::rules::{Pass, Role, Trigger, View};

/// A choice that is written as one word.
pub(super) trait Word: Copy + 'static {
    /// What to call the choice in errors.
    const WHAT: &'static str;
    /// All of it, with its words.
    const WORDS: &'static [(Self, &'static str)];
    /// How it is written.
    fn word(self) -> &'static str;
}

macro_rules! words {
    ($type:ident $what:literal $($variant:ident $word:literal)+) => {
        impl Word for $type {
            const WHAT: &'static str = $what;
            const WORDS: &'static [(Self, &'static str)] = &[$(($type::$variant, $word)),+];
            fn word(self) -> &'static str {
                match self { $($type::$variant => $word),+ }
            }
        }
    };
}

words!(Type "a type" Int "int" Bool "bool" Site "site" Set "set" Effect "effect");
words!(Role "a role" Person "person" Random "random" Neutral "neutral");
words!(Trigger "a trigger" Piece "piece" AnyPiece "any-piece" Drop "drop" Turn "turn");
words!(View "a view" Before "before" Tentative "tentative");
words!(Pass "when to pass" Never "never" Forced "forced" Always "always");

/// The heads of statements that are not effects, which an effect must not be mistaken for.
pub(super) const STATEMENTS: [&str; 13] =
    ["let", "if", "else", "while", "for", "range", "verify", "effect", "attempt", "try", "forget", "discard", "emit"];

/// What stands for any move type, and for every player.
pub(super) const ANY: &str = "*";

/// A name as it is written: bare when it is a plain symbol, quoted otherwise.
pub(super) fn spell(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { quote(name) }
}

/// The name of a local as it is written where an expression is expected: also quoted when it looks like a constant.
pub(super) fn spell_local(name: &str) -> String {
    if is_plain(name) && !is_constant(name) { name.to_owned() } else { quote(name) }
}

/// Whether a bare word in the place of an expression is a constant, well written or not.
pub(super) fn is_constant(word: &str) -> bool {
    matches!(word, "true" | "false") || word.starts_with(|first: char| first.is_ascii_digit() || "+-".contains(first))
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.:+/<>=!?&".contains(c))
}

fn quote(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            _ if c.is_control() => text.extend(c.escape_unicode()),
            _ => text.push(c),
        }
    }
    text.push('"');
    text
}
