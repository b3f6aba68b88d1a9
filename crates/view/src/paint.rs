//! Colours: what paints are called, what they are in either theme, and how well one can be told from another.

use std::collections::BTreeMap;

use dagaz_base::{Id, IdMap};
use dagaz_ir::{Player, Role, Rules};

use crate::view::View;

/// Paints of every board: the name, the colour in the light theme, and in the dark one.
const BOARD: &[(&str, &str, &str)] = &[
    ("page", "#fbf9f4", "#1b1d20"),
    ("text", "#4a4038", "#d8d2c6"),
    ("board", "#ecd8ae", "#b5935f"),
    ("light", "#f5e9d0", "#d0bb92"),
    ("dark", "#b98d5f", "#8a6742"),
    ("pit", "#b98d5f", "#7d5c3a"),
    ("line", "#5d4328", "#2f2113"),
    ("mark", "#e0b000", "#ffd23e"),
    ("target", "#2f8a47", "#6fe08e"),
    ("fog", "#8d939b", "#565c65"),
    ("seed", "#f6efe0", "#f6efe0"),
    ("seed-edge", "#3a2f25", "#2a2019"),
    ("die", "#fdfaf2", "#fdfaf2"),
    ("die-edge", "#26221f", "#26221f"),
];

/// Names of players that are colours, and colours for those whose names are none.
const NAMED: &[(&str, &str)] = &[
    ("white", "#fdfaf2"),
    ("black", "#2a2623"),
    ("red", "#d3382f"),
    ("blue", "#2b62b8"),
    ("green", "#2c8a45"),
    ("yellow", "#f2c53d"),
    ("orange", "#e8812a"),
    ("purple", "#7d3fa0"),
    ("violet", "#7d3fa0"),
    ("brown", "#7a4b28"),
    ("pink", "#ee8fb0"),
    ("gold", "#d9a520"),
    ("silver", "#b9bec4"),
    ("gray", "#8a8a8a"),
    ("grey", "#8a8a8a"),
    ("cyan", "#38b6c8"),
    ("magenta", "#c03a98"),
];

/// For pieces of nobody.
const NEUTRAL: &str = "#8c8478";

/// Whether a text is a colour: `#` and six digits of base sixteen.
pub(crate) fn is_colour(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether every board has a paint of this name.
pub(crate) fn is_of_board(name: &str) -> bool {
    BOARD.iter().any(|(known, ..)| *known == name)
}

/// The three paints of a player: what pieces are filled with, what surrounds them, what is written on them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paints {
    pub(crate) fill: String,
    pub(crate) edge: String,
    pub(crate) ink: String,
}

impl Paints {
    /// The names of a player's paints.
    pub(crate) fn of(player: Player) -> Self {
        let name = |part: &str| format!("player-{}{part}", player.index() + 1);
        Self { fill: name(""), edge: name("-edge"), ink: name("-ink") }
    }
}

/// The paints of every board.
pub(crate) fn of_board() -> BTreeMap<String, [String; 2]> {
    BOARD.iter().map(|&(name, light, dark)| (name.to_owned(), [light.to_owned(), dark.to_owned()])).collect()
}

/// The paints of a game, by name: in the light theme, and in the dark one.
pub(crate) fn palette(rules: &Rules, view: &View) -> BTreeMap<String, [String; 2]> {
    let mut paints = of_board();
    for (player, fill) in fills(rules, view).iter() {
        let names = Paints::of(player);
        let is_light = luminance(fill) > 0.3;
        let [edge, ink] = if is_light { ["#3a2f25", "#2a2019"] } else { ["#120f0d", "#fdfaf2"] };
        for (name, colour) in [(names.fill, fill.as_str()), (names.edge, edge), (names.ink, ink)] {
            paints.insert(name, [colour.to_owned(), colour.to_owned()]);
        }
    }
    for (name, colours) in &view.paints {
        paints.insert(name.clone(), colours.clone());
    }
    paints
}

/// What each player's pieces are filled with.
fn fills(rules: &Rules, view: &View) -> IdMap<Player, String> {
    let named =
        |name: &str| NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, colour)| *colour);
    let mut free = NAMED
        .iter()
        .map(|(_, colour)| *colour)
        .filter(|colour| !rules.players.values().any(|info| named(&info.name) == Some(colour)));
    let fill = |(_, info): (Player, &dagaz_ir::PlayerInfo)| {
        let said = view.colours.iter().find(|(name, _)| *name == info.name).map(|(_, colour)| colour.clone());
        let chosen = said.or_else(|| named(&info.name).map(str::to_owned));
        chosen.unwrap_or_else(|| match info.role {
            Role::Person => free.next().unwrap_or(NEUTRAL).to_owned(),
            Role::Random | Role::Neutral => NEUTRAL.to_owned(),
        })
    };
    rules.players.iter().map(fill).collect()
}

/// How light a colour is, from 0 to 1, about as the Web Content Accessibility Guidelines (2008) have it: a power of two for the
/// curve, which rounds alike everywhere.
pub(crate) fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let digits = colour.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let value = f64::from(digits.unwrap_or(0)) / 255.0;
        // Between x² and x³ lies x^2.2, and x²·(4/5 + x/5) is never further from it than a hundredth.
        value * value * (0.8 + 0.2 * value)
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

/// How well one colour can be told from another: from 1, not at all, to 21.
pub(crate) fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_and_white_differ_most() {
        assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9);
        assert!((contrast("#123456", "#123456") - 1.0).abs() < 1e-9);
        // Mid grey: 3.95 by the exact curve.
        assert!((contrast("#808080", "#ffffff") - 3.95).abs() < 0.2);
    }

    #[test]
    fn a_colour_has_six_digits() {
        assert!(is_colour("#12abEF"));
        for bad in ["", "#", "#12345", "#1234567", "red", "#12345g", "123456"] {
            assert!(!is_colour(bad), "{bad}");
        }
    }
}
