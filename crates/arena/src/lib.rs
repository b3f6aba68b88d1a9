//! Matches between agents, and what may be concluded from them.
//!
//! Who sits where in which game, from which opening; one game, driven by whoever answers for the players; the table of
//! all games, with Elo and its error, and sequential tests. A match is its log: games have numbers, everything about a
//! game follows from the seed of the match and its number, and the table follows from the games alone. So a match that
//! was interrupted is resumed by playing the numbers that are missing.
//!
//! Absent on purpose: clocks that run (times are told), threads, processes, files, rule languages.

mod adjudicate;
mod clock;
mod contest;
mod elo;
mod game;
mod log;
mod opening;
mod pairing;
mod quality;
mod sprt;
mod table;

pub use adjudicate::{Adjudication, DrawRule, ResignRule, RuleError, hundredths};
pub use clock::{Clock, ClockError, TimeControl, thinking_time};
pub use contest::Contest;
pub use elo::{Estimate, elo_of, estimate, expected, normal_below, ratings};
pub use game::{Game, Ply, Reply, Turn, persons, play};
pub use log::{Finished, Log, LogError, finished_line};
pub use opening::{Opening, OpeningError, Openings, Written};
pub use pairing::{Pairing, Scheme, Seating, Unpaired};
pub use quality::{Measure, Quality, Sample};
pub use sprt::{Sprt, SprtError, Verdict};
pub use table::{Duel, Standing, Table};
