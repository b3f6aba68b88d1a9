//! A small game from text, to be played a few moves and looked at: everything that it says is text, so that a test shows
//! the rules and what they mean side by side.
//!
//! ```text
//! a2 - a3 step n, b7 - b6        moves: universal notation as short as is clear, with commas between
//! White to move                  a position: whose turn it is, then the pieces as a board-setup has them;
//! (White (Man a1 b2[moved]))     in brackets the attributes that are true
//! White: White Man a1; ? b2    what a player sees, as `seen` cases have it
//! White wins, Black loses: …     an outcome: who has what of it, and the goal that was true
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use dagaz_base::Id;
use dagaz_cases::{hidden_elsewhere, seen_on_board};
use dagaz_engine::{Interpreter, Limits, NoHistory, Outcome, Share, perft};
use dagaz_ir::{Player, Role, Rules, Scope};
use dagaz_lang_zrf::{Compiled, Settings, compile};
use dagaz_notation::universal;
use dagaz_play::Play;

/// A game in progress on rules from a text.
pub struct Trial {
    play: Play,
}

/// Compiles a text with files for its includes, by name.
pub fn compile_text(text: &str, files: &BTreeMap<String, String>, settings: &Settings) -> Compiled {
    compile("game.zrf", text.as_bytes(), &mut |name| files.get(name).map(|text| text.clone().into_bytes()), settings)
}

impl Trial {
    /// The start of the game in a text. Panics with the diagnostics when it has any, warnings included.
    pub fn of(text: &str) -> Self {
        Self::with(text, &Settings::default())
    }

    /// The same for a variant.
    pub fn of_variant(text: &str, variant: &str) -> Self {
        Self::with(text, &Settings { variant: Some(variant.to_owned()), ..Settings::default() })
    }

    /// The same with any settings.
    pub fn with(text: &str, settings: &Settings) -> Self {
        let compiled = compile_text(text, &BTreeMap::new(), settings);
        let findings = compiled.diagnostics.render(&compiled.sources);
        assert!(findings.is_empty(), "{findings}");
        Self::new(compiled.game.expect("a game without findings").rules)
    }

    /// The start of the game in a text that has findings, as long as there are rules.
    pub fn despite_findings(text: &str) -> Self {
        Self::new(Rules::clone(&crate::rules(text)))
    }

    /// The start of a game.
    pub fn new(rules: Rules) -> Self {
        // Small games need little work, and a rule without an end is to be found out soon.
        let limits = Limits { work: 2_000_000, ..Limits::default() };
        Self { play: Play::new(Arc::new(Interpreter::with_limits(Arc::new(rules), limits))) }
    }

    /// A game in progress.
    pub fn at(play: Play) -> Self {
        Self { play }
    }

