//! A random game under the generic battery that is written down on the way: what is written must lead to the same state.

use std::sync::Arc;

use dagaz_base::Random;
use dagaz_engine::{Executor, Moment, Report, State, battery_with};
use dagaz_notation::{Ply, Record, json, record, universal};

/// A further law, for every moment of a game.
pub(crate) type Law = Box<dyn FnMut(&Moment<'_>) -> Result<(), String>>;

/// Plays the game of this seed, of at most so many steps, under all laws and a further one. The error names the law and the
/// seed.
pub(crate) fn battery(
    executor: &Arc<dyn Executor>,
    steps: usize,
    seed: u64,
    further: &mut Law,
) -> Result<Report, String> {
    let mut written = Written::new(seed);
    let played = battery_with(&**executor, 1, steps, seed, &mut |moment| {
        further(&moment)?;
        written.see(moment)
    });
    let report = played.map_err(|broken| broken.to_string())?;
    written.replays(executor).map_err(|error| format!("a written game, seed {seed}: {error}"))?;
    Ok(report)
}

/// A game of the battery as it is written down while it is played.
///
/// Which step is drawn is known from the seed. Were it another, the record would lead elsewhere, and its law fail.
struct Written {
    random: Random,
    plies: Vec<Ply>,
    /// What is drawn in the state that was seen last, and that state.
    drawn: Option<Ply>,
    last: Option<State>,
}

impl Written {
    fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), plies: Vec::new(), drawn: None, last: None }
    }

    /// Law: every legal step has a text, and the text means that step. Asked of the step that is drawn.
    fn see(&mut self, moment: Moment<'_>) -> Result<(), String> {
        let Moment { executor, state, steps, .. } = moment;
        self.plies.extend(self.drawn.take());
        self.last = Some(state.clone());
        if steps.is_empty() {
            return Ok(());
        }
        let texts = universal::write_all(executor, state, steps).map_err(|fault| fault.to_string())?;
        let index = self.random.below(steps.len());
        match universal::read(executor, state, steps, &texts[index]) {
            Ok(step) if *step == steps[index] => {
                self.drawn = Some(Ply::new(texts[index].as_str()));
                Ok(())
            }
            Ok(_) => Err(format!("`{}` is read as another step than it was written for", texts[index])),
            Err(error) => Err(format!("a step's own text is not read: {error}")),
        }
    }

    /// Law: a game that is written down, and read again, leads to the same state.
    fn replays(self, executor: &Arc<dyn Executor>) -> Result<(), String> {
        let record = Record { game: executor.rules().name.clone(), plies: self.plies, ..Record::default() };
        let read = json::read(&json::write(&record)).map_err(|error| error.to_string())?;
        if read != record {
            return Err("its JSON is read as another record".to_owned());
        }
        let again = record::replay(&read, executor.clone()).map_err(|error| error.to_string())?;
        if Some(again.state()) == self.last.as_ref() { Ok(()) } else { Err("it leads elsewhere".to_owned()) }
    }
}
