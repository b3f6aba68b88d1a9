//! Whether rules are compiled: what `--executor` chooses.

use std::sync::Arc;

use dagaz_engine::Limits;
use dagaz_engine_wasm::{Cache, Wasm};
use dagaz_ir::Rules;

use crate::answer::tell;
use crate::args::ExecutorName;

/// The module of these rules when one is wanted. Rules that are too large for one are left to the interpreter, with a note.
pub(crate) fn wanted(
    rules: &Arc<Rules>,
    executor: ExecutorName,
    cache: Option<impl Cache + Send + Sync + 'static>,
) -> Option<Arc<Wasm>> {
    let cache = cache.map(|cache| Arc::new(cache) as Arc<dyn Cache + Send + Sync>);
    match executor {
        ExecutorName::Interp => None,
        ExecutorName::Wasm => match Wasm::with_cache(rules.clone(), Limits::default(), cache) {
            Ok(module) => Some(Arc::new(module)),
            Err(refusal) => {
                tell(format_args!("note: {refusal}; the interpreter runs them instead, which is slower"));
                None
            }
        },
    }
}
