//! Goals: `win-condition` and its sisters.

use std::collections::BTreeSet;

use dagaz_base::{Diagnostic, Id, IdMap};
use dagaz_board::{SiteSet, Zone};
use dagaz_ir::{End, Expr, Function, Invariant, Kind, Local, LocalInfo, Op, Player, Type, Verdict, ZoneInfo};

use crate::lower::Lowering;
use crate::lower::block::{Asks, BlockLowering, number_of, short};
use crate::lower::names::suggest;
use crate::lower::usage;
use crate::syntax::Form;

/// How many times a state must stand for `repetition` to be true.
const REPETITIONS: i32 = 3;

/// The name of the zone that answers `goal-position?`; no file can name it.
const GOAL_ZONE: &str = "(goal)";

/// What a goal may say, and how.
const GOALS: [(&str, &str); 11] = [
    ("and", "(and condition…)"),
    ("or", "(or condition…)"),
    ("not", "(not condition)"),
    ("stalemated", "stalemated"),
    ("repetition", "repetition"),
    ("checkmated", "(checkmated piece…)"),
    ("captured", "(captured piece…)"),
    ("pieces-remaining", "(pieces-remaining number [piece])"),
    ("total-piece-count", "(total-piece-count number [piece])"),
    ("absolute-config", "(absolute-config piece… (place…))"),
    ("relative-config", "(relative-config piece direction piece…)"),
];

/// How many words a `relative-config` may have.
const MAX_CHAIN: usize = 400;

/// The condition of one goal while it is lowered.
struct Goal<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    locals: IdMap<Local, LocalInfo>,
    verdict: Verdict,
}

