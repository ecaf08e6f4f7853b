//! intensity_kit.rs - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
//! puts its own copy beside your file.
//!
//! You write four functions (shell.rs describes them):
//!
//!     player_name   choose_discards   choose_card   run_unit_tests
//!
//! main hands them to run, which reads the question, calls the one that is wanted, and prints what it returns. Your program is
//! started again for every question: nothing is left of the question before.
//!
//! Print nothing to standard output: it belongs to the answer. Debug with eprintln!; only your team can read that afterwards.
#![allow(dead_code)] // nobody needs all of it

use std::collections::hash_map::RandomState;
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read};

pub const BUFFALO: u32 = 47;

pub fn is_calf(card: u32) -> bool {
    (30..40).contains(&card)
}

/// What a card costs the player who wins its round.
pub fn penalty(card: u32) -> u32 {
    if card == BUFFALO {
        7
    } else {
        u32::from(is_calf(card))
    }
}

/// A card, and who played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    pub position: usize,
    pub card: u32,
}

/// Who wins a round, given in the order of play.
pub fn winner(round: &[Play]) -> usize {
    let mut best = round[0];
    for play in round {
        if play.card / 10 == best.card / 10 && play.card > best.card {
            best = *play;
        }
    }
    best.position
}

/// Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub position: usize, // your place at the table, 0 ... 3
    pub hand: Vec<u32>,
    pub table: Vec<u32>,     // the cards of this round so far; empty: you lead
    pub played: Vec<u32>,    // the cards of all rounds before
    pub discarded: Vec<u32>, // what you gave to the player on your left, (position + 1) % 4
    pub received: Vec<u32>,  // what you got from the player on your right
}

impl Question {
    /// Whether a calf was played in an earlier round, so that calves may be led.
    pub fn calf_played(&self) -> bool {
        self.played.iter().any(|card| is_calf(*card))
    }

    /// The cards that you may play, in increasing order.
    pub fn legal(&self) -> Vec<u32> {
        let calves = self.calf_played();
        let may_play = |card: &u32| match self.table.first() {
            Some(first) => card / 10 == first / 10,
            None => calves || !is_calf(*card),
        };
        let found: Vec<u32> = self.hand.iter().copied().filter(may_play).collect();
        if found.is_empty() {
            self.hand.clone()
        } else {
            found
        }
    }

    /// The rounds before this one, in the order of play.
    pub fn rounds(&self) -> Vec<Vec<Play>> {
        let mut leader = 0;
        let mut found = Vec::new();
        for cards in self.played.chunks(4) {
            let round = in_turn(leader, cards);
            leader = winner(&round);
            found.push(round);
        }
        found
    }

    /// The cards of this round so far.
    pub fn on_the_table(&self) -> Vec<Play> {
        in_turn(self.position + 4 - self.table.len(), &self.table)
    }
}

fn in_turn(first: usize, cards: &[u32]) -> Vec<Play> {
    let plays = cards.iter().enumerate();
    plays.map(|(turn, card)| Play { position: (first + turn) % 4, card: *card }).collect()
}

/// Random numbers: different in every run, unless the environment variable INTENSITY_SEED holds a number.
pub struct Chance(u64);

impl Chance {
    pub fn new() -> Chance {
        let given = env::var("INTENSITY_SEED").ok().and_then(|seed| seed.parse().ok());
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

/// Answer the question on standard input.
pub fn run(
    player_name: fn() -> String,
    choose_discards: fn(&[u32]) -> Vec<u32>,
    choose_card: fn(&Question) -> u32,
    run_unit_tests: fn(),
) {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).expect("the input is not text");
    let mut numbers = text.split_whitespace().map(|word| word.parse::<u32>().expect("the input has a word that is no number"));
    let mut take = |count: usize| -> Vec<u32> {
        (0..count).map(|_| numbers.next().expect("the input ends where a number should be")).collect()
    };
    match take(1)[0] {
        0 => println!("{}", player_name()),
        1 => {
            let chosen: Vec<String> = choose_discards(&take(10)).iter().map(u32::to_string).collect();
            println!("{}", chosen.join(" "));
        }
        2 => {
            let about = take(3);
            let held = about[0] as usize;
            let question = Question {
                position: about[2] as usize,
                hand: take(held),
                table: take(about[1] as usize),
                played: take(4 * (10 - held)),
                discarded: take(3),
                received: take(3),
            };
            println!("{}", choose_card(&question));
        }
        _ => run_unit_tests(),
    }
}
