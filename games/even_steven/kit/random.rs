//! random.rs - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.

mod steven;

fn main() {
    let mut game = steven::Game::new();
    while let Some(open) = game.next_card() {
        let place = game.random(game.hand.len());
        let card = game.hand[place];
        game.debug(&format!("{} is dealt, I play {}", open, card));
        game.play(card);
    }
}
