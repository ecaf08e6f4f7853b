//! mactech98.rs - talks to the referee of Hearts, so you do not have to. Do not change it: the contest builds your player with
//! its own copy.
//!
//! You write the six routines of the Programmer's Challenge of 1998 (shell.rs describes them), for a type of yours:
//!
//!     init_tournament   init_game   select_pass   play_trick   trick_results   hand_results
//!
//! main hands a value of that type to run. Arrays of four are indexed by seat. A hand has 13 cards; where a card was played there
//! is NO_CARD.
//!
//! Print nothing to standard output: it belongs to the referee. Debug with eprintln!; only your team can read that afterwards.
//! Each millisecond of processor time that your routines use costs a point.
#![allow(dead_code)] // nobody needs all of it

use std::collections::hash_map::RandomState;
use std::env;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};
use std::os::raw::c_long;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suit {
    None,
    Spade,
    Heart,
    Diamond,
    Club,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    Left,
    Right,
    Across,
    None,
}

/// Spots are 1 (the two) ... 13 (the ace), as in 1998.
pub const NO_SPOT: u8 = 0;
pub const JACK: u8 = 10;
pub const QUEEN: u8 = 11;
pub const KING: u8 = 12;
pub const ACE: u8 = 13;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    pub suit: Suit,
    pub spot: u8,
}

pub const NO_CARD: Card = Card { suit: Suit::None, spot: NO_SPOT };

const FACES: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS: [Suit; 4] = [Suit::Spade, Suit::Heart, Suit::Diamond, Suit::Club];

impl Card {
    /// Whether it costs points: a heart, or the queen of spades.
    pub fn is_point(self) -> bool {
        self.suit == Suit::Heart || (self.suit == Suit::Spade && self.spot == QUEEN)
    }

    fn named(word: &str) -> Card {
        let (face, suit) = word.split_at(word.len() - 1);
        let suit = "SHDC".find(suit).expect("not a suit");
        let spot = FACES.iter().position(|name| *name == face).expect("not a face");
        Card { suit: SUITS[suit], spot: spot as u8 + 1 }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match SUITS.iter().position(|suit| *suit == self.suit) {
            Some(suit) => write!(out, "{}{}", FACES[self.spot as usize - 1], &"SHDC"[suit..=suit]),
            None => write!(out, "--"),
        }
    }
}

/// What you write.
pub trait Player {
    fn init_tournament(&mut self, num_players: u32, game_ending_score: u32);
    fn init_game(&mut self, player_ids: &[u32; 4], your_seat: usize);
    /// Three different indices of the hand.
    fn select_pass(&mut self, dealt_hand: &[Card; 13], direction: Pass) -> [usize; 3];
    /// The index in your hand of the card that you play.
    fn play_trick(&mut self, number: usize, leader: usize, your_hand: &[Card; 13], cards_played: &[Card; 4]) -> usize;
    fn trick_results(&mut self, last_trick: &[Card; 4], trick_winner: usize);
    fn hand_results(&mut self, points_this_hand: &[i32; 4], cum_points: &[i32; 4]);
}

/// The indices of the cards that may be played now. led: the card that was led, NO_CARD when you lead; points_played: whether a
/// point card was played on an earlier trick of this hand.
pub fn legal_indices(hand: &[Card; 13], trick_number: usize, led: Card, points_played: bool) -> Vec<usize> {
    let held = |card: &&Card| **card != NO_CARD;
    let follows = hand.iter().filter(held).any(|card| card.suit == led.suit);
    let others = hand.iter().filter(held).any(|card| !card.is_point());
    let legal = |card: Card| {
        if card == NO_CARD {
            false
        } else if led != NO_CARD {
            card.suit == led.suit || !follows
        } else if trick_number == 0 {
            card == Card { suit: Suit::Club, spot: 1 }
        } else {
            card.suit != Suit::Heart || points_played || !others
        }
    };
    (0..13).filter(|index| legal(hand[*index])).collect()
}

/// Random numbers: different in every run, unless the environment variable MACTECH98_SEED holds a number.
pub struct Chance(u64);

impl Chance {
    pub fn new() -> Chance {
        let given = env::var("MACTECH98_SEED").ok().and_then(|seed| seed.parse().ok());
        Chance(given.unwrap_or_else(|| RandomState::new().build_hasher().finish()))
    }

