//! An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.

mod barracuda;

use barracuda::{Answer, Choice, Outcome, Player, State};

struct Shell;

impl Player for Shell {
    fn choose_card(&mut self, state: &State) -> Choice {
        Choice::Card(state.hand[0])
    }

    fn answer_challenge(&mut self, _state: &State) -> Answer {
        Answer::Reject
    }

    /// Such as Outcome { kind: "trick_won", by: Some(1), card: Some(13), .. }; `by` is `me` when it was you.
    fn hear_result(&mut self, _outcome: &Outcome) {}
}

fn main() {
    barracuda::run(Shell);
}
