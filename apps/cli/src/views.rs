//! View files: they lie beside the rules, under the same name with another ending.

use anyhow::bail;
use dagaz_base::{Diagnostics, Sources};
use dagaz_view::View;

use crate::answer::tell;
use crate::bundled;
use crate::files;
use crate::game::Source;

/// The ending of view files.
pub(crate) const ENDING: &str = "view";

/// No view is larger.
const MAX_BYTES: usize = 1 << 20;

/// The name and the text of the view file of a game, when it has one.
pub(crate) fn text_of(source: &Source) -> anyhow::Result<Option<(String, String)>> {
    Ok(match source {
        Source::Bundled(game) => bundled::beside(*game, ENDING)
            .map(|(path, bytes)| (path.to_owned(), String::from_utf8_lossy(bytes).into_owned())),
        Source::File { path, .. } => {
            let path = path.with_extension(ENDING);
            match path.is_file() {
                true => Some((path.display().to_string(), files::read_text(&path, MAX_BYTES)?)),
                false => None,
            }
        }
    })
}

/// The view of a game: that of its file, or the empty one. What is wrong with the file goes to standard error.
pub(crate) fn of(source: &Source) -> anyhow::Result<View> {
    let Some((name, text)) = text_of(source)? else { return Ok(View::default()) };
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add(name.clone(), text.clone());
    let view = View::read(file, &text, &mut diagnostics);
    if diagnostics.has_errors() {
        tell(diagnostics.render(&sources).trim_end());
        bail!("the view `{name}` cannot be used");
    }
    Ok(view)
}
