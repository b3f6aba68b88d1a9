//! Panics of what is tried, several at once: faults of ours, that a table shows.

use std::any::Any;
use std::thread::Builder;

/// Runs something whose panics are caught and told elsewhere: their messages would only break the progress line.
pub(crate) fn silently<T>(run: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = run();
    std::panic::set_hook(hook);
    result
}

/// A thread with a stack as deep as that of the main thread: deep rules need one.
pub(crate) fn deep() -> Builder {
    Builder::new().stack_size(64 << 20)
}

/// What a panic says.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("without a message")
}
