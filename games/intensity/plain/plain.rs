//! Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
use std::io::{self, Read};

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let numbers: Vec<usize> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    match numbers[0] {
        0 => println!("Plain Rust"),
        1 => println!("{} {} {}", numbers[1], numbers[2], numbers[3]),
        2 => {
            let (hand, rest) = numbers[4..].split_at(numbers[1]);
            let (table, past) = rest.split_at(numbers[2]);
            let calves = past[..4 * (10 - hand.len())].iter().any(|card| card / 10 == 3);
            let may = |card: &&usize| match table.first() {
                Some(first) => **card / 10 == first / 10,
                None => calves || **card / 10 != 3,
            };
            println!("{}", hand.iter().find(may).unwrap_or(&hand[0]));
        }
        _ => (),
    }
}
