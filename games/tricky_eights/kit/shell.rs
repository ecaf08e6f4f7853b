//! shell.rs - an empty contestant for Tricky Eights, for you to fill in.
//!
//! Team:
//! Strategy in one line:
//!
//! Read the first part of acm98.rs first: it describes Game, which holds everything you know, and the helper routines. This
//! shell takes and plays the first card that is allowed, so it follows the rules from the start. Change one thing at a time, and
//! play a few games after every change.
//!
//! Each of the six functions has 4 seconds. Your program stays alive for a whole game (many rounds), so the fields of your shell
//! keep their values from one call to the next.

mod acm98;

#[allow(unused_imports)]
use acm98::*;

struct Shell {
    // what you want to remember
}

impl Contestant for Shell {
    /// Called once, before anything else. Nothing is known yet. Prepare here what you need for the whole game.
    fn start_game(&mut self) {}

    /// Called when the ten cards of your hand are dealt and the pool of twelve is face up.
    /// You know game.me, game.round, game.dealer, game.hand, game.pool and the points of the earlier rounds in game.total.
    /// Reset here what you noted about the last round.
    fn start_round(&mut self, _game: &Game) {}

    /// Called three times a round. Return the card of game.pool that you want to have.
    /// The cards that others took are gone; game.take tells who took what.
    fn take_card(&mut self, game: &Game) -> Card {
        game.pool[0]
    }

    /// Called when all twelve cards of the pool are taken, before the first trick. You now hold 13 cards, and know three cards
    /// of each of the others (game.take; or game.place and game.owner, by the card). A good moment to make a plan for the round.
    fn end_takes(&mut self, _game: &Game) {}

    /// Called 13 times a round. Return a card of your hand. If game.trick.count is 0, you lead and may play any card; otherwise
    /// you must follow the suit of game.trick.card[game.trick.leader] if you can. legal_cards gives you the choice.
    fn play_card(&mut self, game: &Game) -> Card {
        game.legal_cards()[0]
    }

    /// Called when the 13 tricks are played. game.points has the points of this round, game.total those of the game with this
    /// round in it, game.past all the tricks. Here you might learn something about your opponents.
    fn end_round(&mut self, _game: &Game) {}
}

// Do not change this.
fn main() {
    run(Shell {});
}
