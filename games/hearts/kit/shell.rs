//! shell.rs - an empty contestant for Hearts, for you to fill in.
//!
//! Team:
//! Strategy in one line:
//!
//! Read mactech98.rs first: it says what the six routines get and return. This shell passes its first three cards and plays the
//! first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after
//! every change.
//!
//! Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the
//! next. Every millisecond of processor time in your routines costs a point.

mod mactech98;

use mactech98::{legal_indices, Card, Pass, Player};

#[derive(Default)]
struct Shell {
    me: usize,           // our seat
    points_played: bool, // a heart or the queen of spades was played on an earlier trick of this hand
}

impl Player for Shell {
    /// Called once, before anything else. A game is over after the hand in which somebody has game_ending_score points.
    fn init_tournament(&mut self, _num_players: u32, _game_ending_score: u32) {}

    /// Called before each game. The same number in player_ids is the same player throughout the tournament. Player i + 1
    /// (modulo 4) sits to the left of player i.
    fn init_game(&mut self, _player_ids: &[u32; 4], your_seat: usize) {
        self.me = your_seat;
    }

    /// Called at the beginning of every hand. Return three different indices of dealt_hand (0 ... 12). With Pass::None nothing is
    /// passed, and what you return is ignored.
    fn select_pass(&mut self, _dealt_hand: &[Card; 13], _direction: Pass) -> [usize; 3] {
        self.points_played = false;
        [0, 1, 2]
    }

    /// Called 13 times a hand. Return the index of the card that you play. your_hand has NO_CARD where cards were played, and the
    /// cards that were passed to you in the places of those that you passed. cards_played is indexed by seat, with NO_CARD where
    /// nobody has played yet: cards_played[leader] was led, unless you lead.
    fn play_trick(&mut self, number: usize, leader: usize, your_hand: &[Card; 13], cards_played: &[Card; 4]) -> usize {
        legal_indices(your_hand, number, cards_played[leader], self.points_played)[0]
    }

    /// Called after each trick: what everybody played, by seat, and who took it.
    fn trick_results(&mut self, last_trick: &[Card; 4], _trick_winner: usize) {
        self.points_played |= last_trick.iter().any(|card| card.is_point());
    }

    /// Called after each hand. A player who has shot the moon gets -26 points.
    fn hand_results(&mut self, points_this_hand: &[i32; 4], cum_points: &[i32; 4]) {
        eprintln!("my points: {}, now {} in all", points_this_hand[self.me], cum_points[self.me]);
    }
}

/// Do not change this.
fn main() {
    mactech98::run(&mut Shell::default());
}
