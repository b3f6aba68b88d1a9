//! What may be said of a game itself, from very many plays of it.
//!
//! The measures are those of Browne (2008, *Automatic Generation and Evaluation of Recombination Games*, PhD thesis, QUT,
//! chapters 5 and 7), so far as they need nothing but plays, and some that everybody quotes. Each is defined where it is
//! computed; where a definition needs a number that the thesis leaves to the evaluation, the number is ours, and is said.
//!
//! Some follow the *lead* of a play: what the first player may expect of it, from 0 to 1, as those who move see it. Agents
//! that say nothing of their moves leave these measures unknown.

use crate::elo::{Estimate, Z95, elo_of, estimate};

/// One play of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// What each player has of it: 2 for a win, 1 for a draw, 0 for a loss. Nothing when it was not over in time.
    pub halves: Option<Vec<u8>>,
    /// How many whole moves it had.
    pub moves: usize,
    /// How many legal steps there were to choose from, for each decision of a player.
    pub choices: Vec<usize>,
    /// After each move of which its player said something: what the first player may expect, from 0 to 1.
    pub lead: Vec<f64>,
    /// How many of the sites some step began or ended on.
    pub visited: usize,
}

/// A measure of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its name in JSON.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its value, when it is known.
    pub value: Option<f64>,
    /// The 95 % interval of that, where it is a mean over plays.
    pub interval: Option<(f64, f64)>,
    /// What it is, and whose definition.
    pub meaning: &'static str,
}

/// All that is known of many plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// The measures, in the order in which they are read.
    pub measures: Vec<Measure>,
    /// How many plays had each length: the least length, the width of a class, and the counts.
    pub lengths: (usize, usize, Vec<u64>),
    /// The mean number of choices at each tenth of a play.
    pub choices: Vec<Option<f64>>,
    /// The mean certainty of the lead at each tenth of a play: 0 when all is open, 1 when all is decided.
    pub certainty: Vec<Option<f64>>,
    /// What the first player may expect, with its error.
    pub first: Option<Estimate>,
}

/// From here on a play counts as decided.
const DECIDED: f64 = 0.9;
/// Classes of a distribution.
const CLASSES: usize = 30;
/// Parts of a play.
const PARTS: usize = 10;

impl Quality {
    /// What these plays say, on a board of so many sites.
    pub fn of(samples: &[Sample], sites: usize) -> Self {
        let first = first_player(samples);
        Self {
            measures: measures(samples, sites, first),
            lengths: lengths(samples),
            choices: profile(samples, |sample| sample.choices.iter().map(|&count| count as f64).collect()),
            certainty: profile(samples, |sample| sample.lead.iter().map(|lead| (2.0 * lead - 1.0).abs()).collect()),
            first,
        }
    }
}

/// The score of the first player in all plays that were over.
fn first_player(samples: &[Sample]) -> Option<Estimate> {
    let scores = samples.iter().filter_map(|sample| sample.halves.as_ref()).filter(|halves| halves.len() == 2);
    estimate(&scores.map(|halves| f64::from(halves[0]) / 2.0).collect::<Vec<_>>())
}