impl Lowering<'_> {
    /// Lowers all goals, with the endings that Zillions adds by itself.
    pub(crate) fn goals(&mut self, forms: &[Form]) -> (Vec<End>, Vec<Invariant>) {
        self.royal = forms.iter().flat_map(|form| self.royal_kinds(form)).collect();
        let mut ends = Vec::new();
        let mut invariants = Vec::new();
        let mut repetition_stated = false;
        for form in forms {
            let Some([head, rest @ ..]) = form.list().filter(|list| list.len() > 1) else {
                self.warn_goal(form, "a goal is written `(win-condition (players) condition)`");
                continue;
            };
            // Without players it is for all persons.
            let named = |form: &Form| form.symbol().is_some_and(|name| self.names.players.contains_key(name));
            let whose = |form: &Form| named(form) || form.list().is_some_and(|list| list.iter().all(named));
            let for_all = rest.len() == 1 + usize::from(head.symbol() == Some("score-condition")) && !whose(&rest[0]);
            if head.symbol() == Some("score-condition") && !(for_all || rest.len() == 3 && whose(&rest[0])) {
                let error = Diagnostic::error("zrf-goal", form.origin, "the game would never end by this");
                self.diagnostics.push(error.help("it is written `(score-condition (players) condition score)`"));
                continue;
            }
            let (players, mut conditions) = match for_all {
                true => (self.persons(), rest),
                false => (self.goal_players(&rest[0]), &rest[1..]),
            };
            let verdict = match head.symbol() {
                Some("win-condition") => Verdict::Win,
                Some("loss-condition") => Verdict::Loss,
                Some("draw-condition") => Verdict::Draw,
                Some("score-condition") => match conditions {
                    [condition, score] => {
                        conditions = std::slice::from_ref(condition);
                        let mut block = BlockLowering::asking(self, IdMap::new(), Asks::End, form.origin);
                        let body = block.number(score);
                        Verdict::Score(Box::new(Function { locals: block.into_locals(), body }))
                    }
                    _ => unreachable!("it was checked that there are two"),
                },
                _ => Verdict::Count,
            };
            if players.is_empty() || conditions.is_empty() {
                self.warn_goal(form, "this goal is for nobody");
                continue;
            }
            repetition_stated |=
                ["repetition", "repetitions", "board-repetitions"].iter().any(|word| mentions(form, word));
            for condition in conditions {
                if !self.afford(players.len(), condition.origin) {
                    break;
                }
                let mut goal = Goal { lowering: self, locals: IdMap::new(), verdict: verdict.clone() };
                let body = goal.condition(condition);
                let function = Function { locals: goal.locals, body };
                let name = short(condition);
                let origin = Some(form.origin);
                ends.push(End { name, players: players.clone(), result: verdict.clone(), condition: function, origin });
            }
            let royal = self.royal_kinds(form);
            if !royal.is_empty() && self.afford(royal.len(), form.origin) {
                invariants.push(self.safety(form, &players, &royal));
            }
        }
        if !repetition_stated && self.repetition_draws {
            // Without a word about repetition a third occurrence draws.
            let body = repeated();
            let condition = Function { locals: IdMap::new(), body };
            let players = vec![Player::from_index(0)];
            ends.push(End { name: "repetition".into(), players, result: Verdict::Draw, condition, origin: None });
        }
        (ends, invariants)
    }

    /// The players that are neither chance nor without turns.
    fn persons(&self) -> Vec<Player> {
        self.names.players.values().copied().filter(|player| self.persons.contains(player)).collect()
    }

    fn warn_goal(&mut self, form: &Form, why: &str) {
        self.diagnostics
            .push(Diagnostic::warning("zrf-goal", form.origin, why.to_owned()).label("the goal is left out"));
    }

    fn goal_players(&mut self, form: &Form) -> Vec<Player> {
        let words = form.list().map_or(std::slice::from_ref(form), |list| list);
        let mut players = Vec::new();
        for word in words {
            match word.symbol().and_then(|name| self.names.players.get(name)) {
                Some(&player) => players.push(player),
                None => self.diagnostics.push(
                    Diagnostic::warning("zrf-unknown-player", word.origin, format!("no player is named `{word}`"))
                        .label("the goal is not for it"),
                ),
            }
        }
        players
    }

    /// The kinds that a `checkmated` in the form names.
    fn royal_kinds(&self, form: &Form) -> BTreeSet<Kind> {
        let Some(items) = form.list() else { return BTreeSet::new() };
        if form.head() == Some("checkmated") {
            return items[1..].iter().filter_map(|item| self.names.kinds.get(item.symbol()?)).copied().collect();
        }
        items.iter().flat_map(|item| self.royal_kinds(item)).collect()
    }

    /// No step may leave a royal piece of the mover attacked.
    fn safety(&mut self, form: &Form, players: &[Player], royal: &BTreeSet<Kind>) -> Invariant {
        let mut goal = Goal { lowering: self, locals: IdMap::new(), verdict: Verdict::Loss };
        let safe = goal.attacked_royal(royal).negated();
        let mut parts: Vec<Expr> = Vec::new();
        if goal.lowering.names.players.values().any(|player| !players.contains(player)) {
            let concerned = players
                .iter()
                .map(|&player| Expr::new(Op::Equal, [Expr::leaf(Op::Me), Expr::leaf(Op::Player(player))]));
            parts.push(Expr::new(Op::Or, concerned.collect::<Vec<_>>()).negated());
        }
        parts.push(safe);
        let body = if parts.len() == 1 { parts.remove(0) } else { Expr::new(Op::Or, parts) };
        let condition = Function { locals: goal.locals, body };
        let names: Vec<_> = royal.iter().map(|&kind| self.kinds[kind].name.as_str()).collect();
        let name = format!("{} may not be left attacked", names.join(" and "));
        Invariant { name, condition, origin: Some(form.origin) }
    }

    /// The zone of all places that goals speak of, by player: what `goal-position?` asks for.
    pub(crate) fn goal_zone(&mut self) -> Zone {
        if let Some(index) = self.board.zones.iter().position(|zone| zone.name == GOAL_ZONE) {
            return Zone::from_index(index);
        }
        let mut sites = IdMap::filled(self.names.players.len(), SiteSet::empty(self.board.topology.site_count()));
        for form in &self.sections.goals.clone() {
            let Some([head, players, conditions @ ..]) = form.list() else { continue };
            if head.symbol() != Some("win-condition") {
                continue;
            }
            for player in self.goal_players(players) {
                let mut places = Vec::new();
                conditions.iter().for_each(|condition| collect_places(condition, &mut places));
                for place in places {
                    if let Some(&site) = self.names.sites.get(place) {
                        sites[player].insert(site);
                    } else if let Some(&zone) = self.names.zones.get(place) {
                        sites[player] = sites[player].union(&self.board.zones[zone.index()].sites[player]);
                    }
                }
            }
        }
        self.board.zones.push(ZoneInfo { name: GOAL_ZONE.into(), sites });
        Zone::from_index(self.board.zones.len() - 1)
    }
}

