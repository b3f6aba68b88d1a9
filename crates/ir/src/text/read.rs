//! Text into trees of words. Knows nothing of rules.

use crate::limits;

/// How deep parentheses may nest. A statement may add two levels, and some more stand around programs.
const DEPTH: usize = 2 * limits::NESTING + 16;

/// A word, a quoted text, or a list in parentheses.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    /// The byte where it starts.
    pub(super) at: usize,
    /// What it is.
    pub(super) shape: Shape<'t>,
}

/// What a tree is.
#[derive(Debug)]
pub(super) enum Shape<'t> {
    /// Characters up to the next space, parenthesis or quote.
    Word(&'t str),
    /// The text between quotes, escapes undone, and the word that touches the closing quote.
    Quoted(String, &'t str),
    /// The trees between parentheses, and the byte of the closing one.
    List(Vec<Tree<'t>>, usize),
}

/// Something that is not as it must be.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The byte where it starts.
    pub(super) at: usize,
    /// What would be right there.
    pub(super) expected: String,
}

impl Wrong {
    pub(super) fn new(at: usize, expected: impl Into<String>) -> Self {
        Self { at, expected: expected.into() }
    }
}

/// Reads the one list that the text consists of.
pub(super) fn read(text: &str) -> Result<Tree<'_>, Wrong> {
    let mut reader = Reader { text, at: 0 };
    let mut open: Vec<(usize, Vec<Tree<'_>>)> = Vec::new();
    loop {
        reader.skip_space();
        let at = reader.at;
        let tree = match reader.peek() {
            Some('(') if open.len() == DEPTH => {
                return Err(Wrong::new(at, format!("no more than {DEPTH} levels of parentheses")));
            }
            Some('(') => {
                reader.at += 1;
                open.push((at, Vec::new()));
                continue;
            }
            Some(')') => {
                let (start, items) = open.pop().ok_or_else(|| Wrong::new(at, "`(`"))?;
                reader.at += 1;
                Tree { at: start, shape: Shape::List(items, at) }
            }
            None => return Err(Wrong::new(at, if open.is_empty() { "`(`" } else { "`)`" })),
            Some(_) if open.is_empty() => return Err(Wrong::new(at, "`(`")),
            Some('"') => Tree { at, shape: reader.quoted()? },
            Some(_) => Tree { at, shape: Shape::Word(reader.word()) },
        };
        match open.last_mut() {
            Some((_, items)) => items.push(tree),
            None => {
                reader.skip_space();
                let end = reader.at;
                return if end == text.len() { Ok(tree) } else { Err(Wrong::new(end, "the end of the text")) };
            }
        }
    }
}

/// What stands at a byte, in a few characters, for errors.
pub(super) fn found(text: &str, at: usize) -> String {
    let mut reader = Reader { text, at };
    let word = match reader.peek() {
        None => return "the end of the text".to_owned(),
        Some('(' | ')' | '"') => reader.rest().get(..1).unwrap_or_default(),
        Some(_) => reader.word(),
    };
    let mut short: String = word.chars().take(40).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    format!("`{short}`")
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_space(&mut self) {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if self.peek() != Some(';') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || "()\";".contains(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn quoted(&mut self) -> Result<Shape<'t>, Wrong> {
        self.at += 1;
        let mut content = String::new();
        loop {
            let at = self.at;
            let c = self.peek().ok_or_else(|| Wrong::new(at, "a closing quote"))?;
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(Shape::Quoted(content, self.word())),
                '\\' => content.push(self.escape().ok_or_else(|| Wrong::new(at, "`\\n`, `\\\"`, `\\\\` or `\\u{…}`"))?),
                _ => content.push(c),
            }
        }
    }

    /// The character that is escaped after a backslash.
    fn escape(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        match c {
            'n' => Some('\n'),
            '"' | '\\' => Some(c),
            'u' => {
                let (digits, _) = self.rest().strip_prefix('{')?.split_once('}')?;
                self.at += digits.len() + 2;
                if digits.starts_with('+') {
                    return None;
                }
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)
            }
            _ => None,
        }
    }
}
