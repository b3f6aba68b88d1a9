//! Who plays whom, and on which seat: everything follows from the number of the game.

/// Which agents meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first agent meets everybody else.
    Gauntlet,
}

/// The plan of a match.
///
/// Games come in *sets*: the same agents, the same opening, and one game for every rotation of the seats, so that the
/// favour of a seat or of an opening falls to everybody. Sets go through all groups of agents before the next opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    groups: Vec<Vec<usize>>,
    seats: usize,
}

/// Who plays in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The set, from 0.
    pub set: u64,
    /// The opening, from 0: the same for all groups.
    pub opening: u64,
    /// The agent on each seat, by its index.
    pub agents: Vec<usize>,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unpaired {
    /// Nobody to play against.
    #[error("a match needs two agents or more, and there is {agents}")]
    Agents {
        /// How many there are.
        agents: usize,
    },
    /// A game for one.
    #[error("a match needs a game for two players or more, and this one has {seats}")]
    Seats {
        /// How many players the game has.
        seats: usize,
    },
    /// Nobody would ever see the end.
    #[error("{agents} agents can be put on {seats} seats in more than {most} ways; give fewer agents")]
    TooMany {
        /// How many there are.
        agents: usize,
        /// How many players the game has.
        seats: usize,
        /// How many ways there may be.
        most: usize,
    },
}

/// More groups than this are no match.
const MOST_GROUPS: usize = 10_000;

impl Pairing {
    /// The plan for so many agents in a game for so many players. With fewer agents than players each group holds every
    /// agent at least once.
    pub fn new(scheme: Scheme, agents: usize, seats: usize) -> Result<Self, Unpaired> {
        if agents < 2 {
            return Err(Unpaired::Agents { agents });
        }
        if seats < 2 {
            return Err(Unpaired::Seats { seats });
        }
        let mut search = Groups { agents, seats, scheme, group: Vec::new(), found: Vec::new() };
        if agents > MOST_GROUPS || seats > MOST_GROUPS || !search.extend(0) {
            return Err(Unpaired::TooMany { agents, seats, most: MOST_GROUPS });
        }
        Ok(Self { groups: search.found, seats })
    }

    /// How many games a set has.
    pub fn set_size(&self) -> u64 {
        self.seats as u64
    }

    /// How many games there are from one opening.
    pub fn round(&self) -> u64 {
        self.set_size() * self.groups.len() as u64
    }

    /// Who plays in the game of this number, from 0.
    pub fn game(&self, number: u64) -> Seating {
        let (set, rotation) = (number / self.set_size(), (number % self.set_size()) as usize);
        let groups = self.groups.len() as u64;
        let group = &self.groups[(set % groups) as usize];
        let agents = (0..self.seats).map(|seat| group[(seat + rotation) % self.seats]).collect();
        Seating { set, opening: set / groups, agents }
    }
}

/// The search for all groups, in ascending order.
struct Groups {
    agents: usize,
    seats: usize,
    scheme: Scheme,
    group: Vec<usize>,
    found: Vec<Vec<usize>>,
}

impl Groups {
    /// Fills the group up with agents from `from` on. False when there are too many groups.
    fn extend(&mut self, from: usize) -> bool {
        let few = self.agents < self.seats;
        let Some(free) = self.seats.checked_sub(self.group.len()).filter(|&free| free > 0) else {
            self.found.push(self.group.clone());
            return self.found.len() <= MOST_GROUPS;
        };
        for agent in from..self.agents {
            let first = self.group.is_empty();
            let skips = few && agent > self.group.last().map_or(0, |last| last + 1);
            // As many seats must be left as agents must still come.
            let crowded = few && self.agents - 1 - agent > free - 1;
            if first && agent > 0 && self.scheme == Scheme::Gauntlet || skips {
                break;
            }
            if crowded || !few && self.agents - agent < free {
                continue;
            }
            self.group.push(agent);
            let fits = self.extend(if few { agent } else { agent + 1 });
            self.group.pop();
            if !fits {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(pairing: &Pairing, games: u64) -> Vec<Vec<usize>> {
        (0..games).map(|number| pairing.game(number).agents).collect()
    }

    #[test]
    fn each_opening_is_played_from_every_seat() {
        let two = Pairing::new(Scheme::RoundRobin, 2, 2).unwrap();
        assert_eq!(seats(&two, 4), [[0, 1], [1, 0], [0, 1], [1, 0]]);
        assert_eq!([0, 1, 2].map(|number| two.game(number).opening), [0, 0, 1]);
        let three = Pairing::new(Scheme::RoundRobin, 3, 3).unwrap();
        assert_eq!(seats(&three, 3), [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    }

    #[test]
    fn everybody_meets_everybody_or_the_first() {
        let all = Pairing::new(Scheme::RoundRobin, 3, 2).unwrap();
        assert_eq!(seats(&all, 6), [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!((all.round(), all.game(6).opening), (6, 1));
        let first = Pairing::new(Scheme::Gauntlet, 3, 2).unwrap();
        assert_eq!(seats(&first, 4), [[0, 1], [1, 0], [0, 2], [2, 0]]);
        assert_eq!(Pairing::new(Scheme::RoundRobin, 6, 4).unwrap().round(), 15 * 4);
        assert_eq!(Pairing::new(Scheme::Gauntlet, 6, 4).unwrap().round(), 10 * 4);
    }

    #[test]
    fn few_agents_share_many_seats_fairly() {
        let shared = Pairing::new(Scheme::RoundRobin, 2, 3).unwrap();
        assert_eq!(seats(&shared, 6), [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 1, 0], [1, 0, 1]]);
        assert_eq!(Pairing::new(Scheme::RoundRobin, 3, 4).unwrap().round(), 3 * 4);
    }

    #[test]
    fn impossible_plans_are_refused() {
        assert_eq!(Pairing::new(Scheme::RoundRobin, 1, 2), Err(Unpaired::Agents { agents: 1 }));
        assert_eq!(Pairing::new(Scheme::RoundRobin, 2, 1), Err(Unpaired::Seats { seats: 1 }));
        assert!(matches!(Pairing::new(Scheme::RoundRobin, 60, 30), Err(Unpaired::TooMany { .. })));
    }
}