fn measures(samples: &[Sample], sites: usize, first: Option<Estimate>) -> Vec<Measure> {
    let share =
        |fits: &dyn Fn(&Sample) -> bool| part(samples.iter().filter(|sample| fits(sample)).count(), samples.len());
    let won = |sample: &Sample| sample.halves.as_ref().is_some_and(|halves| halves.contains(&2));
    let drawn = |sample: &Sample| sample.halves.as_ref().is_some_and(|halves| !halves.contains(&2));
    let over_leads = |measure: &dyn Fn(&[f64], f64) -> Option<f64>| {
        let decided = samples.iter().filter(|sample| sample.lead.len() >= 2);
        mean(decided.filter_map(|sample| measure(&sample.lead, sign(sample)?)))
    };
    let any_lead = |measure: &dyn Fn(&[f64]) -> f64| {
        mean(samples.iter().filter(|sample| sample.lead.len() >= 2).map(|sample| measure(&sample.lead)))
    };
    let row = |key, name, (value, interval): (Option<f64>, Option<(f64, f64)>), meaning| Measure {
        key,
        name,
        value,
        interval,
        meaning,
    };
    let advantage = first.map(|first| (first.score, crate::elo::expected(first.low), crate::elo::expected(first.high)));
    vec![
        row("completion", "Completion", share(&won), "plays that somebody won, of all (Browne 2008)"),
        row("drawishness", "Draws", share(&drawn), "plays that were drawn, of all (Browne 2008)"),
        row(
            "timeouts",
            "Unfinished",
            share(&|sample| sample.halves.is_none()),
            "plays that were not over in time, of all (Browne 2008)",
        ),
        row(
            "balance",
            "Balance",
            (balance(samples), None),
            "1 less the difference between the most and the fewest wins of a player, as a part of all wins (after Browne 2008)",
        ),
        row(
            "first_player",
            "Score of the first player",
            (advantage.map(|advantage| advantage.0), advantage.map(|(_, low, high)| (low, high))),
            "mean score with a draw as a half; games for two",
        ),
        row(
            "first_player_elo",
            "Advantage of the first move, in Elo",
            (
                first.map(|first| elo_of(first.score)).filter(|elo| elo.is_finite()),
                first.map(|first| (first.low, first.high)).filter(|(low, high)| low.is_finite() && high.is_finite()),
            ),
            "the score above in Elo (Elo 1978)",
        ),
        row(
            "duration",
            "Duration",
            mean(samples.iter().map(|sample| sample.moves as f64)),
            "whole moves of a play, mean (Browne 2008)",
        ),
        row("duration_median", "Duration, median", (median(samples), None), "half of the plays are no longer"),
        row(
            "branching",
            "Branching factor",
            mean(samples.iter().filter_map(|sample| mean_of(&sample.choices))),
            "legal steps of a decision, mean of the means of plays",
        ),
        row(
            "decisions",
            "Real decisions",
            mean(samples.iter().filter(|sample| !sample.choices.is_empty()).map(|sample| {
                sample.choices.iter().filter(|&&count| count > 1).count() as f64 / sample.choices.len() as f64
            })),
            "decisions with more than one legal step, of all",
        ),
        row(
            "tree",
            "Game tree, log10",
            mean(samples.iter().map(|sample| sample.choices.iter().map(|&count| (count.max(1) as f64).log10()).sum())),
            "the logarithm of the product of all numbers of choices of a play, mean (Allis 1994)",
        ),
        row(
            "coverage",
            "Coverage of the board",
            mean(samples.iter().filter(|_| sites > 0).map(|sample| sample.visited as f64 / sites as f64)),
            "sites that steps began or ended on, of all",
        ),
        row(
            "decisiveness",
            "Decisiveness",
            over_leads(&|lead, sign| decided_at(lead, sign).map(|at| 1.0 - at)),
            "the part of a won play that was left when the winner's expectation had risen above 0.9 for good (after Browne 2008, whose threshold is that of the evaluation)",
        ),
        row(
            "lead_change",
            "Lead changes",
            any_lead(&lead_changes),
            "moves at which the lead passes to the other player, of all (Browne 2008)",
        ),
        row(
            "drama",
            "Drama",
            over_leads(&|lead, sign| Some(drama(lead, sign))),
            "how far the eventual winner was behind where he was: the mean root of the difference in expectation, 0 for plays where he never was (Browne 2008)",
        ),
        row(
            "uncertainty",
            "Uncertainty",
            any_lead(&|lead| 1.0 - lead.iter().map(|lead| (2.0 * lead - 1.0).abs()).sum::<f64>() / lead.len() as f64),
            "1 less the mean difference in expectation (after Browne 2008)",
        ),
        row(
            "late_uncertainty",
            "Late uncertainty",
            any_lead(&|lead| {
                let late = &lead[lead.len() * 3 / 4..];
                1.0 - late.iter().map(|lead| (2.0 * lead - 1.0).abs()).sum::<f64>() / late.len() as f64
            }),
            "the same over the last quarter of a play (after Browne 2008)",
        ),
        row(
            "killer_moves",
            "Killer moves",
            any_lead(&|lead| lead.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)),
            "the greatest change of the lead by a move, mean over plays (Browne 2008)",
        ),
    ]
}

