//! Plays anything that the rules allow. Replace the two choices by your own.

mod barracuda;

use barracuda::{Answer, Choice, Player, State};
use std::time::{SystemTime, UNIX_EPOCH};

struct Random {
    seed: u64,
}

impl Random {
    fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
        Random { seed: now.as_nanos() as u64 | 1 }
    }

    /// A random number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 33) as usize % limit
    }
}

impl Player for Random {
    /// A card of the hand, or a challenge where one may be offered.
    fn choose_card(&mut self, state: &State) -> Choice {
        if state.can_challenge && self.below(20) == 0 {
            return Choice::Challenge;
        }
        Choice::Card(state.hand[self.below(state.hand.len())])
    }

    /// Whether to accept the challenge that the other player has offered.
    fn answer_challenge(&mut self, _state: &State) -> Answer {
        if self.below(2) == 0 { Answer::Accept } else { Answer::Reject }
    }
}

fn main() {
    barracuda::run(Random::new());
}
