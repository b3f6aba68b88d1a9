//! Slides among the ways through a rule: from a site step by step in one direction while something is true, which cannot be where
//! a piece stands. A step is made at each site on the way, or at the one where the slide stops, or beyond it.
//!
//! As the piece itself stands where it starts, each site has one start in each direction: the first obstacle on the way back.

use dagaz_board::Direction;

use crate::code::{Expr, Stmt, StmtKind};
use crate::op::Op;
use crate::ways::{Path, Walk, end, subject};

/// How a way goes on from its start. Local 1 is the site that it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The direction of each step.
    pub direction: Direction,
    /// What is true of each site that it passes; one of it is that the site is empty. The first of them is what stops it when it is
    /// false; where another is false no step is made any more.
    pub through: Vec<Expr>,
    /// What is true of each obstacle that it has jumped over, the first one first. They are the first sites that stop it.
    pub hops: Vec<Vec<Expr>>,
    /// Whether it ends where it is stopped, and not on the way there.
    pub stops: bool,
    /// What is true of the site where it ends, besides.
    pub ends: Vec<Expr>,
}

impl Slide {
    /// Whether two slides never end at the same site when they start from the same one.
    pub fn differs(&self, other: &Self) -> bool {
        let alike = self.direction == other.direction && self.through == other.through;
        alike && (self.stops != other.stops || self.hops.len() != other.hops.len())
    }
}

impl Walk {
    /// The path behind a loop that slides.
    pub(crate) fn slide(&mut self, condition: &Expr, inside: &[Stmt], mut path: Path) -> Option<Path> {
        let [round @ .., step, check] = inside else { return None };
        let (StmtKind::Let(walker, next), StmtKind::Verify(check)) = (&step.kind, &check.kind) else { return None };
        let at = Expr::local(*walker);
        let Op::Step(direction) = next.op else { return None };
        if next.args[0] != at || *check != Expr::new(Op::OnBoard, [at.clone()]) {
            return None;
        }
        // It begins one step from where the piece stands, or from the last obstacle.
        let hops = match path.slide.take() {
            None if self.starts(&at, &subject(), direction, &mut path) => Vec::new(),
            Some(mut last) if last.stops && last.direction == direction => {
                let further = Expr::new(Op::Step(direction), [end()]);
                let on_board = Expr::new(Op::OnBoard, [further.clone()]);
                let known = last.ends.contains(&on_board);
                if !known || self.said(&at, &path)? != further {
                    return None;
                }
                last.ends.retain(|condition| *condition != on_board);
                last.hops.push(last.ends);
                last.hops
            }
            _ => return None,
        };
        // Nothing else may be said of an obstacle that lies behind.
        path.values.remove(walker);
        let made = path.made.iter().flatten();
        if path.values.values().chain(made).any(|value| value.any(&|part| *part == end())) {
            return None;
        }
        path.values.insert(*walker, end());
        let condition = self.said(condition, &path)?;
        let empty = Expr::new(Op::Empty, [end()]);
        let parts = if condition.op == Op::And { &condition.args[..] } else { std::slice::from_ref(&condition) };
        if !parts.contains(&empty) || condition.any(&|part| *part == subject()) {
            return None;
        }

        path.slide = Some(Slide { direction, through: Vec::new(), hops, stops: false, ends: Vec::new() });
        let first = self.ways.len();
        let mut after = self.block(round, path.clone())?;
        let (rest, true) = (after.pop()?, after.is_empty()) else { return None };
        let own = rest.slide?.ends;
        if rest.values != path.values || rest.made != path.made || rest.conditions != path.conditions {
            return None;
        }
        let through: Vec<Expr> = std::iter::once(condition.clone()).chain(own.iter().cloned()).collect();
        for way in &mut self.ways[first..] {
            // What ends the walk must be asked before a step is made.
            let slide = way.slide.as_mut().filter(|slide| !slide.stops && slide.ends.starts_with(&own))?;
            slide.ends.drain(..own.len());
            slide.through.clone_from(&through);
        }
        let slide = path.slide.as_mut()?;
        slide.stops = true;
        slide.through = through;
        slide.ends.push(condition.negated());
        Some(path)
    }

