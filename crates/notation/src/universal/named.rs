//! What a text names, legal or not: the raw reader, for those who say why there is no such step.

use dagaz_board::{Site, Topology};
use dagaz_ir::{Kind, Rules};

use super::SIGNS;

/// What a text names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The sites, in order.
    pub sites: Vec<Site>,
    /// The last kind.
    pub kind: Option<Kind>,
}

/// Finds the sites and the kind that a text names. Sites may stand together, with or without signs between them, and a
/// kind right before its site; after the sites follows the rule, whose words are no sites.
pub fn named(rules: &Rules, text: &str) -> Named {
    let (mut named, mut in_rule) = (Named::default(), false);
    for word in text.split_whitespace() {
        let sites = if in_rule { Vec::new() } else { sites_in(&rules.topology, word) };
        if !sites.is_empty() {
            named.sites.extend(sites);
        } else if let Some((kind, site)) = kind_in(rules, word) {
            named.kind = Some(kind);
            named.sites.extend(site);
        } else {
            in_rule = !named.sites.is_empty() && !SIGNS.contains(&word);
        }
    }
    named
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