/// The words at the end of each `absolute-config` in the form.
fn collect_places<'f>(form: &'f Form, places: &mut Vec<&'f str>) {
    let Some(items) = form.list() else { return };
    if form.head() == Some("absolute-config") {
        if let Some(last) = items.last() {
            let words = last.list().map_or(std::slice::from_ref(last), |list| list);
            places.extend(words.iter().filter_map(Form::symbol));
        }
    } else {
        items.iter().for_each(|item| collect_places(item, places));
    }
}

fn mentions(form: &Form, word: &str) -> bool {
    form.symbol() == Some(word) || form.list().is_some_and(|items| items.iter().any(|item| mentions(item, word)))
}

fn repeated() -> Expr {
    Expr::new(Op::AtMost, [Expr::int(REPETITIONS), Expr::leaf(Op::Repetitions)])
}

fn all(parts: impl Into<Box<[Expr]>>) -> Expr {
    Expr::new(Op::And, parts)
}

impl Goal<'_, '_> {
    fn site_local(&mut self, name: &str) -> Local {
        self.locals.push(LocalInfo { name: name.to_owned(), ty: Type::Site })
    }

    fn condition(&mut self, form: &Form) -> Expr {
        let items = form.list().map_or(std::slice::from_ref(form), |list| list);
        let Some((head, rest)) = items.split_first() else {
            return self.unknown(form);
        };
        match head.symbol() {
            Some("and" | "or" | "captured" | "checkmated") if rest.is_empty() => self.says_nothing(form),
            Some("and" | "or") => {
                let op = if head.symbol() == Some("and") { Op::And } else { Op::Or };
                let parts: Vec<_> = rest.iter().map(|form| self.condition(form)).collect();
                Expr::new(op, parts)
            }
            Some("not") => match rest {
                [one] => self.condition(one).negated(),
                _ => self.unknown(form),
            },
            Some("stalemated" | "repetition") if !rest.is_empty() => self.unknown(form),
            Some("stalemated") if !self.lowering.afford(self.lowering.royal.len(), form.origin) => never(),
            Some("stalemated") => self.stalemated(),
            Some("repetition") => match self.verdict {
                // Whoever brings it about wins or loses by it; a draw is everybody's.
                Verdict::Win | Verdict::Loss => {
                    all([repeated(), Expr::new(Op::Equal, [Expr::leaf(Op::LastMover), Expr::leaf(Op::Me)])])
                }
                Verdict::Draw | Verdict::Count | Verdict::Score(_) => repeated(),
            },
            Some("checkmated") => {
                let kinds: BTreeSet<Kind> = rest.iter().filter_map(|form| self.kind(form)).collect();
                let attacked = self.attacked_royal(&kinds);
                all([stuck(), attacked])
            }
            Some("captured") => {
                let kinds: Vec<_> = rest.iter().filter_map(|form| self.kind(form)).collect();
                let lost = |kind| {
                    let lost = Expr::new(Op::Captured, [Expr::leaf(Op::Me), Expr::leaf(Op::Kind(kind))]);
                    Expr::new(Op::Less, [Expr::int(0), lost])
                };
                Expr::new(Op::Or, kinds.into_iter().map(lost).collect::<Vec<_>>())
            }
            Some("pieces-remaining") => self.pieces(rest, form, Some(Expr::leaf(Op::Me))),
            Some("total-piece-count") => match rest {
                [number, what] if self.player(what).is_some() => {
                    let player = self.player(what).map(|player| Expr::leaf(Op::Player(player)));
                    self.pieces(std::slice::from_ref(number), form, player)
                }
                _ => self.pieces(rest, form, None),
            },
            Some("absolute-config") => self.absolute(rest, form),
            Some("relative-config") => self.relative(rest, form),
            _ => match self.expression(form) {
                Some(condition) => condition,
                None => self.unknown(form),
            },
        }
    }

