//! random.rs - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
//! make it a little better, again and again.

mod intensity_kit;

use intensity_kit::{Chance, Question};

fn player_name() -> String {
    "Random in Rust".to_string()
}

fn choose_discards(hand: &[u32]) -> Vec<u32> {
    let mut chance = Chance::new();
    let mut left = hand.to_vec();
    (0..3).map(|_| left.swap_remove(chance.below(left.len()))).collect()
}

fn choose_card(question: &Question) -> u32 {
    let legal = question.legal();
    legal[Chance::new().below(legal.len())]
}

fn run_unit_tests() {
    println!("no tests");
}

/// Do not change this.
fn main() {
    intensity_kit::run(player_name, choose_discards, choose_card, run_unit_tests);
}
