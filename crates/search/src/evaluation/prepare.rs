//! How an evaluation is made of a study, and kept as long as the rules stay the same.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use dagaz_engine::{Executor, Fault};
use dagaz_ir::{End, Op, Pass, Rules, Verdict};

use super::fit::{Slope, slopes, weights};
use super::joins::Joins;
use super::lines::Lines;
use super::material::Material;
use super::study::{Sample, Study};
use super::weights::Weights;
use super::{Evaluation, Learner};
use crate::agent::Ask;

/// All of a study, and what is done of it for one move by the clock.
const WHOLE_STUDY: usize = 1000;
const SHARE: usize = WHOLE_STUDY / 4;
/// With fewer states of decided games nothing is said about results.
const LEAST_SAMPLES: usize = 150;
/// So many times its own error a slope must be before it is believed: the states of one game are not independent.
const CERTAIN: f64 = 4.0;
/// And so many times where steps do not show that they capture, as they may mark what the end of a move takes off.
const PLAIN: f64 = 7.0;
/// And so many times to be believed against what holds in most games: that pieces and free moves are good to have.
const SURPRISING: f64 = 10.0;
/// What a whole win is worth where pieces are no measure.
const WHOLE: f64 = 400.0;
/// What mobility is worth where nothing else is known to count.
const MOBILITY: i32 = 300;

/// The evaluation of the rules that were asked about last.
#[derive(Default)]
pub(crate) struct Prepared {
    study: Option<Study>,
    made: Option<(Arc<Rules>, Arc<Evaluation>)>,
    /// What was trained, for some rules.
    weights: Option<Arc<Weights>>,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("made", &self.made.is_some()).finish_non_exhaustive()
    }
}

impl Prepared {
    /// The evaluation for a question. Told to stop while it is being made, it makes one of what was seen so far, and goes on
    /// with the next question.
    pub(crate) fn evaluation(prepared: &Mutex<Self>, ask: &Ask<'_>) -> Result<Arc<Evaluation>, Fault> {
        let mut prepared = prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = ask.executor.rules();
        if let Some((known, evaluation)) = &prepared.made
            && Arc::ptr_eq(known, rules)
        {
            return Ok(evaluation.clone());
        }
        if let Some(weights) = prepared.weights.clone().filter(|weights| weights.fit(rules))
            && let Some(mut learner) = Learner::new(ask.executor)
            && learner.take(&weights.values)
        {
            let evaluation = learner.evaluation();
            prepared.made = Some((rules.clone(), evaluation.clone()));
            return Ok(evaluation);
        }
        let known = prepared.study.take().filter(|study| Arc::ptr_eq(&study.rules, rules));
        let mut study = known.unwrap_or_else(|| Study::new(ask.executor));
        // Whoever plays by a clock moves now, and learns the rest with his next moves.
        let by_clock = ask.budget.nodes.is_none() && ask.budget.depth.is_none();
        let enough = if by_clock { study.done() + SHARE } else { WHOLE_STUDY };
        while study.done() < enough.min(WHOLE_STUDY) && (ask.keep_going)() {
            if study.play(ask.executor).is_err() {
                // Whoever meets the fault in the game will say so; what is known without it is enough.
                study.give_up();
            }
        }
        let evaluation = Arc::new(Evaluation::of(&study, ask.executor));
        if study.done() >= WHOLE_STUDY {
            prepared.made = Some((rules.clone(), evaluation.clone()));
        } else {
            prepared.study = Some(study);
        }
        Ok(evaluation)
    }
}

impl Prepared {
    /// From now on, rules that these weights fit are valued by them.
    pub(crate) fn take(&mut self, weights: Arc<Weights>) {
        *self = Self { weights: Some(weights), ..Self::default() };
    }
}

/// All that is known of rules before any game was played, and what it was made of.
pub(super) fn studied(executor: &dyn Executor) -> (Study, Evaluation) {
    let mut study = Study::new(executor);
    while study.done() < WHOLE_STUDY {
        if study.play(executor).is_err() {
            study.give_up();
        }
    }
    let evaluation = Evaluation::of(&study, executor);
    (study, evaluation)
}

