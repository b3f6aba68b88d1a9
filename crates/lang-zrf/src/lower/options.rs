//! `(option …)`: what changes the rules, what only changes Zillions' window, and what Zillions does not know.

use dagaz_base::{Diagnostic, Diagnostics};
use dagaz_ir::Pass;

use crate::lower::names::unknown;
use crate::sections::Sections;

/// The options that change the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) pass: Pass,
    pub(crate) pass_partial: bool,
    pub(crate) maximal_captures: Maximal,
    pub(crate) recycle_captures: bool,
    pub(crate) include_off_pieces: bool,
    pub(crate) discard_cascades: bool,
}

/// `maximal captures`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maximal {
    /// Any capture will do.
    No,
    /// As many pieces as possible.
    Count,
    /// As many as possible, then the most valuable.
    Value,
}

/// What changes the rules.
const PLAYED: [&str; 7] = [
    "pass turn",
    "pass partial",
    "maximal captures",
    "recycle captures",
    "recycle promotions",
    "include off pieces",
    "discard cascades",
];

/// What only changes how the game is shown.
const SHOWN: [&str; 12] = [
    "animate captures",
    "animate drops",
    "smart moves",
    "prevent flipping",
    "allow flipping",
    "highlight goals",
    "show moves list",
    "progressive levels",
    "selection screen",
    "silent ? moves",
    "smart from",
    "smart to",
];

/// Reads the options.
pub(crate) fn read(sections: &Sections, diagnostics: &mut Diagnostics) -> Options {
    let mut options = Options {
        pass: Pass::Never,
        pass_partial: false,
        maximal_captures: Maximal::No,
        recycle_captures: false,
        include_off_pieces: false,
        discard_cascades: false,
    };
    for (name, (value, origin)) in &sections.options.items {
        let value = value.as_deref().unwrap_or("true");
        let mut understood = true;
        let mut flag = |target: &mut bool| match value {
            "true" => *target = true,
            "false" => *target = false,
            _ => understood = false,
        };
        match name.as_str() {
            "pass partial" => flag(&mut options.pass_partial),
            "recycle captures" => flag(&mut options.recycle_captures),
            "include off pieces" => flag(&mut options.include_off_pieces),
            "discard cascades" => flag(&mut options.discard_cascades),
            "pass turn" => match value {
                "true" => options.pass = Pass::Always,
                "false" => options.pass = Pass::Never,
                "forced" | "2" => options.pass = Pass::Forced,
                _ => understood = false,
            },
            "maximal captures" => match value {
                "true" => options.maximal_captures = Maximal::Count,
                "2" => options.maximal_captures = Maximal::Value,
                "false" => options.maximal_captures = Maximal::No,
                _ => understood = false,
            },
            name if SHOWN.contains(&name) => {}
            "recycle promotions" if value == "false" => {}
            "recycle promotions" => diagnostics.push(
                Diagnostic::warning("zrf-unknown-option", *origin, "what `recycle promotions` does is not known")
                    .label("it has no effect"),
            ),
            name => {
                let message = format!("there is no option `{name}`");
                diagnostics.push(unknown("zrf-unknown-option", *origin, message, name, &PLAYED, &SHOWN, "remove it"));
            }
        }
        if !understood {
            diagnostics.push(
                Diagnostic::warning("zrf-option-value", *origin, format!("`{value}` is no value of `{name}`"))
                    .label("the default is kept"),
            );
        }
    }
    options
}
