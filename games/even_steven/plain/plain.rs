// Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.
use std::io::{stdin, BufRead};

fn value_of(card: &str) -> Option<usize> {
    "23456789TJQKA".find(if card.len() == 3 { "T" } else { &card[..1] })
}

fn main() {
    let mut hand: Vec<String> = Vec::new();
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() || words[0] == "YOU" {
            continue;
        }
        if words[0].parse::<usize>().is_ok() {
            hand = words[1..].iter().map(|word| word.to_string()).collect();
            continue;
        }
        let least = value_of(words[0]);
        let chosen = hand.iter().position(|card| value_of(card) >= least).unwrap_or(0);
        println!("{}", hand.remove(chosen)); // standard output is flushed after each line
    }
}
