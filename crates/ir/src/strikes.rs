//! From where pieces strike a site: for each site the starts from which a rule's ways lead there, and what must be true then. So a
//! question about attacks looks at a few sets instead of running every rule of every piece.
//!
//! What depends on the board alone is decided here; questions about attacks that a rule asks in turn are answered with no.

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, Site, SiteSet};

use crate::code::Expr;
use crate::op::Op;
use crate::rules::{Kind, MoveType, Player, RuleId, Rules, Trigger};
use crate::ways::{Way, end, routes, subject};

/// Ways of pieces of one kind that strike under the same conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strike {
    /// The kind.
    pub kind: Kind,
    /// The move type of their rules.
    pub move_type: Option<MoveType>,
    /// For each player and target the sites from which he may strike it.
    pub starts: IdMap<Player, Vec<SiteSet>>,
    /// What must be true of the target, which is local 0: all conditions of one list.
    pub targets: Vec<Vec<Expr>>,
    /// What must be true besides, said of the start, which is local 0.
    pub asked: Vec<Expr>,
    /// How many obstacles there are between start and target, when that is a slide; other sites between them are empty.
    pub slide: Option<Line>,
}

impl Strike {
    /// Whether all targets are occupied, or all empty; nothing when some may be either.
    pub fn on_occupied(&self) -> Option<bool> {
        let empty = Expr::new(Op::Empty, [subject()]);
        let stands = [Op::Enemy, Op::Friend, Op::Mine, Op::Neutral].map(|op| Expr::new(op, [subject()]));
        let occupied = |all: &Vec<Expr>| {
            all.contains(&empty.clone().negated()) || stands.iter().any(|condition| all.contains(condition))
        };
        if self.targets.iter().all(occupied) {
            return Some(true);
        }
        self.targets.iter().all(|all| all.contains(&empty)).then_some(false)
    }
}

/// How a slide strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// How many obstacles it has jumped over.
    pub hops: usize,
}

/// All strikes of rules.
#[derive(Clone, Debug, Default)]
pub struct Strikes {
    /// Those of the rules that are known so.
    pub strikes: Vec<Strike>,
    /// The rules that must be run to know.
    pub others: Vec<RuleId>,
    /// The directions of slides, as the board has them.
    pub directions: Vec<Direction>,
}

/// How the rules strike, as far as it is known.
pub fn strikes(rules: &Rules, of: &[RuleId]) -> Strikes {
    let mut found = Strikes::default();
    let opposites = rules.topology.opposites();
    let board = Board { rules, opposites: &opposites };
    for &id in of {
        match board.strikes(id) {
            Some(strikes) => strikes.into_iter().for_each(|(strike, directions)| {
                found.add(strike);
                found.directions.extend(directions);
            }),
            None => found.others.push(id),
        }
    }
    found.directions.sort_unstable();
    found.directions.dedup();
    found.join();
    found
}

impl Strikes {
    /// Adds a strike to one that differs by its starts alone.
    fn add(&mut self, strike: Strike) {
        let same = |other: &&mut Strike| {
            let alike = (other.kind, other.move_type, other.slide) == (strike.kind, strike.move_type, strike.slide);
            alike && other.targets == strike.targets && other.asked == strike.asked
        };
        let Some(other) = self.strikes.iter_mut().find(same) else { return self.strikes.push(strike) };
        for (own, more) in other.starts.values_mut().zip(strike.starts.values()) {
            own.iter_mut().zip(more).for_each(|(own, more)| *own = own.union(more));
        }
    }

    /// Joins those that differ by their targets alone.
    fn join(&mut self) {
        let mut joined: Vec<Strike> = Vec::new();
        for strike in std::mem::take(&mut self.strikes) {
            let same = |other: &&mut Strike| {
                let alike = (other.kind, other.move_type, other.slide) == (strike.kind, strike.move_type, strike.slide);
                alike && other.starts == strike.starts && other.asked == strike.asked
            };
            match joined.iter_mut().find(same) {
                Some(other) => other.targets.extend(strike.targets),
                None => joined.push(strike),
            }
        }
        self.strikes = joined;
    }
}

struct Board<'r> {
    rules: &'r Rules,
    opposites: &'r IdMap<Direction, Option<Direction>>,
}

/// What is known of an expression without a state.
enum Known {
    Truth(bool),
    Place(Option<Site>),
}

