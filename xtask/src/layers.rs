//! The layering of the workspace: each crate is built only from those above it.
//!
//! Tests may use what they like: a test of the engine may well compile rules that are written in a language.

use crate::workspace::Member;

/// The crates of `crates/`, from the ground up. Those of one line never see each other.
const LAYERS: &[&[&str]] = &[
    &["dagaz-base"],
    &["dagaz-board"],
    &["dagaz-ir"],
    &["dagaz-lang-zrf", "dagaz-lang-axiom", "dagaz-lang-ludi"],
    &["dagaz-engine"],
    &["dagaz-engine-wasm"],
    &["dagaz-play"],
    &["dagaz-notation", "dagaz-view"],
    &["dagaz-cases"],
    &["dagaz-search"],
    &["dagaz-arena"],
    &["dagaz"],
];

/// What a crate must not be built from although it stands above: the pair, and why.
const NEVER: &[(&str, &str, &str)] = &[
    ("dagaz-engine", "dagaz-lang-", "languages and executors meet in the intermediate representation alone"),
    ("dagaz-engine-wasm", "dagaz-lang-", "languages and executors meet in the intermediate representation alone"),
    ("dagaz-play", "dagaz-lang-", "a game in progress does not know in which language its rules were written"),
    ("dagaz-notation", "dagaz-lang-", "a record does not know in which language its rules were written"),
    ("dagaz-view", "dagaz-lang-", "a picture does not know in which language its rules were written"),
    ("dagaz-view", "dagaz-play", "a scene is made from a state alone"),
    ("dagaz-cases", "dagaz-lang-", "a case does not know in which language its rules were written"),
    ("dagaz-search", "dagaz-lang-", "an agent does not know in which language its rules were written"),
    ("dagaz-search", "dagaz-notation", "an agent neither reads nor writes"),
    ("dagaz-arena", "dagaz-lang-", "a match does not know in which language its rules were written"),
];

/// What is wrong with the dependencies of these crates.
pub(crate) fn findings(members: &[Member]) -> Vec<String> {
    members.iter().flat_map(findings_of).collect()
}

fn findings_of(member: &Member) -> Vec<String> {
    let Member { name, folder, uses } = member;
    if !folder.starts_with("crates/") {
        let outside = uses.iter().filter(|used| layer(used).is_none());
        return outside.map(|used| format!("{folder}: uses {used}, which is not in crates/")).collect();
    }
    let Some(own) = layer(name) else {
        return vec![format!("{folder}: {name} has no place among the layers in xtask/src/layers.rs")];
    };
    let mut findings = Vec::new();
    for used in uses {
        match layer(used) {
            None => findings.push(format!("{folder}: uses {used}, which is not in crates/")),
            Some(other) if other >= own => findings.push(format!("{folder}: uses {used}, which is not above it")),
            Some(_) => {}
        }
        let never = NEVER.iter().filter(|(user, prefix, _)| user == name && used.starts_with(prefix));
        findings.extend(never.map(|(_, _, why)| format!("{folder}: uses {used}: {why}")));
    }
    findings
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{report, workspace};

    #[test]
    fn each_crate_is_built_only_from_those_above_it() {
        let members = workspace::members().unwrap();
        assert!(members.iter().any(|member| member.name == "dagaz-base"), "cargo metadata was not understood");
        report::expect_none(&findings(&members));
    }

    #[test]
    fn what_breaks_the_layers_is_found() {
        let member = |name: &str, folder: &str, uses: &[&str]| Member {
            name: name.to_owned(),
            folder: folder.to_owned(),
            uses: uses.iter().map(|&used| used.to_owned()).collect(),
        };
        let found = |member: Member| findings(&[member]).len();
        assert_eq!(found(member("dagaz-play", "crates/play", &["dagaz-engine", "dagaz-base"])), 0);
        assert_eq!(found(member("dagaz-base", "crates/base", &["dagaz-play"])), 1, "upward");
        assert_eq!(found(member("dagaz-lang-zrf", "crates/lang-zrf", &["dagaz-lang-ludi"])), 1, "sideways");
        assert_eq!(found(member("dagaz-engine", "crates/engine", &["dagaz-lang-zrf"])), 1, "executor to language");
        assert_eq!(found(member("dagaz-play", "crates/play", &["dagaz-cli"])), 1, "core to application");
        assert_eq!(found(member("dagaz-new", "crates/new", &[])), 1, "unknown to the list");
        assert_eq!(found(member("dagaz-cli", "apps/cli", &["dagaz-server"])), 1, "application to application");
    }
}
