//! Text to tokens. White space and comments vanish here; nothing is ever refused.

use std::ops::Range;

/// One token and where it stands, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Open,
    Close,
    Symbol,
    /// A string; its range includes the quotes, of which the second is missing at the end of the file.
    Text {
        closed: bool,
    },
}

/// The tokens of a text, in order.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let Some(next) = rest.find(|c| !is_blank(c)) else {
                self.at = self.text.len();
                return;
            };
            self.at += next;
            if !self.text[self.at..].starts_with(';') {
                return;
            }
            // The two kinds of line ends are mixed in one file, and an old one has bare returns.
            self.at += self.text[self.at..].find(['\n', '\r']).unwrap_or(self.text.len() - self.at);
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks_and_comments();
        let rest = &self.text[self.at..];
        let (kind, length) = match rest.chars().next()? {
            '(' => (TokenKind::Open, 1),
            ')' => (TokenKind::Close, 1),
            '"' => match rest[1..].find('"') {
                Some(end) => (TokenKind::Text { closed: true }, end + 2),
                None => (TokenKind::Text { closed: false }, rest.len()),
            },
            _ => (TokenKind::Symbol, rest.find(ends_symbol).unwrap_or(rest.len())),
        };
        let range = self.at..self.at + length;
        self.at = range.end;
        Some(Token { kind, range })
    }
}

/// White space, control characters (old editors end a file with 0x1A) and a byte-order mark in the middle of a text.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\u{feff}'
}

fn ends_symbol(c: char) -> bool {
    is_blank(c) || matches!(c, '(' | ')' | '"' | ';')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Lexer::new(text).map(|token| &text[token.range]).collect()
    }

    #[test]
    fn symbols_are_whatever_is_nothing_else() {
        assert_eq!(
            words("(a-1 5x5 not-empty? 'a' $1-zone \u{a0}\u{1a} x,y)"),
            ["(", "a-1", "5x5", "not-empty?", "'a'", "$1-zone", "x,y", ")"]
        );
        assert_eq!(words("a\"b\"c(d)e;f"), ["a", "\"b\"", "c", "(", "d", ")", "e"]);
    }

    #[test]
    fn comments_end_with_the_line_and_do_not_begin_in_strings() {
        assert_eq!(words("a ; b ) \" \r\n c ;d\re"), ["a", "c", "e"]);
        assert_eq!(words("(title \"a;b\") ; end"), ["(", "title", "\"a;b\"", ")"]);
    }

    #[test]
    fn strings_span_lines_and_have_no_escapes() {
        assert_eq!(words("\"a\r\nb\\\" c"), ["\"a\r\nb\\\"", "c"]);
    }

    #[test]
    fn a_string_may_lack_its_end() {
        let tokens: Vec<_> = Lexer::new("a \"b)").collect();
        assert_eq!(tokens[1], Token { kind: TokenKind::Text { closed: false }, range: 2..5 });
    }
}