impl Evaluation {
    fn of(study: &Study, executor: &dyn Executor) -> Self {
        let rules = &*study.rules;
        let (players, kinds, sites) = (rules.players.len(), rules.kinds.len(), rules.topology.site_count());
        let material = Material::of(study);
        let captures = some_capture(study) && study.all_capture * 4 < study.states * 3;
        let mut made = Self {
            sites,
            kinds,
            table: vec![0; players * kinds * sites],
            hand: vec![0; players * kinds],
            worth: material.worth.clone(),
            royal: material.royal.clone(),
            counts_pieces: captures && material.moves,
            may_pass: false,
            mobility: 0,
            cells: Vec::new(),
            lines: None,
            joins: None,
        };
        let mut places = material.places.clone();
        let stones = !material.moves;
        if stones {
            made.lines = study.rows.winning().map(|length| Lines::new(rules, length));
            made.joins = Joins::of(rules);
        }
        let shaped = made.lines.is_some() || made.joins.is_some();
        made.weigh(study, &mut places, stones, shaped);
        for player in 0..players {
            for kind in 0..kinds {
                for site in 0..sites {
                    let index = made.index(player, kind, site);
                    made.table[index] = places[study.place(player, kind, site)];
                }
                if executor.layout().known.hand.is_some() {
                    made.hand[player * kinds + kind] = if stones { 0 } else { made.worth[kind] };
                }
            }
        }
        made.may_pass = made.counts_pieces && made.royal.contains(&true) && rules.policy.pass == Pass::Never;
        made
    }

    /// Holds what pieces are worth, and how freely they move, against the results of the games.
    fn weigh(&mut self, study: &Study, places: &mut [i32], stones: bool, shaped: bool) {
        let samples = &study.samples;
        let results: Vec<f64> = samples.iter().map(|sample| f64::from(sample.result)).collect();
        let decided = samples.len() >= LEAST_SAMPLES && results.iter().any(|&result| result != results[0]);
        if !decided {
            self.without_results(study, places, stones, shaped);
            return;
        }
        let compared: Vec<&Sample> = samples.iter().filter(|sample| sample.mobility.is_some()).collect();
        let rows: Vec<Vec<f64>> = compared.iter().map(|sample| self.counted(sample, places)).collect();
        let compared_results: Vec<f64> = compared.iter().map(|sample| f64::from(sample.result)).collect();
        let found = slopes(&rows, &compared_results);
        let [pieces, standing, freedom] = found.try_into().unwrap_or([Slope::default(); 3]);
        let strength = |slope: Slope, index: usize| slope.slope * deviation(rows.iter().map(|row| row[index]));
        let sure = |slope: Slope| {
            let believed = slope.certainty >= CERTAIN || slope.certainty <= -SURPRISING;
            if believed { slope.slope } else { 0.0 }
        };
        let measured = pieces.certainty >= CERTAIN && strength(pieces, 0) * 4.0 >= strength(freedom, 2);
        if stones {
            self.mobility = (WHOLE * sure(freedom)).max(0.0) as i32;
        } else if stuck_loses(&study.rules)
            && !some_capture(study)
            && !(hides_captures(study) && pieces.certainty >= PLAIN)
        {
            self.only_mobility(places);
        } else if measured || self.counts_pieces && pieces.certainty > -SURPRISING {
            // Pieces are the measure; where too few games say anything, what is said of pieces everywhere is believed.
            if measured && !self.counts_pieces {
                self.mobility = (100.0 * sure(freedom) / pieces.slope).clamp(0.0, 2000.0) as i32;
            }
        } else {
            self.rescale(places, sure(pieces) * WHOLE / 100.0, sure(standing) * WHOLE / 100.0);
            self.mobility = (WHOLE * sure(freedom)) as i32;
        }
        if stones {
            self.learn_stones(study, &results, places, shaped);
        }
        if !study.numbers.is_empty() {
            self.learn_numbers(study, &results);
        }
    }

    /// What a sample has of pieces, of where they stand, and of mobility.
    fn counted(&self, sample: &Sample, places: &[i32]) -> Vec<f64> {
        let kind_of = |place: u32| place as usize / self.sites % self.kinds;
        let (mut pieces, mut standing) = (0, 0);
        for &(place, sign) in &sample.pieces {
            let worth = self.worth[kind_of(place)];
            pieces += i32::from(sign) * worth;
            standing += i32::from(sign) * (places[place as usize] - worth);
        }
        pieces += sample.hands.iter().zip(&self.worth).map(|(count, worth)| count * worth).sum::<i32>();
        let mobility = sample.mobility.unwrap_or(0);
        vec![f64::from(pieces) / 100.0, f64::from(standing) / 100.0, f64::from(mobility) / 1000.0]
    }

