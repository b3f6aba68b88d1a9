//! What a text names, legal or not: the raw reader, for those who say why there is no such step.

use dagaz_board::{Site, Topology};
use dagaz_ir::{Kind, Rule, Rules};

use super::SIGNS;

/// What a text names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The sites, in order.
    pub sites: Vec<Site>,
    /// The last kind.
    pub kind: Option<Kind>,
    /// The words of the rule, and what was chosen.
    pub rule: Vec<String>,
}

/// Finds the sites and the kind that a text names, and its rule. Sites may stand together, with or without signs between
/// them, and a kind right before its site; after the sites follows the rule, whose words are no sites.
pub fn named(rules: &Rules, text: &str) -> Named {
    let (mut named, mut in_rule) = (Named::default(), false);
    for word in text.split_whitespace() {
        let sites = if in_rule { Vec::new() } else { sites_in(&rules.topology, word) };
        let kind = kind_in(rules, word);
        if in_rule || sites.is_empty() && kind.is_none() && !SIGNS.contains(&word) && word != "+" {
            named.rule.push(word.to_owned());
        }
        if !sites.is_empty() {
            named.sites.extend(sites);
        } else if let Some((kind, site)) = kind {
            named.kind = Some(kind);
            named.sites.extend(site);
        } else {
            in_rule = !named.sites.is_empty() && !SIGNS.contains(&word);
        }
    }
    named
}

impl Named {
    /// Whether the game has such a rule, or such a choice. A text that names no rule has one.
    pub fn has_rule(&self, rules: &Rules) -> bool {
        let Some((first, behind)) = self.rule.split_first() else { return true };
        let is_kind = |word: &str| {
            let word = word.strip_prefix('=').unwrap_or(word);
            let begins = |name: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            rules.kinds.values().any(|kind| begins(&kind.name))
        };
        let is_rule = |rule: &Rule| {
            let fits = || rule.arguments.iter().zip(behind).all(|(argument, word)| argument == word);
            rule.name == *first && (fits() || behind.first().is_some_and(|word| is_kind(word)))
        };
        let is_number = first.trim_start_matches(['#', '-']).parse::<u32>().is_ok();
        is_number || is_kind(first) || first.eq_ignore_ascii_case("pass") || rules.rules.values().any(is_rule)
    }
}

/// The sites of one word. Behind a site alone nothing may stand, behind several perhaps a choice.
fn sites_in(topology: &Topology, word: &str) -> Vec<Site> {
    let (mut sites, mut rest) = (Vec::new(), word);
    loop {
        let signs = if sites.is_empty() { &SIGNS[..1] } else { &SIGNS[..] };
        let site = |sign: &&str| longest(topology, rest.strip_prefix(*sign)?);
        let Some((site, behind)) = signs.iter().find_map(site) else { break };
        sites.push(site);
        rest = behind;
    }
    if rest.is_empty() || sites.len() > 1 { sites } else { Vec::new() }
}

/// The site with the longest name that the text starts with, and what stands behind it.
fn longest<'t>(topology: &Topology, text: &'t str) -> Option<(Site, &'t str)> {
    let behind = |site| text.strip_prefix(topology.site_name(site)).map(|behind| (site, behind));
    let found = topology.sites().filter_map(behind).min_by_key(|(_, behind)| behind.len())?;
    (found.1.len() < text.len()).then_some(found)
}

/// The kind that a word names, and the site right behind it.
fn kind_in(rules: &Rules, word: &str) -> Option<(Kind, Option<Site>)> {
    rules.kinds.iter().find_map(|(kind, info)| {
        let (name, behind) = word.split_at_checked(info.name.len())?;
        let site = rules.topology.site(behind.strip_prefix('@').unwrap_or(behind));
        (name.eq_ignore_ascii_case(&info.name) && (behind.is_empty() || site.is_some())).then_some((kind, site))
    })
}
