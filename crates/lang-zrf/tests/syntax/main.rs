//! From the bytes of a rules file to expanded forms.

mod corpus;
mod diagnostics;
mod library;
mod macros;
mod menu;
mod random;

use dagaz_base::{Diagnostics, Sources};
use dagaz_lang_zrf::{Document, Form};

/// A document with all that came of reading it.
struct Reading {
    document: Document,
    sources: Sources,
    diagnostics: Diagnostics,
}

/// Reads the first of some files; the others can be included.
fn read_files(files: &[(&str, &str)]) -> Reading {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let mut loader =
        |path: &str| files[1..].iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_bytes().to_vec());
    let (name, text) = files[0];
    let document = Document::read(name, text.as_bytes(), &mut loader, &mut sources, &mut diagnostics);
    Reading { document, sources, diagnostics }
}

fn read(text: &str) -> Reading {
    read_files(&[("game.zrf", text)])
}

impl Reading {
    fn expand(&mut self, index: usize) -> Form {
        self.document.expand(index, &mut self.sources, &mut self.diagnostics)
    }

    fn expand_all(&mut self) {
        for index in 0..self.document.entries.len() {
            self.expand(index);
        }
    }

    fn codes(&self) -> Vec<&'static str> {
        self.diagnostics.iter().map(|finding| finding.code).collect()
    }
}

/// The first entry expanded, as text; there must be no findings.
fn expanded(text: &str) -> String {
    let mut reading = read(text);
    let form = reading.expand(0);
    assert_eq!(reading.codes(), [""; 0], "{}", reading.diagnostics.render(&reading.sources));
    form.to_string()
}
