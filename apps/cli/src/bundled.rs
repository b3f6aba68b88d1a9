//! The games that are part of the binary.

/// One file under `games/`, by its path there.
type File = (&'static str, &'static [u8]);

/// All of them, in order of their paths.
const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The endings of files that hold no rules: what must come out of them, and what they look like.
const CASES: &str = "cases";
const VIEW: &str = crate::views::ENDING;
/// The ending of those that hold what was trained.
const WEIGHTS: &str = "weights";

/// A bundled game: the file `FAMILY/NAME/NAME.ENDING`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundled {
    /// Its name.
    pub(crate) name: &'static str,
    /// The folder of its relatives.
    pub(crate) family: &'static str,
    /// The path of its rules under `games/`.
    pub(crate) path: &'static str,
    /// Its rules.
    pub(crate) bytes: &'static [u8],
}

/// All bundled games, by family and name.
pub(crate) fn all() -> impl Iterator<Item = Bundled> {
    FILES.iter().filter_map(|&(path, bytes)| {
        let mut parts = path.split('/');
        let (family, name, file) = (parts.next()?, parts.next()?, parts.next()?);
        let (stem, ending) = file.rsplit_once('.')?;
        (parts.next().is_none() && stem == name && ![CASES, VIEW, WEIGHTS].contains(&ending)).then_some(Bundled {
            name,
            family,
            path,
            bytes,
        })
    })
}

/// The game of this name, or of this family and name, such as `draughts/english`.
pub(crate) fn find(name: &str) -> Option<Bundled> {
    all().find(|game| {
        game.name == name || name.strip_prefix(game.family).and_then(|n| n.strip_prefix('/')) == Some(game.name)
    })
}

/// The bytes of a file that a bundled game includes: `path` as the game writes it, from the game's folder.
pub(crate) fn include(game: Bundled, path: &str) -> Option<Vec<u8>> {
    let mut parts: Vec<&str> = game.path.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    let wanted = parts.join("/");
    FILES.iter().find(|(path, _)| path.eq_ignore_ascii_case(&wanted)).map(|(_, bytes)| bytes.to_vec())
}

/// The path under `games/` of the test cases of a bundled game, and what is in it.
pub(crate) fn cases(game: Bundled) -> Option<(&'static str, &'static [u8])> {
    beside(game, CASES)
}

/// The same of its file with another ending.
pub(crate) fn beside(game: Bundled, ending: &str) -> Option<(&'static str, &'static [u8])> {
    let (stem, _) = game.path.rsplit_once('.')?;
    FILES
        .iter()
        .find(|(path, _)| path.strip_prefix(stem).and_then(|path| path.strip_prefix('.')) == Some(ending))
        .copied()
}

/// What was trained for a bundled game.
pub(crate) fn weights(game: Bundled) -> Option<&'static [u8]> {
    let (stem, _) = game.path.rsplit_once('.')?;
    let is_it = |path: &str| path.strip_prefix(stem).and_then(|path| path.strip_prefix('.')) == Some(WEIGHTS);
    FILES.iter().find(|(path, _)| is_it(path)).map(|&(_, bytes)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = all().map(|game| game.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "two families have a game of one name");
    }
}
