//! random.rs - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable player:
//! make it a little better, again and again.

mod mactech98;

use mactech98::{legal_indices, Card, Chance, Pass, Player};

struct Random {
    chance: Chance,
    points_played: bool, // a heart or the queen of spades was played on an earlier trick of this hand
}

impl Player for Random {
    fn init_tournament(&mut self, _num_players: u32, _game_ending_score: u32) {}

    fn init_game(&mut self, _player_ids: &[u32; 4], _your_seat: usize) {}

    fn select_pass(&mut self, _dealt_hand: &[Card; 13], _direction: Pass) -> [usize; 3] {
        self.points_played = false;
        let mut left: Vec<usize> = (0..13).collect();
        [0; 3].map(|_| left.swap_remove(self.chance.below(left.len()))) // ignored when nothing is passed
    }

    fn play_trick(&mut self, number: usize, leader: usize, your_hand: &[Card; 13], cards_played: &[Card; 4]) -> usize {
        let legal = legal_indices(your_hand, number, cards_played[leader], self.points_played);
        legal[self.chance.below(legal.len())]
    }

    fn trick_results(&mut self, last_trick: &[Card; 4], _trick_winner: usize) {
        self.points_played |= last_trick.iter().any(|card| card.is_point());
    }

    fn hand_results(&mut self, _points_this_hand: &[i32; 4], _cum_points: &[i32; 4]) {}
}

/// Do not change this.
fn main() {
    mactech98::run(&mut Random { chance: Chance::new(), points_played: false });
}
