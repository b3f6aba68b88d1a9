//! The standard library: files of macros, our own, that any rules may include without having them beside themselves.
//!
//! They are part of this crate, so that whoever reads rules has them. A file is a line here and holds definitions alone.

/// The folder in which they seem to lie.
const FOLDER: &str = "dagaz/";

/// The files by the names under which they are included.
const FILES: [(&str, &str); 5] = [
    ("dagaz/boards.zrf", include_str!("../library/boards.zrf")),
    ("dagaz/jumps.zrf", include_str!("../library/jumps.zrf")),
    ("dagaz/steps.zrf", include_str!("../library/steps.zrf")),
    ("dagaz/stones.zrf", include_str!("../library/stones.zrf")),
    ("dagaz/ways.zrf", include_str!("../library/ways.zrf")),
];

/// All files: their names and what they say.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.into_iter()
}

/// The file of this name, in whatever case; its own name and what it says.
pub(crate) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    files().find(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// Whether a name is meant as that of a file of the library.
pub(crate) fn names_a_file(name: &str) -> bool {
    name.get(..FOLDER.len()).is_some_and(|start| start.eq_ignore_ascii_case(FOLDER))
}