    /// A condition of the kind that moves have, asked of the state as a whole.
    fn expression(&mut self, form: &Form) -> Option<Expr> {
        let locals = std::mem::take(&mut self.locals);
        let mut block = BlockLowering::asking(self.lowering, locals, Asks::End, form.origin);
        let (word, rest) = match form.list() {
            Some([head, rest @ ..]) => (head.symbol().unwrap_or_default(), rest),
            _ => (form.symbol().unwrap_or_default(), &[][..]),
        };
        let plain = |block: &mut BlockLowering<'_, '_>, word: &str| {
            block.extended_test(word, rest, form).or_else(|| match rest {
                // Without a place it would be asked of nowhere.
                [] => None,
                _ => block.positive(word, rest, form),
            })
        };
        let condition = plain(&mut block, word)
            .or_else(|| word.strip_prefix("not-").and_then(|word| plain(&mut block, word).map(Expr::negated)));
        self.locals = block.into_locals();
        condition
    }

    /// A goal without the words that it speaks of.
    fn says_nothing(&mut self, form: &Form) -> Expr {
        self.lowering.diagnostics.push(
            Diagnostic::error("zrf-goal", form.origin, format!("`{}` speaks of nothing", short(form)))
                .label("the game would end by it at once, or never")
                .help("name the pieces and places that it is about"),
        );
        never()
    }

    fn unknown(&mut self, form: &Form) -> Expr {
        let word = form.head().or(form.symbol()).unwrap_or_default();
        let shape = GOALS.iter().find(|(known, _)| *known == word).map(|(_, shape)| format!("`{shape}`"));
        let words = || GOALS.iter().map(|(known, _)| *known).chain(usage::CONDITIONS);
        let help = match shape.or_else(|| usage::of_condition(word).map(str::to_owned)) {
            Some(shape) => format!("it is written {shape}"),
            None => suggest(word, words())
                .unwrap_or_else(|| format!("a goal is one of {}", words().collect::<Vec<_>>().join(", "))),
        };
        self.lowering.diagnostics.push(
            Diagnostic::error("zrf-goal", form.origin, format!("`{}` is no goal", short(form)))
                .label("the game would never end by it")
                .help(help),
        );
        never()
    }

    fn kind(&mut self, form: &Form) -> Option<Kind> {
        let found = form.symbol().and_then(|name| self.lowering.names.kinds.get(name)).copied();
        if found.is_none() {
            self.lowering.diagnostics.push(
                Diagnostic::warning("zrf-unknown-name", form.origin, format!("this game has no piece `{form}`"))
                    .label("the goal is kept without it"),
            );
        }
        found
    }

    fn player(&self, form: &Form) -> Option<Player> {
        self.lowering.names.players.get(form.symbol()?).copied()
    }

    fn stalemated(&mut self) -> Expr {
        let royal = self.lowering.royal.clone();
        if royal.is_empty() {
            return stuck();
        }
        // A checkmated player is not stalemated.
        let safe = self.attacked_royal(&royal).negated();
        all([stuck(), safe])
    }

    /// Whether a piece of the player and of one of these kinds is attacked.
    fn attacked_royal(&mut self, kinds: &BTreeSet<Kind>) -> Expr {
        let site = self.site_local("royal");
        let kind = self.kind_is(Expr::local(site), kinds.iter().copied());
        let attacked = Expr::new(Op::Attacked(None), [Expr::local(site)]);
        let all_sites = Expr::leaf(Op::AllSites);
        Expr::new(Op::Any(site), [all_sites, all([Expr::new(Op::Mine, [Expr::local(site)]), kind, attacked])])
    }

