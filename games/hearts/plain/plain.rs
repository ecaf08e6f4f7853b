//! Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
use std::io::{self, BufRead};

fn suit(card: &str) -> char {
    card.chars().last().unwrap()
}

fn choose(hand: &[String], trick: &str, led: Option<&&str>) -> usize {
    let held: Vec<usize> = (0..13).filter(|place| !hand[*place].is_empty()).collect();
    let may = |place: &&usize| match led {
        Some(led) => suit(&hand[**place]) == suit(led),
        None if trick == "0" => hand[**place] == "2C",
        None => suit(&hand[**place]) != 'H',
    };
    *held.iter().find(may).unwrap_or(&held[0])
}

fn main() {
    let (mut hand, mut seat) = (Vec::new(), 0);
    for line in io::stdin().lock().lines().map(Result::unwrap) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "hello" | "end" => println!("{}", words[0]),
            "game" => seat = words[5].parse().unwrap(),
            "hand" => hand = words[2..].iter().map(|word| word.to_string()).collect(),
            "pass" => println!("0 1 2"),
            "received" => {
                for pair in words[1..].chunks(2) {
                    hand[pair[0].parse::<usize>().unwrap()] = pair[1].to_string();
                }
            }
            "play" => println!("{}", choose(&hand, words[1], words.get(3))),
            "trick" => {
                let played: &str = words[1 + seat as usize];
                hand.iter_mut().filter(|card| *card == played).for_each(String::clear);
            }
            _ => (),
        }
    }
}
