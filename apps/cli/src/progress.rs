//! Progress bars on standard error, and only where a person looks at it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of `length` parts.
pub(crate) fn bar(length: u64, what: &'static str) -> ProgressBar {
    let template = "{msg} {wide_bar} {pos}/{len} {elapsed} (still {eta})";
    start(ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()), template, what)
}

/// A counter without an end.
pub(crate) fn counter(what: &'static str) -> ProgressBar {
    start(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()), "{msg} {human_pos} in {elapsed}", what)
}

fn start(bar: ProgressBar, template: &str, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style);
    bar.set_message(what);
    bar
}
