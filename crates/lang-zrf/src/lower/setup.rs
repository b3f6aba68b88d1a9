//! `(board-setup …)`.

use dagaz_base::Diagnostic;
use dagaz_ir::{Kind, Placement, Player};

use crate::lower::Lowering;
use crate::syntax::Form;

impl Lowering<'_> {
    /// Reads who has what where. What this variant does not have is left out with a warning.
    pub(crate) fn setup(&mut self) -> Vec<Placement> {
        let mut setup = Vec::new();
        let Some(form) = self.sections.get("board-setup") else { return setup };
        for side in &form.list().unwrap_or_default()[1..] {
            let Some(&player) = side.head().and_then(|name| self.names.players.get(name)) else {
                self.leave_out(side, "zrf-unknown-player", "this is set up for a player that does not play");
                continue;
            };
            for pieces in &side.list().unwrap_or_default()[1..] {
                let Some(&kind) = pieces.head().and_then(|name| self.names.kinds.get(name)) else {
                    self.leave_out(pieces, "zrf-unknown-name", "this game has no such piece");
                    continue;
                };
                self.places(player, kind, &pieces.list().unwrap_or_default()[1..], &mut setup);
            }
        }
        setup
    }

    fn places(&mut self, player: Player, kind: Kind, words: &[Form], setup: &mut Vec<Placement>) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let name = word.symbol().unwrap_or_default();
            if let Some(&site) = self.names.sites.get(name) {
                setup.push(Placement::Piece(player, kind, site));
            } else if name == "off" {
                let count = words.next().and_then(Form::integer).and_then(|count| i32::try_from(count).ok());
                match count.filter(|&count| count >= 0) {
                    Some(count) => setup.push(Placement::Hand(player, kind, count)),
                    None => self.leave_out(word, "zrf-malformed", "`off` needs the number of pieces off the board"),
                }
            } else if let Some(&zone) = self.names.zones.get(name) {
                use dagaz_base::Id;
                let sites = self.board.zones[zone.index()].sites[player].clone();
                setup.extend(sites.iter().map(|site| Placement::Piece(player, kind, site)));
            } else {
                self.leave_out(word, "zrf-unknown-position", "no position has this name");
            }
        }
    }

    fn leave_out(&mut self, form: &Form, code: &'static str, message: &str) {
        self.diagnostics.push(Diagnostic::warning(code, form.origin, message.to_owned()).label("it is left out"));
    }
}