    /// Whether a local is one step away from a place, on the board; the condition for that is taken out.
    fn starts(&mut self, at: &Expr, place: &Expr, direction: Direction, path: &mut Path) -> bool {
        let first = Expr::new(Op::Step(direction), [place.clone()]);
        let on_board = Expr::new(Op::OnBoard, [first.clone()]);
        let known = path.conditions.contains(&on_board) && self.said(at, path).is_some_and(|said| said == first);
        path.conditions.retain(|condition| *condition != on_board);
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleId;
    use crate::ways::{routes, ways};
    use dagaz_base::Id;

    /// The ways of a rule with these statements for a piece, on a board of three sites in a row.
    fn found(statements: &str) -> Option<Vec<crate::ways::Way>> {
        let text = format!(
            "(rules Row (sites (a 0 0 1 1) (b 1 0 2 1) (c 2 0 3 1)) (direction e (a b c))
               (player White person (friends White)) (kind Man)
               (field owner piece (range 0 1) (initial 0)) (field kind piece (range 0 1) (initial 0))
               (field turn global (range 0 0) (initial 0)) (field chain global (range 0 3) (initial 0))
               (field chain-type global (range 0 0) (initial 0))
               (schedule (turn White)) (policy (pass never))
               (rule slide (kind Man) (trigger piece) (view before) (locals (here site) (at site))
                 (body {statements})))"
        );
        let rules = crate::text::parse(&text).unwrap_or_else(|error| panic!("{error:?}"));
        let rule = &rules.rules[RuleId::from_index(0)];
        let found = routes(rule).map(|found| found.ways);
        if let Some(found) = &found {
            assert_eq!(ways(rule).is_some(), found.iter().all(|way| way.slide.is_none()));
        }
        found
    }

    const FIRST: &str = "(let at (step e here)) (verify (on-board at))";
    const NEXT: &str = "(let at (step e at)) (verify (on-board at))";
    const GO: &str = "(attempt (move here at) (emit here at)) (forget)";

    #[test]
    fn a_slide_passes_and_stops() {
        let ways = found(&format!("{FIRST} (while (empty at) {GO} {NEXT}) (verify (enemy at)) {GO}")).expect("a slide");
        let slides: Vec<&Slide> = ways.iter().map(|way| way.slide.as_ref().expect("a slide")).collect();
        assert_eq!(slides.len(), 2);
        assert!(!slides[0].stops && slides[1].stops && slides[0].differs(slides[1]));
        let (empty, enemy) = (Expr::new(Op::Empty, [end()]), Expr::new(Op::Enemy, [end()]));
        assert_eq!(slides[0].through, std::slice::from_ref(&empty));
        assert_eq!(slides[1].ends, [empty.negated(), enemy]);
        assert!(ways.iter().all(|way| way.conditions.is_empty() && way.to == end() && way.from == subject()));
        assert_eq!(ways[1].made, Some(vec![Expr::new(Op::Move, [subject(), end()])]));
    }

    #[test]
    fn a_cannon_jumps() {
        let ways = found(&format!(
            "{FIRST} (while (empty at) {NEXT}) {NEXT} (while (empty at) {NEXT}) (verify (enemy at)) {GO}"
        ));
        let ways = ways.expect("a slide");
        let slide = ways[0].slide.as_ref().expect("a slide");
        assert_eq!((ways.len(), slide.stops), (1, true));
        assert_eq!(slide.hops, [[Expr::new(Op::Empty, [end()]).negated()]]);
    }

    #[test]
    fn what_stops_the_walk_must_be_asked_before_a_step() {
        let before =
            found(&format!("{FIRST} (while (empty at) (verify (not (mine at))) {GO} {NEXT})")).expect("a slide");
        assert_eq!(before[0].slide.as_ref().expect("a slide").through.len(), 2);
        assert!(found(&format!("{FIRST} (while (empty at) {GO} (verify (not (mine at))) {NEXT})")).is_none());
    }

    #[test]
    fn branches_that_differ_by_their_effects_are_one_way() {
        let body = "(let at (step e here)) (if (enemy at) (capture at) (else (retype here (kind Man)))) (emit here at)";
        let ways = found(body).expect("two effects");
        assert_eq!((ways.len(), ways[0].made.as_ref().map(Vec::len)), (1, Some(2)));
        assert!(ways[0].conditions.is_empty());
        let apart = "(if (enemy here) (capture here) (verify (mine here))) (emit here here)";
        assert_eq!(found(apart).map(|ways| ways.len()), Some(2));
    }

    #[test]
    fn other_loops_are_no_slides() {
        // The first site is not next to the start; the direction changes; a piece may stand on the way; the walk leaves the board;
        // effects pile up.
        for body in [
            format!("{FIRST} {NEXT} (while (empty at) {GO} {NEXT})"),
            format!("(let at here) (while (empty at) {GO} {NEXT})"),
            format!("{FIRST} (while (not (enemy at)) {GO} {NEXT})"),
            format!("{FIRST} (while (empty at) {GO} (let at (step e at)))"),
            format!("{FIRST} (while (empty at) (capture at) {NEXT}) (emit here at)"),
            format!("{FIRST} (while (empty at) {GO} (let here at) {NEXT})"),
        ] {
            assert!(found(&body).is_none(), "{body}");
        }
    }
}
