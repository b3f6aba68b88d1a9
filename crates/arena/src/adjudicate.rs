//! When a game is ended before its rules end it: by what the agents themselves think of it, or because it is long.

use std::str::FromStr;

use dagaz_search::Score;

/// The rules for all games of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Nobody thinks that anybody wins.
    pub draw: Option<DrawRule>,
    /// Everybody thinks that the same player loses.
    pub resign: Option<ResignRule>,
    /// After so many moves the game is a draw.
    pub max_moves: Option<usize>,
}

/// The game is a draw when from move `from` on, `count` moves in a row were worth no more than `score` to anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The first move that counts, from 1, of all players.
    pub from: usize,
    /// How many moves in a row, of all players.
    pub count: usize,
    /// Hundredths of a piece.
    pub score: i32,
}

/// A player has lost when his last `count` scores were at most `-score`, and those of his only adversary at least `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// How many moves in a row, of either player.
    pub count: usize,
    /// Hundredths of a piece.
    pub score: i32,
}

/// Why a text is no such rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{part}` is no part of such a rule, which is written {example}")]
pub struct RuleError {
    /// What was written.
    pub part: String,
    /// How it is written.
    pub example: &'static str,
}

/// What an adjudication says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// A draw, for this reason.
    Draw(&'static str),
    /// The player on this seat has lost.
    Lost(usize),
}

impl Adjudication {
    /// What the rules say of a game, given for each whole move who made it and what he thought it worth.
    pub(crate) fn decide(&self, scores: &[(usize, Option<Score>)], seats: usize) -> Option<Decision> {
        if let Some(rule) = self.draw
            && scores.len() >= (rule.from + rule.count).saturating_sub(1).max(rule.count)
            && last(scores, rule.count).all(|(_, score)| score.is_some_and(|score| score.abs() <= rule.score))
        {
            return Some(Decision::Draw("draw by adjudication"));
        }
        if let Some(rule) = self.resign
            && seats == 2
        {
            let lost = |seat: usize| {
                let of =
                    |wanted: usize| scores.iter().rev().filter(move |(mover, _)| *mover == wanted).take(rule.count);
                let all = |wanted: usize, fits: &dyn Fn(i32) -> bool| {
                    of(wanted).count() == rule.count
                        && of(wanted).all(|(_, score)| score.is_some_and(|score| fits(hundredths(score))))
                };
                all(seat, &|score| score <= -rule.score) && all(1 - seat, &|score| score >= rule.score)
            };
            if let Some(seat) = (0..seats).find(|&seat| lost(seat)) {
                return Some(Decision::Lost(seat));
            }
        }
        let long = self.max_moves.is_some_and(|most| scores.len() >= most);
        long.then_some(Decision::Draw("too many moves"))
    }
}

fn last(scores: &[(usize, Option<Score>)], count: usize) -> impl Iterator<Item = (usize, Option<i32>)> {
    scores.iter().rev().take(count).map(|&(seat, score)| (seat, score.map(hundredths)))
}

/// A score in hundredths of a piece. A win that is expected in so many of the cases becomes the material that lets expect
/// it: 4 log10(e / (1 - e)) pawns (Chess Programming Wiki, "Pawn Advantage, Win Percentage, and Elo").
pub fn hundredths(score: Score) -> i32 {
    const CERTAIN: i32 = 100_000;
    match score {
        Score::Win(_) => CERTAIN,
        Score::Loss(_) => -CERTAIN,
        Score::Pieces(hundredths) => hundredths.clamp(-CERTAIN, CERTAIN),
        Score::Expected(thousandths) => {
            let share = f64::from(thousandths.clamp(1, 999)) / 1000.0;
            (400.0 * (share / (1.0 - share)).log10()) as i32
        }
    }
}

/// The values of `key=number` parts, in the order of the keys.
fn parts<const N: usize>(
    text: &str,
    keys: [&str; N],
    defaults: [u32; N],
    example: &'static str,
) -> Result<[u32; N], RuleError> {
    let mut values = defaults;
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let bad = || RuleError { part: part.to_owned(), example };
        let (key, value) = part.split_once('=').ok_or_else(bad)?;
        let index = keys.iter().position(|known| *known == key.trim()).ok_or_else(bad)?;
        values[index] = value.trim().parse().ok().filter(|&value| value <= 1_000_000).ok_or_else(bad)?;
    }
    Ok(values)
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let [from, count, score] = parts(text, ["move", "count", "score"], [40, 8, 10], "`move=40,count=8,score=10`")?;
        Ok(Self { from: from as usize, count: count.max(1) as usize, score: score as i32 })
    }
}

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let [count, score] = parts(text, ["count", "score"], [4, 600], "`count=4,score=600`")?;
        Ok(Self { count: count.max(1) as usize, score: score as i32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_games_are_drawn_from_the_given_move_on() {
        let rules = Adjudication { draw: Some("move=5,count=3,score=10".parse().unwrap()), ..Adjudication::default() };
        let quiet = |moves: usize| (0..moves).map(|made| (made % 2, Some(Score::Pieces(-7)))).collect::<Vec<_>>();
        assert_eq!(rules.decide(&quiet(6), 2), None);
        assert_eq!(rules.decide(&quiet(7), 2), Some(Decision::Draw("draw by adjudication")));
        let mut loud = quiet(8);
        loud[6].1 = Some(Score::Pieces(11));
        assert_eq!(rules.decide(&loud, 2), None);
        loud[6].1 = None;
        assert_eq!(rules.decide(&loud, 2), None, "who says nothing has not agreed");
    }

    #[test]
    fn a_game_is_resigned_only_when_both_agree() {
        let rules = Adjudication { resign: Some("count=2,score=500".parse().unwrap()), ..Adjudication::default() };
        let agreed = [(0, 600), (1, -700), (0, 650), (1, -900)].map(|(seat, score)| (seat, Some(Score::Pieces(score))));
        assert_eq!(rules.decide(&agreed, 2), Some(Decision::Lost(1)));
        let mut one_sided = agreed;
        one_sided[2].1 = Some(Score::Expected(700));
        assert_eq!(rules.decide(&one_sided, 2), None);
        one_sided[2].1 = Some(Score::Expected(990));
        assert_eq!(rules.decide(&one_sided, 2), Some(Decision::Lost(1)), "99 % are worth about eight pawns");
        assert_eq!(rules.decide(&agreed[..3], 2), None);
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication { max_moves: Some(3), ..Adjudication::default() };
        assert_eq!(rules.decide(&[(0, None), (1, None)], 2), None);
        assert_eq!(rules.decide(&[(0, None), (1, None), (0, None)], 2), Some(Decision::Draw("too many moves")));
    }

    #[test]
    fn rules_say_what_they_do_not_understand() {
        let error = "count=8,when=now".parse::<DrawRule>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`when=now` is no part of such a rule, which is written `move=40,count=8,score=10`"
        );
        assert_eq!("".parse::<ResignRule>(), Ok(ResignRule { count: 4, score: 600 }));
    }
}