/// 1 when the first player of two won, -1 when the second did.
fn sign(sample: &Sample) -> Option<f64> {
    match sample.halves.as_deref() {
        Some([2, 0]) => Some(1.0),
        Some([0, 2]) => Some(-1.0),
        _ => None,
    }
}

/// What the winner expects, given what the first player expects.
fn winners(lead: f64, sign: f64) -> f64 {
    if sign > 0.0 { lead } else { 1.0 - lead }
}

/// The part of the play after which the winner's expectation stays above the threshold.
fn decided_at(lead: &[f64], sign: f64) -> Option<f64> {
    let open = lead.iter().rposition(|&lead| winners(lead, sign) < DECIDED).map_or(0, |last| last + 1);
    Some(open as f64 / lead.len() as f64)
}

fn lead_changes(lead: &[f64]) -> f64 {
    let mut leader = 0.0;
    let mut changes = 0;
    for side in lead.iter().map(|lead| lead - 0.5).filter(|side| side.abs() > 1e-9) {
        changes += u32::from(leader * side < 0.0);
        leader = side;
    }
    f64::from(changes) / (lead.len() - 1) as f64
}

fn drama(lead: &[f64], sign: f64) -> f64 {
    let behind = lead.iter().map(|&lead| 1.0 - 2.0 * winners(lead, sign)).filter(|&deficit| deficit > 0.0);
    let (count, sum) = behind.fold((0_u32, 0.0), |(count, sum), deficit| (count + 1, sum + deficit.sqrt()));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

fn balance(samples: &[Sample]) -> Option<f64> {
    let mut wins: Vec<u64> = Vec::new();
    for halves in samples.iter().filter_map(|sample| sample.halves.as_ref()) {
        wins.resize(halves.len(), 0);
        wins.iter_mut().zip(halves).for_each(|(wins, &half)| *wins += u64::from(half == 2));
    }
    let (most, fewest, all) = (wins.iter().max()?, wins.iter().min()?, wins.iter().sum::<u64>());
    (all > 0 && wins.len() > 1).then(|| 1.0 - (most - fewest) as f64 / all as f64)
}

/// The mean of values that are independent, with its 95 % interval.
fn mean(values: impl Iterator<Item = f64>) -> (Option<f64>, Option<(f64, f64)>) {
    let values: Vec<f64> = values.collect();
    if values.is_empty() {
        return (None, None);
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let error = Z95 * (variance / count).sqrt();
    (Some(mean), (values.len() > 1).then_some((mean - error, mean + error)))
}

/// A part of all, with its 95 % interval (Wilson 1927), which is honest for none and for all of few, too.
fn part(count: usize, all: usize) -> (Option<f64>, Option<(f64, f64)>) {
    if all == 0 {
        return (None, None);
    }
    let (all, share) = (all as f64, count as f64 / all as f64);
    let z2 = Z95 * Z95;
    let centre = (share + z2 / (2.0 * all)) / (1.0 + z2 / all);
    let error = Z95 * (share * (1.0 - share) / all + z2 / (4.0 * all * all)).sqrt() / (1.0 + z2 / all);
    (Some(share), Some(((centre - error).max(0.0), (centre + error).min(1.0))))
}

fn mean_of(values: &[usize]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<usize>() as f64 / values.len() as f64)
}

fn median(samples: &[Sample]) -> Option<f64> {
    let mut lengths: Vec<usize> = samples.iter().map(|sample| sample.moves).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len().saturating_sub(1) / 2).map(|&length| length as f64)
}

