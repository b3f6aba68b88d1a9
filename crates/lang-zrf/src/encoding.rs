//! Bytes of a rules file to text. Never fails: files come from twenty-five years of Windows editors.
//!
//! Byte-order mark, else UTF-8 where valid, else a one-byte Windows code page, which is guessed. It must not look
//! at the rules themselves.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1251, WINDOWS_1252};

/// The text of a file, without a byte-order mark. Control characters are blanks, in strings too: titles and names are shown
/// on terminals, which would obey them.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None if looks_cyrillic(bytes) => WINDOWS_1251,
        None => WINDOWS_1252,
    };
    let text = encoding.decode(bytes).0;
    let obeyed = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    if text.contains(obeyed) { text.replace(obeyed, " ") } else { text.into_owned() }
}

/// Whether bytes that are not UTF-8 are Windows-1251 rather than Windows-1252.
///
/// Both put letters at 0xC0 to 0xFF. A Cyrillic word is a run of them; in a Western word an accented letter stands
/// among ASCII letters, seldom next to another one.
fn looks_cyrillic(bytes: &[u8]) -> bool {
    let high = |byte: u8| byte >= 0xC0 || matches!(byte, 0xA8 | 0xB8);
    let (mut among_high, mut among_ascii) = (0_usize, 0_usize);
    for pair in bytes.windows(2) {
        match (high(pair[0]), high(pair[1])) {
            (true, true) => among_high += 2,
            (true, false) if pair[1].is_ascii_alphabetic() => among_ascii += 1,
            (false, true) if pair[0].is_ascii_alphabetic() => among_ascii += 1,
            _ => {}
        }
    }
    among_high > among_ascii
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_is_kept_and_its_mark_removed() {
        assert_eq!(decode("(title \"Шашки ♜\")".as_bytes()), "(title \"Шашки ♜\")");
        assert_eq!(decode(b"\xEF\xBB\xBF(game)"), "(game)");
    }

    #[test]
    fn utf16_is_known_by_its_mark() {
        assert_eq!(decode(b"\xFF\xFE(\0g\0)\0"), "(g)");
        assert_eq!(decode(b"\xFE\xFF\0(\0g\0)"), "(g)");
    }

    #[test]
    fn western_text_is_windows_1252() {
        assert_eq!(decode(b"Jos\xE9 \x93Mor\x94, d\xE9j\xE0 vu"), "José “Mor”, déjà vu");
        assert_eq!(decode(b"Asalto \xA9 1998"), "Asalto © 1998");
        assert_eq!(decode(b"cr\xE9\xE9e en \xE9t\xE9"), "créée en été");
    }

    #[test]
    fn cyrillic_text_is_windows_1251() {
        assert_eq!(decode(b"\xC2\xEE\xEB\xEA\xE8 \xE8 \xEE\xE2\xF6\xFB"), "Волки и овцы");
    }

    #[test]
    fn no_terminal_obeys_a_text() {
        assert_eq!(decode(b"(title\t\"a\x1b[31mb\x07\")\r\n\x1a"), "(title\t\"a [31mb \")\r\n ");
        assert_eq!(decode("\"\u{9b}31m\"".as_bytes()), "\" 31m\"");
    }

    #[test]
    fn every_byte_decodes() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&bytes).chars().count(), 256);
    }
}