    fn kind_is(&self, site: Expr, kinds: impl Iterator<Item = Kind>) -> Expr {
        let read = Expr::new(Op::Read(self.lowering.kind_field), [site]);
        let tests: Vec<_> =
            kinds.map(|kind| Expr::new(Op::Equal, [read.clone(), Expr::leaf(Op::Kind(kind))])).collect();
        Expr::new(Op::Or, tests)
    }

    /// `N [piece]`: how many pieces there are, of a player or of all.
    fn pieces(&mut self, rest: &[Form], form: &Form, player: Option<Expr>) -> Expr {
        let number = rest.first().and_then(Form::integer).and_then(|number| i32::try_from(number).ok());
        let Some(number) = number else { return self.unknown(form) };
        let kind = match rest.get(1) {
            Some(named) => match self.kind(named) {
                Some(kind) => Some(kind),
                None => return never(),
            },
            None => None,
        };
        let site = self.site_local("piece");
        let mut tests = vec![Expr::new(Op::Empty, [Expr::local(site)]).negated()];
        if let Some(player) = &player {
            let owner = Expr::new(Op::Read(self.lowering.owner_field), [Expr::local(site)]);
            tests.push(Expr::new(Op::Equal, [owner, player.clone()]));
        }
        if let Some(kind) = kind {
            tests.push(self.kind_is(Expr::local(site), std::iter::once(kind)));
        }
        let standing = Expr::new(Op::Where(site), [Expr::leaf(Op::AllSites), all(tests)]);
        let mut count = Expr::new(Op::Count, [standing]);
        let hands = self.lowering.kinds.len().saturating_mul(self.lowering.names.players.len());
        if self.lowering.options.include_off_pieces
            && let Some(hand) = self.lowering.hand_field
            && self.lowering.afford(hands, form.origin)
        {
            for held in self.hands(player, kind) {
                count = Expr::new(Op::Add, [count, Expr::new(Op::Get(hand), [held])]);
            }
        }
        Expr::new(Op::Equal, [count, Expr::int(number)])
    }

    /// The indices of the hands of a player or of all, of one kind or of all.
    fn hands(&self, player: Option<Expr>, kind: Option<Kind>) -> Vec<Expr> {
        let kinds = self.lowering.kinds.len() as i32;
        let players: Vec<Expr> = match player {
            Some(player) => vec![player],
            None => self.lowering.names.players.values().map(|&player| Expr::leaf(Op::Player(player))).collect(),
        };
        let wanted: Vec<i32> = match kind {
            Some(kind) => vec![number_of(kind)],
            None => (1..=kinds).collect(),
        };
        let index = |player: &Expr, kind: i32| {
            let before = Expr::new(Op::Subtract, [player.clone(), Expr::int(1)]);
            let row = Expr::new(Op::Multiply, [before, Expr::int(kinds)]);
            Expr::new(Op::Add, [row, Expr::int(kind - 1)])
        };
        players.iter().flat_map(|player| wanted.iter().map(move |&kind| index(player, kind))).collect()
    }

