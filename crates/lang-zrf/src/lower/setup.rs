//! `(board-setup …)`.

use std::collections::BTreeMap;

use dagaz_base::{Diagnostic, Origin};
use dagaz_board::Site;
use dagaz_ir::{Kind, Placement, Player, Scope};

use crate::lower::Lowering;
use crate::syntax::Form;

/// A set-up while it is read.
#[derive(Default)]
struct Setup {
    placements: Vec<Placement>,
    /// What the first piece was set up by, on each site that has one, and how many there are.
    stands: BTreeMap<Site, (Origin, u32)>,
}

impl Lowering<'_> {
    /// Reads who has what where. What this variant does not have is left out with a warning.
    pub(crate) fn setup(&mut self) -> Vec<Placement> {
        let mut setup = Setup::default();
        let Some(form) = self.sections.get("board-setup") else { return setup.placements };
        for side in form.rest() {
            let Some(&player) = side.head().and_then(|name| self.names.players.get(name)) else {
                self.leave_out(side, "zrf-unknown-player", "this is set up for a player that does not play");
                continue;
            };
            for pieces in side.rest() {
                let Some(&kind) = pieces.head().and_then(|name| self.names.kinds.get(name)) else {
                    self.leave_out(pieces, "zrf-unknown-name", "this game has no such piece");
                    continue;
                };
                self.places(player, kind, pieces.rest(), &mut setup);
            }
        }
        setup.placements
    }

    fn places(&mut self, player: Player, kind: Kind, words: &[Form], setup: &mut Setup) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let name = word.symbol().unwrap_or_default();
            if let Some(&site) = self.names.sites.get(name) {
                self.stand(player, kind, site, word, setup);
            } else if name == "off" {
                let count = words.next().and_then(Form::integer).and_then(|count| i32::try_from(count).ok());
                match count.filter(|&count| count >= 0) {
                    Some(count) => setup.placements.push(Placement::Hand(player, kind, count)),
                    None => self.leave_out(word, "zrf-malformed", "`off` needs the number of pieces off the board"),
                }
            } else if let Some(&zone) = self.names.zones.get(name) {
                use dagaz_base::Id;
                let sites = self.board.zones[zone.index()].sites[player].clone();
                sites.iter().for_each(|site| self.stand(player, kind, site, word, setup));
            } else {
                self.leave_out(word, "zrf-unknown-position", "no position has this name");
            }
        }
    }

    fn stand(&mut self, player: Player, kind: Kind, site: Site, word: &Form, setup: &mut Setup) {
        let (origin, height) = setup.stands.entry(site).or_insert((word.origin, 0));
        *height += 1;
        let (first, height) = (*origin, *height);
        if height > self.stack_height() {
            let name = self.board.topology.site_name(site);
            self.diagnostics.push(
                Diagnostic::warning("zrf-duplicate", word.origin, format!("too many pieces are set up on `{name}`"))
                    .label("this one stands there")
                    .related(first.span, "this one is without effect"),
            );
        }
        setup.placements.push(Placement::Piece(player, kind, site));
    }

    /// How many pieces may stand on one site.
    fn stack_height(&self) -> u32 {
        let below = self.fields.values().find_map(|field| match field.scope {
            Scope::Stack(depth) => Some(depth),
            _ => None,
        });
        1 + below.unwrap_or(0)
    }

    fn leave_out(&mut self, form: &Form, code: &'static str, message: &str) {
        self.diagnostics.push(Diagnostic::warning(code, form.origin, message.to_owned()).label("it is left out"));
    }
}
