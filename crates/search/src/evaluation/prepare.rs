//! How an evaluation is made of a study, and kept as long as the rules stay the same.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use dagaz_engine::{Executor, Fault};
use dagaz_ir::{Pass, Rules};

use super::Evaluation;
use super::fit::{Slope, slopes, weights};
use super::joins::Joins;
use super::lines::Lines;
use super::material::Material;
use super::study::{Sample, Study};
use crate::agent::Ask;

/// With fewer states of decided games nothing is said about results.
const LEAST_SAMPLES: usize = 150;
/// So many times its own error a slope must be before it is believed.
const CERTAIN: f64 = 4.0;
/// What a whole win is worth where pieces are no measure.
const WHOLE: f64 = 400.0;
/// What mobility is worth where nothing else is known to count.
const MOBILITY: i32 = 300;

/// The evaluation of the rules that were asked about last.
#[derive(Default)]
pub(crate) struct Prepared {
    study: Option<Study>,
    made: Option<(Arc<Rules>, Arc<Evaluation>)>,
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
        let mut study = prepared.study.take().filter(|study| Arc::ptr_eq(&study.rules, rules));
        let study = study.get_or_insert_with(|| Study::new(ask.executor));
        while !study.is_done() && (ask.keep_going)() {
            if study.play(ask.executor).is_err() {
                // Whoever meets the fault in the game will say so; what is known without it is enough.
                break;
            }
        }
        let evaluation = Arc::new(Evaluation::of(study, ask.executor));
        if (ask.keep_going)() {
            prepared.made = Some((rules.clone(), evaluation.clone()));
        }
        Ok(evaluation)
    }
}

impl Evaluation {
    fn of(study: &Study, executor: &dyn Executor) -> Self {
        let rules = &*study.rules;
        let (players, kinds, sites) = (rules.players.len(), rules.kinds.len(), rules.topology.site_count());
        let material = Material::of(study);
        let captures = (3..600).contains(&study.capturing()) && study.all_capture * 2 < study.states;
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
        let count = |sample: &Sample| {
            let on_board: i32 =
                sample.pieces.iter().map(|&(place, sign)| i32::from(sign) * places[place as usize]).sum();
            let in_hand: i32 = sample.hands.iter().zip(&self.worth).map(|(count, worth)| count * worth).sum();
            f64::from(on_board + if stones { 0 } else { in_hand })
        };
        let compared: Vec<&Sample> = samples.iter().filter(|sample| sample.mobility.is_some()).collect();
        let rows: Vec<Vec<f64>> = compared
            .iter()
            .map(|sample| vec![count(sample) / 100.0, f64::from(sample.mobility.unwrap_or(0)) / 1000.0])
            .collect();
        let compared_results: Vec<f64> = compared.iter().map(|sample| f64::from(sample.result)).collect();
        let found = slopes(&rows, &compared_results);
        let [pieces, freedom] = found.try_into().unwrap_or([Slope::default(); 2]);
        let spread = |index: usize| deviation(rows.iter().map(|row| row[index]));
        let weight = |slope: Slope, index: usize| slope.slope * spread(index);
        if !stones && pieces.certainty >= CERTAIN && weight(pieces, 0) * 4.0 >= weight(freedom, 1) {
            // Pieces are the measure.
            if freedom.certainty >= CERTAIN && !self.counts_pieces {
                self.mobility = (100.0 * freedom.slope / pieces.slope).clamp(0.0, 2000.0) as i32;
            }
        } else if !stones && self.counts_pieces && pieces.certainty > -CERTAIN {
            // Too few games say anything: what is said of pieces everywhere is believed.
        } else if freedom.certainty >= CERTAIN || pieces.certainty.abs() >= CERTAIN {
            let factor = if pieces.certainty.abs() >= CERTAIN { pieces.slope * WHOLE / 100.0 } else { 0.0 };
            let scaled = |value: i32| (f64::from(value) * factor) as i32;
            if !stones {
                places.iter_mut().for_each(|place| *place = scaled(*place));
                self.worth.iter_mut().for_each(|worth| *worth = scaled(*worth));
                self.counts_pieces = self.counts_pieces && factor > 0.2;
            }
            if freedom.certainty >= CERTAIN {
                self.mobility = (WHOLE * freedom.slope) as i32;
            }
        }
        if stones {
            self.learn_stones(samples, &results, places, shaped);
        }
        if !study.numbers.is_empty() {
            self.learn_numbers(study, &results);
        }
    }

    /// What is believed where no game came to an end.
    fn without_results(&mut self, study: &Study, places: &mut [i32], stones: bool, shaped: bool) {
        if stones {
            places.fill(0);
        }
        if !self.counts_pieces && !shaped && study.persons.is_some() {
            self.mobility = MOBILITY;
        }
    }

    /// Where stones stay where they are, sites are worth what winners had on them.
    fn learn_stones(&mut self, samples: &[Sample], results: &[f64], places: &mut [i32], shaped: bool) {
        let rows: Vec<Vec<(u32, f64)>> = samples
            .iter()
            .map(|sample| sample.pieces.iter().map(|&(place, sign)| (place, f64::from(sign))).collect())
            .collect();
        let found = weights(&rows, results, places.len(), 60.0);
        // Rows and chains say more than sites do.
        let whole = if shaped { WHOLE / 20.0 } else { WHOLE };
        for (place, weight) in places.iter_mut().zip(found) {
            *place = (weight * whole) as i32;
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

/// How far numbers are from their mean, as a rule.
fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    (numbers.map(|number| (number - mean) * (number - mean)).sum::<f64>() / count).sqrt()
}
