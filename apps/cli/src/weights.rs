//! What was trained for a game: a file `.weights` beside its rules, in the binary or on the disk.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use dagaz_ir::Rules;
use dagaz_search::Weights;

use crate::answer::tell;
use crate::bundled;
use crate::files;
use crate::game::Source;

/// How such files end.
pub(crate) const ENDING: &str = "weights";

/// No file is larger.
const MOST_BYTES: usize = 16 << 20;

/// What is in a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Weights> {
    let text = files::read_text(path, MOST_BYTES)?;
    text.parse().with_context(|| format!("`{}` holds no weights", path.display()))
}

/// What was trained for these rules and lies beside them.
pub(crate) fn beside(source: &Source, rules: &Rules) -> Option<Arc<Weights>> {
    let weights: Weights = match source {
        Source::Bundled(game) => std::str::from_utf8(bundled::weights(*game)?).ok()?.parse().ok()?,
        Source::File { path, .. } => {
            let path = path.with_extension(ENDING);
            if !path.is_file() {
                return None;
            }
            match read(&path) {
                Ok(weights) => weights,
                Err(error) => {
                    tell(format_args!("note: {error:#}"));
                    return None;
                }
            }
        }
    };
    weights.fit(rules).then(|| Arc::new(weights))
}
