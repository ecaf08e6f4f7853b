//! random.rs - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
//! make it a little better, again and again.

mod acm98;

use acm98::{random_int, Card, Contestant, Game};

struct RandomPlayer;

impl Contestant for RandomPlayer {
    fn start_game(&mut self) {}

    fn start_round(&mut self, _game: &Game) {}

    fn take_card(&mut self, game: &Game) -> Card {
        game.pool[random_int(game.pool.len())]
    }

    fn end_takes(&mut self, _game: &Game) {}

    fn play_card(&mut self, game: &Game) -> Card {
        let legal = game.legal_cards();
        legal[random_int(legal.len())]
    }

    fn end_round(&mut self, _game: &Game) {}
}

fn main() {
    acm98::run(RandomPlayer);
}
