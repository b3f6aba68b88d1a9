//! What a player does not see, in words and as JSON.

use dagaz_board::Site;
use dagaz_cases::hidden_elsewhere;
use dagaz_engine::{Cell, Executor, Seen};
use serde_json::{Value, json};

/// What is hidden from a player.
pub(crate) struct Hidden {
    /// The sites of which he does not see what stands there.
    sites: Vec<String>,
    /// Those of which he does not see which piece it is.
    kinds: Vec<String>,
    /// What else: `hand Black Card`, `stake White`.
    others: Vec<String>,
}

impl Hidden {
    /// What the view does not show.
    pub(crate) fn of(executor: &dyn Executor, seen: &Seen) -> Self {
        let (layout, topology) = (executor.layout(), &executor.rules().topology);
        let names = |wanted: &dyn Fn(Site) -> bool| {
            topology.sites().filter(|&site| wanted(site)).map(|site| topology.site_name(site).to_owned()).collect()
        };
        let [owner, kind] = [layout.known.owner, layout.known.kind];
        let dark = |site| seen.hides(layout.at(owner, site));
        let stands = |site| seen.state.get(layout.at(owner, site)) != 0;
        Self {
            sites: names(&dark),
            kinds: names(&|site| seen.hides(layout.at(kind, site)) && !dark(site) && stands(site)),
            others: hidden_elsewhere(executor, seen),
        }
    }

    /// In words; nothing when all is seen.
    pub(crate) fn text(&self) -> Option<String> {
        let part = |what: &str, names: &[String]| (!names.is_empty()).then(|| format!("{what}{}", names.join(" ")));
        let others = (!self.others.is_empty()).then(|| self.others.join(", "));
        let parts = [part("what stands on ", &self.sites), part("which piece stands on ", &self.kinds), others];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// As JSON: `{"sites": […], "kinds": […], "others": […]}`.
    pub(crate) fn value(&self) -> Value {
        json!({ "sites": self.sites, "kinds": self.kinds, "others": self.others })
    }
}

/// The sites among these cells, in the order of the board.
pub(crate) fn sites(executor: &dyn Executor, cells: &[Cell]) -> Vec<String> {
    let (layout, topology) = (executor.layout(), &executor.rules().topology);
    let touched = |site: &Site| layout.piece_cells(*site).any(|cell| cells.contains(&cell));
    topology.sites().filter(touched).map(|site| topology.site_name(site).to_owned()).collect()
}
