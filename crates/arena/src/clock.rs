//! How much time players have. Nothing here reads a clock: times are told.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What each player is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// For the whole game.
    pub base: Duration,
    /// More after each move.
    pub increment: Duration,
}

/// Why a text is no time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a clock is written in seconds, `BASE+INCREMENT` or `BASE`, such as `60+0.6`; one of both is more than 0")]
pub struct ClockError;

impl FromStr for TimeControl {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<Self, ClockError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let number = text.trim().parse::<f64>().ok().filter(|seconds| *seconds <= 1e7)?;
            Duration::try_from_secs_f64(number).ok()
        };
        let (base, increment) = (seconds(base).ok_or(ClockError)?, seconds(increment).ok_or(ClockError)?);
        if base.is_zero() && increment.is_zero() { Err(ClockError) } else { Ok(Self { base, increment }) }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// The clocks of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: Vec<Duration>,
}

impl Clock {
    /// Clocks for so many players. Where there is only an increment, the first move has it too.
    pub fn new(control: TimeControl, seats: usize) -> Self {
        let start = if control.base.is_zero() { control.increment } else { control.base };
        Self { control, left: vec![start; seats] }
    }

    /// What each player is given.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What the player on this seat has left.
    pub fn left(&self, seat: usize) -> Duration {
        self.left[seat]
    }

    /// The player has used this much for a move. False when it was more than he had: he has lost.
    pub fn spend(&mut self, seat: usize, used: Duration) -> bool {
        match self.left[seat].checked_sub(used) {
            Some(left) => {
                self.left[seat] = left + self.control.increment;
                true
            }
            None => {
                self.left[seat] = Duration::ZERO;
                false
            }
        }
    }

    /// How long a player who has no plan of his own should think.
    pub fn share(&self, seat: usize) -> Duration {
        thinking_time(self.left[seat], self.control.increment, None)
    }
}

/// How long to think with so much time left: a thirtieth of it, or what falls to each move until there is more, and most of
/// the increment; but never more than half of what is left, so that nobody loses by a hair.
pub fn thinking_time(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> Duration {
    (left / moves_to_go.unwrap_or(30).clamp(1, 30) + increment * 4 / 5).min(left / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out_and_increments_come_after_a_move() {
        let mut clock = Clock::new("1+0.5".parse().unwrap(), 2);
        assert!(clock.spend(0, Duration::from_millis(900)));
        assert_eq!(clock.left(0), Duration::from_millis(600));
        assert_eq!(clock.left(1), Duration::from_secs(1));
        assert!(!clock.spend(0, Duration::from_millis(601)));
        assert_eq!(clock.left(0), Duration::ZERO);
    }

    #[test]
    fn a_share_is_never_all_there_is() {
        let clock = Clock::new("0+1".parse().unwrap(), 1);
        assert_eq!(clock.share(0), Duration::from_millis(500));
        let clock = Clock::new("60".parse().unwrap(), 1);
        assert_eq!(clock.share(0), Duration::from_secs(2));
    }

    #[test]
    fn clocks_are_written_as_they_are_read() {
        for text in ["60+0.6", "5+0", "0+1"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in ["", "x", "-1", "0+0", "1+1+1", "inf"] {
            assert_eq!(text.parse::<TimeControl>(), Err(ClockError), "{text}");
        }
    }
}
