//! The text of a view file as words, quoted texts and lists in brackets.

use dagaz_base::{Diagnostic, Diagnostics, FileId, Origin, Span};

/// A word, a quoted text or a list, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    pub(crate) what: What,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Word(String),
    Text(String),
    List(Vec<Form>),
}

impl Form {
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.what {
            What::Word(word) => Some(word),
            What::Text(_) | What::List(_) => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Form]> {
        match &self.what {
            What::List(forms) => Some(forms),
            What::Word(_) | What::Text(_) => None,
        }
    }
}

/// Lists in lists, no deeper than this.
const DEEPEST: usize = 8;

/// Reads all forms; what is wrong with brackets and quotes goes to the diagnostics, and the rest is read all the same.
pub(crate) fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Form> {
    let mut lists: Vec<(usize, Vec<Form>)> = vec![(0, Vec::new())];
    let span = |start: usize, end: usize| Span { file, start: start as u32, end: end as u32 };
    let origin = |start, end| Origin { span: span(start, end), expansion: None };
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let form = match letter {
            ';' => {
                while letters.next_if(|(_, letter)| *letter != '\n').is_some() {}
                continue;
            }
            '(' if lists.len() <= DEEPEST => {
                lists.push((start, Vec::new()));
                continue;
            }
            '(' => {
                let too_deep =
                    Diagnostic::error("view-too-deep", origin(start, start + 1), "lists lie too deep in each other");
                diagnostics.push(too_deep.label("one bracket too many"));
                continue;
            }
            ')' if lists.len() > 1 => {
                let (opened, forms) = lists.pop().expect("there are two");
                Form { what: What::List(forms), span: span(opened, start + 1) }
            }
            ')' => {
                let unopened =
                    Diagnostic::error("view-bracket", origin(start, start + 1), "this bracket closes nothing");
                diagnostics.push(unopened.label("no `(` before it"));
                continue;
            }
            '"' => {
                let mut inside = String::new();
                let mut end = None;
                for (at, letter) in letters.by_ref() {
                    if letter == '"' {
                        end = Some(at + 1);
                        break;
                    }
                    inside.push(letter);
                }
                let Some(end) = end else {
                    let open = Diagnostic::error("view-quote", origin(start, start + 1), "this quoted text has no end");
                    diagnostics.push(open.label("begins here"));
                    break;
                };
                Form { what: What::Text(inside), span: span(start, end) }
            }
            letter if letter.is_whitespace() => continue,
            letter => {
                let mut word = String::from(letter);
                let mut end = start + letter.len_utf8();
                let inside = |letter: char| !letter.is_whitespace() && !matches!(letter, '(' | ')' | '"' | ';');
                while let Some((at, letter)) = letters.next_if(|(_, letter)| inside(*letter)) {
                    word.push(letter);
                    end = at + letter.len_utf8();
                }
                Form { what: What::Word(word), span: span(start, end) }
            }
        };
        lists.last_mut().expect("the outermost stays").1.push(form);
    }
    while lists.len() > 1 {
        let (opened, forms) = lists.pop().expect("there are two");
        let list = Form { what: What::List(forms), span: span(opened, text.len()) };
        let open = Diagnostic::error("view-bracket", origin(opened, opened + 1), "this bracket is never closed");
        diagnostics.push(open.label("opens here"));
        lists.last_mut().expect("the outermost stays").1.push(list);
    }
    lists.pop().map(|(_, forms)| forms).unwrap_or_default()
}