    /// What may stand on a place: `T`, `(opponent T)`, `(any-owner T)`, `(not T)`.
    fn occupant(&mut self, form: &Form, site: &Expr) -> Option<Expr> {
        if form.symbol().is_some() {
            let kind = self.kind(form)?;
            let kind = self.kind_is(site.clone(), std::iter::once(kind));
            return Some(all([Expr::new(Op::Mine, [site.clone()]), kind]));
        }
        match form.list()? {
            [word, named] => match word.symbol()? {
                "opponent" => {
                    let kind = self.kind(named)?;
                    let kind = self.kind_is(site.clone(), std::iter::once(kind));
                    Some(all([Expr::new(Op::Enemy, [site.clone()]), kind]))
                }
                "any-owner" => {
                    let kind = self.kind(named)?;
                    Some(self.kind_is(site.clone(), std::iter::once(kind)))
                }
                "not" => {
                    let not = self.occupant(named, site)?.negated();
                    Some(all([Expr::new(Op::OnBoard, [site.clone()]), not]))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn occupied(&mut self, occupants: &[Form], site: &Expr, whole: &Form) -> Expr {
        if !self.lowering.afford(occupants.len(), whole.origin) {
            return never();
        }
        let mut tests = Vec::new();
        for occupant in occupants {
            match self.occupant(occupant, site) {
                Some(test) => tests.push(test),
                None if occupant.symbol().is_some() => {}
                None => return self.unknown(whole),
            }
        }
        Expr::new(Op::Or, tests)
    }

    /// All places hold one of the occupants; a zone does when any of its places does.
    fn absolute(&mut self, rest: &[Form], form: &Form) -> Expr {
        let Some((places, occupants)) = rest.split_last() else { return self.says_nothing(form) };
        if occupants.is_empty() || places.list().is_some_and(<[Form]>::is_empty) {
            return self.says_nothing(form);
        }
        let mut tests = Vec::new();
        for place in places.list().map_or(std::slice::from_ref(places), |list| list) {
            let name = place.symbol().unwrap_or_default();
            if let Some(&site) = self.lowering.names.sites.get(name) {
                tests.push(self.occupied(occupants, &Expr::leaf(Op::Site(site)), form));
            } else if let Some(&zone) = self.lowering.names.zones.get(name) {
                let site = self.site_local("place");
                let test = self.occupied(occupants, &Expr::local(site), form);
                tests.push(Expr::new(Op::Any(site), [Expr::leaf(Op::ZoneSites(zone)), test]));
            } else {
                self.lowering.diagnostics.push(
                    Diagnostic::warning(
                        "zrf-unknown-position",
                        place.origin,
                        format!("no position or zone is named `{place}`"),
                    )
                    .label("this goal can never be reached"),
                );
                return never();
            }
        }
        all(tests)
    }

    /// Somewhere on the board such a chain stands: occupant, direction, occupant, …
    fn relative(&mut self, rest: &[Form], form: &Form) -> Expr {
        if rest.len() > MAX_CHAIN {
            self.lowering.diagnostics.push(
                Diagnostic::error("zrf-too-complex", form.origin, format!("`{}` is too long", short(form)))
                    .label(format!("it has more than {MAX_CHAIN} words")),
            );
            return never();
        }
        let start = self.site_local("start");
        let mut site = Expr::local(start);
        let mut tests = Vec::new();
        for item in rest {
            match item.symbol().and_then(|name| self.lowering.names.directions.get(name)).copied() {
                // A word that is a piece as well is a direction where one must stand: between occupants.
                Some(direction) if !tests.is_empty() => {
                    // Each place of the chain is reached from its start anew.
                    if !self.lowering.afford(tests.len(), form.origin) {
                        return never();
                    }
                    site = Expr::new(Op::Step(direction), [site]);
                }
                _ => tests.push(self.occupied(std::slice::from_ref(item), &site, form)),
            }
        }
        // A chain has at least two pieces, and ends with one.
        let ends_with_direction = rest.last().and_then(Form::symbol).is_some_and(|last| {
            self.lowering.names.directions.contains_key(last) && !self.lowering.names.kinds.contains_key(last)
        });
        if tests.len() < 2 || ends_with_direction {
            return self.says_nothing(form);
        }
        Expr::new(Op::Any(start), [Expr::leaf(Op::AllSites), all(tests)])
    }
}

/// The player is to move and cannot.
fn stuck() -> Expr {
    let his_turn = Expr::new(Op::Equal, [Expr::leaf(Op::ToMove), Expr::leaf(Op::Me)]);
    let no_moves = Expr::new(Op::Equal, [Expr::leaf(Op::MoveCount), Expr::int(0)]);
    all([his_turn, no_moves])
}

fn never() -> Expr {
    Expr::leaf(Op::Bool(false))
}