    /// Takes pieces, and where they stand, for so much more or less than was thought.
    fn rescale(&mut self, places: &mut [i32], pieces: f64, standing: f64) {
        let kind_of = |place: usize| place / self.sites % self.kinds;
        for (place, value) in places.iter_mut().enumerate() {
            let worth = self.worth[kind_of(place)];
            *value = (f64::from(worth) * pieces + f64::from(*value - worth) * standing) as i32;
        }
        self.worth.iter_mut().for_each(|worth| *worth = (f64::from(*worth) * pieces) as i32);
        self.counts_pieces = self.counts_pieces && pieces > 0.2;
    }

    /// Nothing counts but who can move.
    fn only_mobility(&mut self, places: &mut [i32]) {
        places.fill(0);
        self.worth.fill(0);
        self.mobility = MOBILITY;
    }

    /// What is believed where no game came to an end.
    fn without_results(&mut self, study: &Study, places: &mut [i32], stones: bool, shaped: bool) {
        if stones {
            places.fill(0);
        }
        if !self.counts_pieces && !shaped && study.persons.is_some() {
            if stuck_loses(&study.rules) && !stones && !some_capture(study) {
                self.only_mobility(places);
            } else {
                self.mobility = MOBILITY;
            }
        }
    }

    /// Where stones stay where they are, sites are worth what winners had on them and on those that are alike.
    fn learn_stones(&mut self, study: &Study, results: &[f64], places: &mut [i32], shaped: bool) {
        let alike = |place: u32| {
            let site = place as usize % self.sites;
            (place as usize - site + study.mirror.alike(site)) as u32
        };
        let row = |sample: &Sample| {
            let mut row: Vec<(u32, f64)> = Vec::with_capacity(sample.pieces.len());
            let mut signs: Vec<(u32, i8)> = sample.pieces.iter().map(|&(place, sign)| (alike(place), sign)).collect();
            signs.sort_unstable();
            for (place, sign) in signs {
                match row.last_mut() {
                    Some((last, sum)) if *last == place => *sum += f64::from(sign),
                    _ => row.push((place, f64::from(sign))),
                }
            }
            row
        };
        let rows: Vec<Vec<(u32, f64)>> = study.samples.iter().map(row).collect();
        // States of one game have one result: many of them say little more than one.
        let found = weights(&rows, results, places.len(), 6.0 * results.len() as f64 / study.games.max(1) as f64);
        // Rows and chains say more than sites do.
        let whole = if shaped { WHOLE / 20.0 } else { WHOLE };
        for (place, value) in places.iter_mut().enumerate() {
            *value = (found[alike(place as u32) as usize] * whole) as i32;
        }
    }

    /// Numbers on sites and the like are worth what winners had of them.
    fn learn_numbers(&mut self, study: &Study, results: &[f64]) {
        let Some((first, _)) = study.persons else { return };
        let columns = study.numbers.len();
        let column = |index: usize| study.samples.iter().map(move |sample| f64::from(sample.numbers[index]));
        let spreads: Vec<f64> = (0..columns).map(|index| deviation(column(index))).collect();
        let means: Vec<f64> =
            (0..columns).map(|index| column(index).sum::<f64>() / study.samples.len().max(1) as f64).collect();
        let rows: Vec<Vec<(u32, f64)>> = study
            .samples
            .iter()
            .map(|sample| {
                let cells = sample.numbers.iter().enumerate().filter(|(index, _)| spreads[*index] > 0.0);
                cells
                    .map(|(index, &number)| (index as u32, (f64::from(number) - means[index]) / spreads[index]))
                    .collect()
            })
            .collect();
        let found = weights(&rows, results, columns, 60.0);
        for (index, &cell) in study.numbers.iter().enumerate().filter(|(index, _)| spreads[*index] > 0.0) {
            let worth = (16.0 * WHOLE * found[index] / spreads[index]) as i32;
            if worth != 0 {
                self.cells.push((cell, worth, first));
            }
        }
    }
}

/// Whether there are steps that capture, and others: not where pieces are never captured, or by every move.
fn some_capture(study: &Study) -> bool {
    (3..800).contains(&study.capturing())
}

/// Whether no step shows that it captures.
fn hides_captures(study: &Study) -> bool {
    study.capturing() < 3
}

/// Whether who cannot move has lost, whatever else is true.
fn stuck_loses(rules: &Rules) -> bool {
    let says = |end: &End| end.condition.body.any(&|part| part.op == Op::MoveCount);
    rules.ends.iter().any(|end| end.result == Verdict::Loss && says(end))
}

/// How far numbers are from their mean, as a rule.
fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    (numbers.map(|number| (number - mean) * (number - mean)).sum::<f64>() / count).sqrt()
}