    /// Any of 0 ... n - 1, by splitmix64 (public domain, by Sebastiano Vigna).
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

extern "C" {
    fn clock() -> c_long; // of C: the library of Rust has no clock for processor time
}

/// The processor time of this program, in nanoseconds.
fn processor_time() -> i64 {
    let per_tick = if cfg!(windows) { 1_000_000 } else { 1000 };
    unsafe { clock() as i64 * per_tick }
}

struct Harness<'a> {
    player: &'a mut dyn Player,
    dealt: [Card; 13],
    hand: [Card; 13],
    direction: Pass,
    seat: usize,
    used: i64, // nanoseconds of your routines since our last answer
}

fn number<T: std::str::FromStr>(word: &str) -> T {
    word.parse().unwrap_or_else(|_| panic!("{} is not a number", word))
}

fn four<T: Default + Copy>(words: &[&str], read: fn(&str) -> T) -> [T; 4] {
    let mut found = [T::default(); 4];
    for (place, word) in found.iter_mut().zip(words) {
        *place = read(word);
    }
    found
}

impl Default for Card {
    fn default() -> Card {
        NO_CARD
    }
}

impl Harness<'_> {
    fn timed<T>(&mut self, routine: impl FnOnce(&mut dyn Player) -> T) -> T {
        let started = processor_time();
        let result = routine(self.player);
        self.used += processor_time() - started;
        result
    }

    fn answer(&mut self, text: &str) {
        let line = format!("{} cpu {}\n", text, self.used.max(0));
        self.used = 0;
        let mut output = io::stdout();
        if output.write_all(line.as_bytes()).and_then(|_| output.flush()).is_err() {
            std::process::exit(0); // nobody listens any more
        }
    }

    fn select_pass(&mut self) -> [usize; 3] {
        let (dealt, direction) = (self.dealt, self.direction);
        self.timed(|player| player.select_pass(&dealt, direction))
    }

    fn deal(&mut self, words: &[&str]) {
        self.direction = match words[0] {
            "left" => Pass::Left,
            "right" => Pass::Right,
            "across" => Pass::Across,
            _ => Pass::None,
        };
        for (place, word) in self.dealt.iter_mut().zip(&words[1..]) {
            *place = Card::named(word);
        }
        self.hand = self.dealt;
        if self.direction == Pass::None {
            self.select_pass();
        }
    }

    fn play(&mut self, words: &[&str]) {
        let (trick, leader): (usize, usize) = (number(words[0]), number(words[1]));
        let (hand, mut played) = (self.hand, [NO_CARD; 4]);
        for (turn, word) in words[2..].iter().enumerate() {
            played[(leader + turn) % 4] = Card::named(word);
        }
        let index = self.timed(|player| player.play_trick(trick, leader, &hand, &played));
        self.answer(&index.to_string());
    }

    fn trick(&mut self, words: &[&str]) {
        let (cards, winner) = (four(words, Card::named), number(words[4]));
        for card in self.hand.iter_mut().filter(|card| **card == cards[self.seat]) {
            *card = NO_CARD;
        }
        self.timed(|player| player.trick_results(&cards, winner));
    }

    fn hear(&mut self, kind: &str, words: &[&str]) {
        match kind {
            "hello" => self.answer("ready"),
            "tournament" => self.timed(|player| player.init_tournament(number(words[0]), number(words[1]))),
            "game" => {
                self.seat = number(words[4]);
                let (ids, seat) = (four(words, number), self.seat);
                self.timed(|player| player.init_game(&ids, seat));
            }
            "hand" => self.deal(words),
            "pass" => {
                let chosen = self.select_pass();
                self.answer(&format!("{} {} {}", chosen[0], chosen[1], chosen[2]));
            }
            "received" => {
                for pair in words.chunks(2) {
                    self.hand[number::<usize>(pair[0])] = Card::named(pair[1]);
                }
            }
            "play" => self.play(words),
            "trick" => self.trick(words),
            "score" => {
                let (points, totals) = (four(words, number), four(&words[4..], number));
                self.timed(|player| player.hand_results(&points, &totals));
            }
            "end" => self.answer("done"),
            _ => (),
        }
    }
}

/// Play until there is nothing more to read.
pub fn run(player: &mut dyn Player) {
    let nothing = [NO_CARD; 13];
    let mut harness = Harness { player, dealt: nothing, hand: nothing, direction: Pass::None, seat: 0, used: 0 };
    for line in io::stdin().lock().lines() {
        let line = line.expect("the input is not text");
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some((kind, rest)) = words.split_first() {
            harness.hear(kind, rest);
        }
    }
}