impl Board<'_> {
    fn strikes(&self, id: RuleId) -> Option<Vec<(Strike, Vec<Direction>)>> {
        let rule = &self.rules.rules[id];
        if !matches!(rule.trigger, Trigger::Piece | Trigger::AnyPiece) {
            return None;
        }
        let kind = rule.kind?;
        let mut found = Vec::new();
        for way in &routes(rule)?.ways {
            for effect in way.made.as_ref()? {
                // A displacement from nowhere is none.
                let (from, place) = match effect.op {
                    Op::Move | Op::Copy => (Some(&effect.args[0]), &effect.args[1]),
                    Op::Capture | Op::Pop => (None, &effect.args[0]),
                    Op::Drop => return None,
                    _ => continue,
                };
                // Nobody asks whether a piece strikes the site where it stands.
                if *place == subject() {
                    continue;
                }
                let (strike, directions) = self.strike(kind, way, from, place)?;
                if strike.starts.values().flatten().any(|starts| !starts.is_empty()) {
                    found.push((Strike { move_type: rule.move_type, ..strike }, directions));
                }
            }
        }
        Some(found)
    }

    /// How a way strikes a place.
    fn strike(&self, kind: Kind, way: &Way, from: Option<&Expr>, place: &Expr) -> Option<(Strike, Vec<Direction>)> {
        let mut conditions: Vec<Expr> = way.conditions.iter().map(unasked).collect();
        let line = match &way.slide {
            None => None,
            Some(slide) => {
                let empty = Expr::new(Op::Empty, [end()]);
                let hops = slide.hops.iter().all(|hop| *hop == [empty.clone().negated()]);
                if *place != end() || !hops || slide.through != [empty.clone()] {
                    return None;
                }
                conditions.extend(slide.ends.iter().map(unasked));
                conditions.extend((!slide.stops).then_some(empty));
                Some(Line { hops: slide.hops.len() })
            }
        };
        let (mut fixed, mut target, mut asked) = (Vec::new(), Vec::new(), Vec::new());
        for condition in conditions {
            if is_fixed(&condition) {
                fixed.push(condition);
            } else if let Some(said) = said_of(&condition, place) {
                target.push(said);
            } else {
                asked.push(condition);
            }
        }
        if asked.iter().any(|condition| condition.any(&|part| *part == end())) {
            return None;
        }
        let count = self.rules.topology.site_count();
        let mut directions = Vec::new();
        let mut starts = IdMap::new();
        for player in self.rules.players.ids() {
            let mut own = vec![SiteSet::empty(count); count];
            for start in self.rules.topology.sites() {
                let ends: Vec<Site> = match &way.slide {
                    None => self.place(place, player, [start; 2])?.into_iter().collect(),
                    Some(slide) => {
                        let seen = self.rules.players[player].seen(slide.direction);
                        directions.push(seen);
                        let further = |&site: &Site| self.rules.topology.step(seen, site);
                        std::iter::successors(further(&start), further).take(count).collect()
                    }
                };
                for end in ends.into_iter().filter(|&end| end != start) {
                    if let Some(from) = from
                        && self.place(from, player, [start, end])?.is_none_or(|from| from == end)
                    {
                        continue;
                    }
                    let holds = |condition| self.known(condition, player, [start, end]);
                    if fixed.iter().all(|condition| matches!(holds(condition), Some(Known::Truth(true)))) {
                        own[end.index()].insert(start);
                    }
                }
            }
            starts.push(own);
        }
        directions.sort_unstable();
        directions.dedup();
        let strike = Strike { kind, move_type: None, starts, targets: vec![target], asked, slide: line };
        Some((strike, directions))
    }

    /// A place that is some steps from a start; nothing when it is said in another way.
    fn place(&self, place: &Expr, player: Player, sites: [Site; 2]) -> Option<Option<Site>> {
        match self.known(place, player, sites)? {
            Known::Place(site) => Some(site),
            Known::Truth(_) => None,
        }
    }

    /// The value of an expression for which [`is_fixed`] holds.
    fn known(&self, expr: &Expr, player: Player, sites: [Site; 2]) -> Option<Known> {
        let place = |index: usize| self.place(&expr.args[index], player, sites);
        let truth = |index: usize| match self.known(&expr.args[index], player, sites) {
            Some(Known::Truth(truth)) => Some(truth),
            _ => None,
        };
        let topology = &self.rules.topology;
        let seen = |direction| self.rules.players[player].seen(direction);
        let step = |direction: Option<Direction>| {
            Some(Known::Place(place(0)?.and_then(|site| topology.step(direction?, site))))
        };
        match expr.op {
            Op::Local(local) => Some(Known::Place(Some(*sites.get(local.index())?))),
            Op::Step(direction) => step(Some(seen(direction))),
            Op::StepBack(direction) => step(self.opposites[seen(direction)]),
            Op::Bool(value) => Some(Known::Truth(value)),
            Op::OnBoard => Some(Known::Truth(place(0)?.is_some())),
            Op::InZone(zone) => {
                let inside = |site| self.rules.zones[zone].sites.get(player).is_some_and(|set| set.contains(site));
                Some(Known::Truth(place(0)?.is_some_and(inside)))
            }
            Op::Not => Some(Known::Truth(!truth(0)?)),
            Op::And | Op::Or => {
                let all: Option<Vec<bool>> = (0..expr.args.len()).map(truth).collect();
                let all = all?;
                let joined = if expr.op == Op::And { all.iter().all(|&part| part) } else { all.contains(&true) };
                Some(Known::Truth(joined))
            }
            _ => None,
        }
    }
}

