//! shell.rs - an empty player of Even Steven, for you to fill in.
//!
//! Team:
//! Strategy in one line:
//!
//! Read steven.rs: it describes Card, the fields of Game, and the helper routines. This shell plays the first card of its
//! hand, whatever was dealt. Write choose_card, then try it:
//!
//!     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.rs

mod steven;

use steven::{Card, Game};

/// Return the card of your hand that you play on `open`: one of game.hand. If none of them covers it, the game is lost;
/// play one all the same. Not all games can be won.
fn choose_card(game: &Game, _open: Card) -> Card {
    game.hand[0]
}

fn main() {
    let mut game = Game::new();
    while let Some(open) = game.next_card() {
        let card = choose_card(&game, open);
        game.debug(&format!("game {}: {} is dealt, I play {}", game.number, open, card));
        game.play(card);
    }
}
