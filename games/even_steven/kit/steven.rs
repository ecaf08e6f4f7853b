//! steven.rs - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
//!
//!     mod steven;
//!
//!     fn main() {
//!         let mut game = steven::Game::new();
//!         while let Some(_open) = game.next_card() {
//!             game.play(game.hand[0]);
//!         }
//!     }
//!
//! next_card reads until a card must be covered, and is None when all games are over. You then play a card of game.hand.
//! All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
#![allow(dead_code)] // nobody needs all of it

use std::collections::hash_map::RandomState;
use std::env;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};

const VALUES: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/// A card. Printing it gives its name as the dealer writes it, such as 10c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    pub value: u8,  // 2 ... 14: jack 11, queen 12, king 13, ace 14
    pub suit: char, // 'c', 'd', 'h', 's': it has no effect on anything
}

impl Card {
    /// The card of that name, or None if it is not one.
    pub fn named(name: &str) -> Option<Card> {
        let suit = name.chars().last().filter(|letter| "cdhs".contains(*letter))?;
        let value = VALUES.iter().position(|value| *value == &name[..name.len() - 1])?;
        Some(Card { value: value as u8 + 2, suit })
    }

    /// Whether this card may lie on that dealt card.
    pub fn covers(self, dealt: Card) -> bool {
        self.value >= dealt.value
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match VALUES.get(usize::from(self.value).wrapping_sub(2)) {
            Some(value) => write!(out, "{}{}", value, self.suit),
            None => write!(out, "no card (value {})", self.value),
        }
    }
}

/// What you know of the game in progress.
pub struct Game {
    pub number: u32,       // of this game: 1, 2, 3, ...
    pub size: usize,       // cards that you were dealt, and that you must cover
    pub hand: Vec<Card>,   // the cards that you still hold, in the order of the deal
    pub past: Vec<Card>,   // all cards dealt so far, in order; the last is the one that you must cover now
    pub played: Vec<Card>, // what you played on them
    pub won: u32,          // games so far
    pub lost: u32,
    random: u64,
    debugging: bool,
}

impl Game {
    /// Call this first.
    pub fn new() -> Game {
        let given = env::var("STEVEN_SEED").ok().and_then(|seed| seed.parse().ok());
        Game {
            number: 0,
            size: 0,
            hand: Vec::new(),
            past: Vec::new(),
            played: Vec::new(),
            won: 0,
            lost: 0,
            random: given.unwrap_or_else(|| RandomState::new().build_hasher().finish()),
            debugging: env::args().len() > 1,
        }
    }

    /// Waits until a card must be covered, and returns it. None when all games are over: end your program then.
    pub fn next_card(&mut self) -> Option<Card> {
        let mut line = String::new();
        while io::stdin().lock().read_line(&mut line).ok()? > 0 {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.first() == Some(&"YOU") {
                self.won += u32::from(words.get(1) == Some(&"WIN"));
                self.lost += u32::from(words.get(1) == Some(&"LOSE"));
            } else if let Some(Ok(size)) = words.first().map(|word| word.parse()) {
                self.number += 1;
                self.size = size;
                self.hand = words[1..].iter().filter_map(|name| Card::named(name)).collect();
                self.past.clear();
                self.played.clear();
            } else if let Some(open) = words.first().and_then(|name| Card::named(name)) {
                self.past.push(open);
                return Some(open);
            }
            line.clear();
        }
        None
    }

    /// Plays this card on the open one.
    pub fn play(&mut self, card: Card) {
        match self.hand.iter().position(|held| *held == card) {
            Some(place) => drop(self.hand.remove(place)),
            None => eprintln!("steven: {} is not in your hand", card),
        }
        self.played.push(card);
        say(&card.to_string());
    }

    /// Writes a line for debugging: the dealer prints it after a `*`. In the contest, where the program is started without
    /// an argument, nothing is written.
    pub fn debug(&self, line: &str) {
        if self.debugging {
            say(&format!("* {}", line));
        }
    }

    /// Any of 0 ... n - 1. To repeat a run exactly, set the environment variable STEVEN_SEED to a number.
    pub fn random(&mut self, n: usize) -> usize {
        // splitmix64 (public domain, by Sebastiano Vigna): small, fast and good enough for cards
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// If the dealer has gone, the next line that is read ends the games: a line that cannot be written is no error.
fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{}", line).and_then(|_| out.flush());
}