/// Whether a truth value depends on the board alone.
fn is_fixed(expr: &Expr) -> bool {
    let fixed = matches!(
        expr.op,
        Op::Local(_)
            | Op::Step(_)
            | Op::StepBack(_)
            | Op::Bool(_)
            | Op::OnBoard
            | Op::InZone(_)
            | Op::Not
            | Op::And
            | Op::Or
    );
    fixed && expr.args.iter().all(is_fixed)
}

/// An expression in which questions about attacks are answered with no.
fn unasked(expr: &Expr) -> Expr {
    let args: Vec<Expr> = match expr.op {
        Op::Attacked(_) | Op::Defended(_) => return Expr::leaf(Op::Bool(false)),
        Op::And | Op::Or => {
            let decides = expr.op == Op::Or;
            let parts: Vec<Expr> = expr.args.iter().map(unasked).collect();
            if parts.iter().any(|part| part.op == Op::Bool(decides)) {
                return Expr::leaf(Op::Bool(decides));
            }
            parts.into_iter().filter(|part| part.op != Op::Bool(!decides)).collect()
        }
        Op::Not => return unasked(&expr.args[0]).negated(),
        _ => expr.args.iter().map(unasked).collect(),
    };
    Expr::new(expr.op, args)
}

/// A condition on a place, when it is about nothing else: the place is local 0 then.
fn said_of(condition: &Expr, place: &Expr) -> Option<Expr> {
    if condition == place {
        return Some(subject());
    }
    if let Op::Local(_) | Op::Where(_) | Op::Any(_) | Op::Every(_) | Op::Sum(_) = condition.op {
        return None;
    }
    let args: Option<Vec<Expr>> = condition.args.iter().map(|arg| said_of(arg, place)).collect();
    Some(Expr::new(condition.op, args?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How pieces strike by rules with these bodies, on a board of four sites in a row.
    fn found(bodies: &[&str]) -> Strikes {
        let rule = |body: &&str| {
            format!(
                "(rule r (kind Man) (trigger piece) (view before) (locals (here site) (at site)) (body (let at (step e here)) {body}))"
            )
        };
        let text = format!(
            "(rules Row (sites (a 0 0 1 1) (b 1 0 2 1) (c 2 0 3 1) (d 3 0 4 1)) (direction e (a b c d))
               (player White person (friends White)) (zone end (White d)) (kind Man)
               (field owner piece (range 0 1) (initial 0)) (field kind piece (range 0 1) (initial 0))
               (field turn global (range 0 0) (initial 0)) (field chain global (range 0 4) (initial 0))
               (field chain-type global (range 0 0) (initial 0))
               (schedule (turn White)) (policy (pass never)) {})",
            bodies.iter().map(rule).collect::<String>()
        );
        let rules = crate::text::parse(&text).unwrap_or_else(|error| panic!("{error:?}"));
        strikes(&rules, &rules.rules.ids().collect::<Vec<_>>())
    }

    /// The indices of the sites from which the player strikes one.
    fn starts(strike: &Strike, target: usize) -> Vec<usize> {
        strike.starts[Player::from_index(0)][target].iter().map(Id::index).collect()
    }

    #[test]
    fn what_the_board_says_is_in_the_table() {
        let found = found(&["(verify (on-board at)) (verify (not (in-zone end at))) (move here at) (emit here at)"]);
        assert!(found.others.is_empty());
        let [strike] = &found.strikes[..] else { panic!("{found:?}") };
        assert_eq!((starts(strike, 1), starts(strike, 3)), (vec![0], vec![]));
        assert_eq!((&strike.targets[..], &strike.asked[..]), (&[vec![]][..], &[][..]));
    }

    #[test]
    fn slides_strike_along_lines() {
        let slide = "(verify (on-board at))
            (while (empty at) (attempt (move here at) (emit here at)) (let at (step e at)) (verify (on-board at)))
            (verify (not (friend at))) (move here at) (emit here at)";
        let found = found(&[slide]);
        let [strike] = &found.strikes[..] else { panic!("passing and stopping have the same starts: {found:?}") };
        assert_eq!((strike.slide, strike.targets.len()), (Some(Line { hops: 0 }), 2));
        assert_eq!(starts(strike, 3), [0, 1, 2]);
        assert_eq!(strike.on_occupied(), None);
    }

    #[test]
    fn questions_inside_are_answered_with_no() {
        let asks =
            |condition: &str| format!("(verify (on-board at)) (verify {condition}) (move here at) (emit here at)");
        let never = found(&[&asks("(attacked * at)")]);
        assert!(never.strikes.iter().all(|strike| (0..4).all(|target| starts(strike, target).is_empty())));
        let always = found(&[&asks("(not (attacked * at))")]);
        assert_eq!(starts(&always.strikes[0], 2), [1]);
    }

    #[test]
    fn other_rules_are_run() {
        let found = found(&["(while (mine at) (let at (step e at))) (move here at) (emit here at)"]);
        assert_eq!((found.strikes.len(), found.others.len()), (0, 1));
    }
}
