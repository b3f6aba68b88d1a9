//! What Ctrl-C does: it ends the program, whose unfinished files are removed, unless a command has better use for it.

use std::sync::{Mutex, Once, PoisonError};

use crate::files;

/// What to do instead of ending.
static INSTEAD: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// From now on, Ctrl-C leaves nothing behind. Where there can be no handler, unfinished files stay, and nothing else is wrong.
pub(crate) fn handle() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| _ = ctrlc::set_handler(interrupted));
}

/// Does this at the next Ctrl-C instead of ending; one more then ends.
pub(crate) fn instead(act: impl FnOnce() + Send + 'static) {
    *INSTEAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
    handle();
}

fn interrupted() {
    let act = INSTEAD.lock().unwrap_or_else(PoisonError::into_inner).take();
    match act {
        Some(act) => act(),
        // As shells say that it was signal 2.
        None => files::give_up(130),
    }
}
