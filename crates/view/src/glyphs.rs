//! Characters as outlines: `assets/glyphs.txt` has them, so a board looks the same where no font is.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::geometry::Point;
use crate::path::Path;

/// A character: its outline above the base line, in ems.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Glyph {
    /// How far the next character stands.
    pub(crate) advance: f64,
    /// Its outline.
    pub(crate) path: Path,
}

static GLYPHS: LazyLock<BTreeMap<char, Glyph>> = LazyLock::new(|| {
    let lines = include_str!("../../../assets/glyphs.txt").lines();
    lines.filter_map(read).collect()
});

fn read(line: &str) -> Option<(char, Glyph)> {
    let mut words = line.splitn(3, ' ');
    let letter = char::from_u32(u32::from_str_radix(words.next()?, 16).ok()?)?;
    let advance: f64 = words.next()?.parse().ok()?;
    let path = Path::parse(words.next()?).mapped(1e-3, Point::default());
    Some((letter, Glyph { advance: advance * 1e-3, path }))
}

/// How high capital letters are, in ems.
const CAPITAL: f64 = 0.714;

/// What stands for a character that there is no outline of.
const UNKNOWN: char = '?';

pub(crate) fn glyph(letter: char) -> Option<&'static Glyph> {
    GLYPHS.get(&letter)
}

/// Whether there are outlines of all characters.
pub(crate) fn can_write(text: &str) -> bool {
    text.chars().all(|letter| letter == ' ' || glyph(letter).is_some())
}

/// How broad a text is, in ems.
pub(crate) fn breadth(text: &str) -> f64 {
    laid_out(text).last().map_or(0.0, |&(at, letter)| at + advance(letter))
}

/// The characters of a text that have outlines, each with the place where it begins, in ems.
pub(crate) fn laid_out(text: &str) -> Vec<(f64, char)> {
    let mut at = 0.0;
    let place = |letter: char| {
        let letter = if letter == ' ' || glyph(letter).is_some() { letter } else { UNKNOWN };
        let here = at;
        at += advance(letter);
        (here, letter)
    };
    text.chars().map(place).collect()
}

fn advance(letter: char) -> f64 {
    glyph(letter).map_or(0.26, |glyph| glyph.advance)
}

/// How far the base line lies below the middle of the capitals, in ems.
pub(crate) const BASE: f64 = CAPITAL / 2.0;

/// A text as one outline, around the middle of its box.
pub(crate) fn text_path(text: &str) -> Path {
    laid_out(text).into_iter().fold(Path::default(), |path, (at, letter)| match glyph(letter) {
        Some(glyph) => path.and(glyph.path.mapped(1.0, Point::new(at, 0.0))),
        None => path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_digits_and_pieces_have_outlines() {
        assert!(can_write("King 0123456789 ♔♟ 帥と"));
        assert!(!can_write("\u{10ffff}"));
        assert!(breadth("MM") > breadth("ii"));
    }
}