    /// Makes moves, with commas between. Says why when one of them cannot be made.
    pub fn try_after(mut self, moves: &str) -> Result<Self, String> {
        for text in moves.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let steps = self.play.legal_steps().map_err(ToString::to_string)?;
            let (executor, state) = (self.play.executor(), self.play.state());
            let step = universal::read(&**executor, state, steps, text).map_err(|error| error.to_string())?.clone();
            self.play.play(&step).map_err(|error| error.to_string())?;
        }
        Ok(self)
    }

    /// The same. Panics when one of the moves cannot be made.
    #[must_use]
    pub fn after(self, moves: &str) -> Self {
        self.try_after(moves).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The legal moves in universal notation, in their order; none when the game is over.
    pub fn moves(&self) -> Vec<String> {
        self.try_moves().unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// The same. Says why when the rules cannot be run to their end.
    pub fn try_moves(&self) -> Result<Vec<String>, String> {
        let steps = self.play.legal_steps().map_err(ToString::to_string)?;
        universal::write_all(&**self.play.executor(), self.play.state(), steps).map_err(|fault| fault.to_string())
    }

    /// How many sequences of so many moves there are.
    pub fn perft(&self, depth: u32) -> u64 {
        let executor = self.play.executor();
        perft(&**executor, self.play.state(), &NoHistory, depth).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Whose turn it is and what stands where, a player a line.
    pub fn position(&self) -> String {
        let mut lines = vec![format!("{} to move", self.to_move())];
        lines.extend(self.sides());
        lines.join("\n")
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> &str {
        self.name(self.play.to_move())
    }

    /// What each player sees, a line for each, and what he does not see besides the board.
    pub fn seen(&self) -> String {
        let (executor, persons) = (self.play.executor(), self.play.rules().players.iter());
        let persons = persons.filter(|(_, info)| info.role == Role::Person);
        let lines = persons.map(|(player, info)| {
            let seen = executor.seen_by(self.play.state(), player).unwrap_or_else(|fault| panic!("{fault}"));
            let (board, hidden) = (seen_on_board(&**executor, &seen), hidden_elsewhere(&**executor, &seen));
            let board = if board.is_empty() { "an empty board" } else { &board };
            let hidden = if hidden.is_empty() { String::new() } else { format!("; hidden {}", hidden.join(", ")) };
            format!("{}: {board}{hidden}", info.name)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// What stands where, on one line.
    pub fn pieces(&self) -> String {
        self.sides().collect::<Vec<_>>().join(" ")
    }

    /// Who won, and by what; or `open`.
    pub fn outcome(&self) -> String {
        match self.play.outcome().unwrap_or_else(|fault| panic!("{fault}")) {
            None => "open".to_owned(),
            Some(outcome) => self.result(outcome),
        }
    }

    /// The game in progress.
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.play.rules()
    }

    fn sides(&self) -> impl Iterator<Item = String> {
        self.play.rules().players.ids().filter_map(|player| self.side(player))
    }

    fn result(&self, outcome: &Outcome) -> String {
        let verb = |share| match share {
            Share::Win => Some("wins"),
            Share::Loss => Some("loses"),
            Share::Draw => Some("draws"),
            Share::None => None,
        };
        let shares = self.play.rules().players.ids().zip(&outcome.shares);
        let shares = shares.filter_map(|(player, &share)| Some(format!("{} {}", self.name(player), verb(share)?)));
        let reason = outcome.end.map_or("no moves", |end| &self.play.rules().ends[end].name);
        format!("{}: {reason}", shares.collect::<Vec<_>>().join(", "))
    }

    fn name(&self, player: Player) -> &str {
        &self.play.rules().players[player].name
    }

    /// A player's pieces as `(White (Man a1 b2 off 3))`, when there are any.
    fn side(&self, player: Player) -> Option<String> {
        let rules = self.play.rules();
        let (layout, state) = (self.play.executor().layout(), self.play.state());
        let mut kinds = String::new();
        for kind in rules.kinds.ids() {
            let mut places = String::new();
            for site in rules.topology.sites() {
                let is = |field, number: usize| state.get(layout.at(field, site)) == number as i32 + 1;
                if is(layout.known.owner, player.index()) && is(layout.known.kind, kind.index()) {
                    places += &format!(" {}{}", rules.topology.site_name(site), self.attributes(site));
                }
            }
            let held = layout.known.hand.and_then(|hand| {
                let cell = layout.cell(hand, player.index() * rules.kinds.len() + kind.index())?;
                Some(state.get(cell)).filter(|&held| held > 0)
            });
            places += &held.map_or(String::new(), |held| format!(" off {held}"));
            if !places.is_empty() {
                kinds += &format!(" ({}{places})", rules.kinds[kind].name);
            }
        }
        (!kinds.is_empty()).then(|| format!("({}{kinds})", rules.players[player].name))
    }

    /// The attributes of the piece there that are true, as `[a b]`.
    fn attributes(&self, site: dagaz_board::Site) -> String {
        let rules = self.play.rules();
        let (layout, state) = (self.play.executor().layout(), self.play.state());
        let known = layout.known;
        let pieces = rules.fields.iter().filter(|(_, info)| info.scope == Scope::Piece);
        let truths = pieces.filter(|&(field, _)| field != known.owner && field != known.kind);
        let truths = truths.filter(|&(field, _)| state.get(layout.at(field, site)) != 0);
        let names: Vec<&str> =
            truths.map(|(_, info)| info.name.strip_prefix("attribute ").unwrap_or(&info.name)).collect();
        if names.is_empty() { String::new() } else { format!("[{}]", names.join(" ")) }
    }
}