/// The distribution of lengths in classes of one width.
fn lengths(samples: &[Sample]) -> (usize, usize, Vec<u64>) {
    let all = || samples.iter().map(|sample| sample.moves);
    let (Some(least), Some(most)) = (all().min(), all().max()) else { return (0, 1, Vec::new()) };
    let width = (most - least + 1).div_ceil(CLASSES);
    let mut counts = vec![0; (most - least) / width + 1];
    all().for_each(|moves| counts[(moves - least) / width] += 1);
    (least, width, counts)
}

/// The mean of a value at each tenth of a play.
fn profile(samples: &[Sample], values: impl Fn(&Sample) -> Vec<f64>) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0_u64); PARTS];
    for sample in samples {
        let values = values(sample);
        let count = values.len();
        for (index, value) in values.into_iter().enumerate() {
            let part = &mut sums[index * PARTS / count];
            *part = (part.0 + value, part.1 + 1);
        }
    }
    sums.into_iter().map(|(sum, count)| (count > 0).then(|| sum / count as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(halves: &[u8], lead: &[f64]) -> Sample {
        Sample {
            halves: Some(halves.to_vec()),
            moves: lead.len(),
            choices: vec![10, 1],
            lead: lead.to_vec(),
            visited: 3,
        }
    }

    fn value(quality: &Quality, key: &str) -> f64 {
        let measure = quality.measures.iter().find(|measure| measure.key == key).expect("the measure");
        measure.value.expect("it is known")
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn outcomes_are_counted() {
        let mut plays = vec![sample(&[2, 0], &[]), sample(&[2, 0], &[]), sample(&[0, 2], &[]), sample(&[1, 1], &[])];
        plays.push(Sample { halves: None, moves: 9, ..Sample::default() });
        let quality = Quality::of(&plays, 9);
        close(value(&quality, "completion"), 0.6);
        close(value(&quality, "drawishness"), 0.2);
        close(value(&quality, "timeouts"), 0.2);
        close(value(&quality, "balance"), 1.0 - 1.0 / 3.0);
        close(value(&quality, "first_player"), 0.625);
        close(value(&quality, "branching"), 5.5);
        close(value(&quality, "decisions"), 0.5);
        close(value(&quality, "tree"), 0.8);
        assert!(quality.measures.iter().find(|measure| measure.key == "drama").expect("it").value.is_none());
    }

    #[test]
    fn leads_are_followed_from_the_winner_s_side() {
        // The second player was behind twice, took the lead at the third move, and had decided it after the fourth.
        let quality = Quality::of(&[sample(&[0, 2], &[0.68, 0.82, 0.3, 0.05, 0.02])], 9);
        close(value(&quality, "lead_change"), 0.25);
        close(value(&quality, "drama"), (0.36_f64.sqrt() + 0.64_f64.sqrt()) / 2.0);
        close(value(&quality, "decisiveness"), 0.4);
        close(value(&quality, "killer_moves"), 0.52);
        close(value(&quality, "late_uncertainty"), 1.0 - (0.9 + 0.96) / 2.0);
        // He who was never behind gives no drama.
        close(value(&Quality::of(&[sample(&[2, 0], &[0.5, 0.6, 0.95])], 9), "drama"), 0.0);
    }

    #[test]
    fn parts_have_an_interval_even_when_they_are_all() {
        // 10 of 10, and 8 of 10, by Wilson's formula: Brown, Cai and DasGupta (2001), Interval Estimation.
        let (_, interval) = part(10, 10);
        let (low, high) = interval.expect("it");
        assert!((low - 0.7225).abs() < 1e-4 && (high - 1.0).abs() < 1e-9, "{low} {high}");
        let (low, high) = part(8, 10).1.expect("it");
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn lengths_fall_into_classes() {
        let plays: Vec<Sample> = (10..110).map(|moves| Sample { moves, ..Sample::default() }).collect();
        let (least, width, counts) = Quality::of(&plays, 9).lengths;
        assert_eq!((least, width, counts.len(), counts.iter().sum::<u64>()), (10, 4, 25, 100));
        assert!(counts.iter().all(|&count| count == 4));
        assert_eq!(Quality::of(&[], 9).lengths, (0, 1, vec![]));
    }
}
