//! acm98.rs - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
//! builds your player with its own copy.
//!
//! You write six functions (shell.rs describes them):
//!
//!     start_game   start_round   take_card   end_takes   play_card   end_round
//!
//! They are the methods of the trait Contestant, for a type of your own. Your main hands one to `run`, which reads what the
//! server says, keeps a Game up to date, calls your methods with it and sends the cards they return.
//!
//! Print nothing to standard output: it belongs to the server. Debug with eprintln!(...); only your team can read that
//! afterwards.
#![allow(dead_code)] // nobody needs all of it

use std::collections::hash_map::RandomState;
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};
use std::os::raw::c_long;
use std::process::exit;
use std::sync::atomic::{AtomicU64, Ordering};

// ---------------------------------------------------------------------------------------------------------------------
// Players, suits, faces, cards
// ---------------------------------------------------------------------------------------------------------------------

/// Players sit clockwise in this order. The player after p is (p + 1) % 4.
pub type Player = usize;
pub const NORTH: Player = 0;
pub const EAST: Player = 1;
pub const SOUTH: Player = 2;
pub const WEST: Player = 3;

pub const CLUBS: usize = 0;
pub const DIAMONDS: usize = 1;
pub const HEARTS: usize = 2;
pub const SPADES: usize = 3;

/// Faces are 2 ... 14. The cards between are simply 2 ... 10.
pub const JACK: usize = 11;
pub const QUEEN: usize = 12;
pub const KING: usize = 13;
pub const ACE: usize = 14;

/// A card is a number 0 ... 51, so that it can be the index of an array: first the clubs from 2 to ace (0 ... 12), then the
/// diamonds, the hearts and the spades. suit, face and make_card take it apart and put it together.
pub type Card = usize;

/// CLUBS ... SPADES.
pub fn suit(card: Card) -> usize {
    card / 13
}

/// 2 ... ACE.
pub fn face(card: Card) -> usize {
    card % 13 + 2
}

/// make_card(HEARTS, 8) is the eight of hearts.
pub fn make_card(suit: usize, face: usize) -> Card {
    suit * 13 + face - 2
}

/// The name of a card as the server writes it, such as "dk".
pub fn card_name(card: Card) -> String {
    if card > 51 {
        return "??".to_string();
    }
    format!("{}{}", &SUIT_LETTERS[suit(card)..=suit(card)], &FACE_LETTERS[card % 13..=card % 13])
}

/// The inverse: card_from_name("dk"). None if it is not a card.
pub fn card_from_name(name: &str) -> Option<Card> {
    match *name.as_bytes() {
        [suit, face] => Some(SUIT_LETTERS.find(suit as char)? * 13 + FACE_LETTERS.find(face as char)?),
        _ => None,
    }
}

pub fn player_name(player: Option<Player>) -> &'static str {
    player.map_or("nobody", |player| ["north", "east", "south", "west"][player])
}

pub fn next_player(player: Player) -> Player {
    (player + 1) % 4
}

// ---------------------------------------------------------------------------------------------------------------------
// The game
// ---------------------------------------------------------------------------------------------------------------------

/// Where a card is, as far as you can know: game.place[card].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Hidden, // dealt to one of the other players, you do not know to whom
    Pool,   // face up in the pool, may still be taken
    Held,   // in the hand of player game.owner[card]: yours, or taken from the pool where everybody saw it
    Table,  // on the table, in the current trick
    Played, // went with an earlier trick
}

/// One trick, finished or not.
#[derive(Clone, Debug)]
pub struct Trick {
    pub leader: Player,         // who played the first card
    pub count: usize,           // how many cards it has, 0 ... 4
    pub card: [Option<Card>; 4], // card[p]: what player p played. The index is the player, not the order.
    pub winner: Option<Player>, // who wins it as it stands (None while it is empty)
    pub points: u32,            // what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight
}

/// Everything you know.
#[derive(Clone, Debug)]
pub struct Game {
    pub me: Player,       // which player you are: NORTH ... WEST
    pub round: usize,     // number of the round, from 1
    pub dealer: Player,   // dealer of this round: takes first, and leads the first trick
    pub total: [u32; 4],  // points of all finished rounds. In end_round this round is already in it.
    pub points: [u32; 4], // points made in this round so far

    // Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
    pub hand: Vec<Card>,

    // The takes
    pub pool: Vec<Card>,      // the cards left in the pool: during take_card, those you may choose from
    pub take: [Vec<Card>; 4], // take[p]: what player p took so far, in that order

    // The play
    pub trick_number: usize, // number of the current trick 1 ... 13; 0 during the takes, 14 in end_round
    pub trick: Trick,        // the current trick: in play_card the cards that were played before you
    pub past: Vec<Trick>,    // the finished tricks of this round

    // What you know of every card and every player: a card counter's table, kept for you
    pub place: [Place; 52],          // where that card is
    pub owner: [Option<Player>; 52], // who holds, played or took that card; None for a card that is Hidden or in the Pool
    pub cards_left: [usize; 4],      // how many cards player p holds
    pub is_out: [[bool; 4]; 4],      // is_out[p][suit]: p has none left, because it did not follow
}

/// What you write. None of these may take more than 4 seconds.
pub trait Contestant {
    fn start_game(&mut self);
    fn start_round(&mut self, game: &Game);
    fn take_card(&mut self, game: &Game) -> Card;
    fn end_takes(&mut self, game: &Game);
    fn play_card(&mut self, game: &Game) -> Card;
    fn end_round(&mut self, game: &Game);
}

// ---------------------------------------------------------------------------------------------------------------------
// Helper routines. None of them changes anything.
// ---------------------------------------------------------------------------------------------------------------------

impl Game {
    /// The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the pool.
    pub fn legal_cards(&self) -> Vec<Card> {
        if self.trick_number == 0 {
            return self.pool.clone();
        }
        let led = self.trick.card[self.trick.leader].map(suit);
        let following: Vec<Card> = self.hand.iter().copied().filter(|card| Some(suit(*card)) == led).collect();
        if following.is_empty() {
            self.hand.clone()
        } else {
            following
        }
    }

    /// Whether you may play (during the takes: take) this card now.
    pub fn is_legal(&self, card: Card) -> bool {
        self.legal_cards().contains(&card)
    }

    /// Whether this card would be the winning one of the current trick if you played it now.
    pub fn would_win(&self, card: Card) -> bool {
        match self.trick.winner.and_then(|winner| self.trick.card[winner]) {
            Some(best) => suit(card) == suit(best) && card > best,
            None => true,
        }
    }

    /// How many cards of a suit you hold.
    pub fn count_suit(&self, wanted: usize) -> usize {
        self.hand.iter().filter(|card| suit(**card) == wanted).count()
    }

    /// How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours,
    /// not played and not on the table. 0: nobody can beat it any more, if its suit is led.
    pub fn count_higher(&self, card: Card) -> usize {
        (card + 1..suit(card) * 13 + 13)
            .filter(|other| !matches!(self.place[*other], Place::Played | Place::Table))
            .filter(|other| self.owner[*other] != Some(self.me))
            .count()
    }

    /// Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours.
    pub fn is_seen(&self, card: Card) -> bool {
        self.place[card] != Place::Hidden
    }
}

/// What trick 1 ... 13 with these cards is worth: 1, or 3 for the first and the last, and 2 for each eight.
pub fn trick_points(number: usize, cards: &[Option<Card>]) -> u32 {
    let eights = cards.iter().flatten().filter(|card| face(**card) == 8).count();
    if number == 1 || number == 13 {
        3 + 2 * eights as u32
    } else {
        1 + 2 * eights as u32
    }
}

/// A random number 0 ... n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED holds a
/// number (to debug: the same number gives the same random numbers; it is not set in the contest).
pub fn random_int(n: usize) -> usize {
    // splitmix64 (public domain, by Sebastiano Vigna): small, fast and good enough for cards
    let mut state = RANDOM.load(Ordering::Relaxed);
    if state == 0 {
        let given = env::var("ACM98_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
        state = given.map_or_else(|| RandomState::new().build_hasher().finish(), |seed| seed.wrapping_add(1));
    }
    state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    RANDOM.store(state, Ordering::Relaxed);
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) % n as u64) as usize
}

/// Plays: call this once, in your main. It returns when the server has nothing more to say.
pub fn run<C: Contestant>(contestant: C) {
    let truth = new_game(NORTH, 0, [0; 4]);
    Library { contestant, truth, takes_ended: false, round_ended: true, used: [0.0; 6], words: vec![] }.run()
}

// ---------------------------------------------------------------------------------------------------------------------
// You need not read beyond this line.
// ---------------------------------------------------------------------------------------------------------------------

const SUIT_LETTERS: &str = "cdhs";
const FACE_LETTERS: &str = "23456789tjqka";
const PLAYER_LETTERS: &str = "nesw";

static RANDOM: AtomicU64 = AtomicU64::new(0);

extern "C" {
    fn clock() -> c_long; // of the C library that every Rust program is linked with
}

/// Milliseconds of processor time.
fn cpu_ms() -> f64 {
    let ticks = unsafe { clock() };
    ticks as f64 / if cfg!(windows) { 1.0 } else { 1000.0 }
}

fn new_trick(leader: Player, points: u32) -> Trick {
    Trick { leader, count: 0, card: [None; 4], winner: None, points }
}

fn new_game(me: Player, round: usize, total: [u32; 4]) -> Game {
    let dealer = (round + 3) % 4;
    Game {
        me,
        round,
        dealer,
        total,
        points: [0; 4],
        hand: vec![],
        pool: vec![],
        take: Default::default(),
        trick_number: 0,
        trick: new_trick(dealer, 1),
        past: vec![],
        place: [Place::Hidden; 52],
        owner: [None; 52],
        cards_left: [10; 4],
        is_out: [[false; 4]; 4],
    }
}

impl Game {
    /// Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing.
    fn tell_take(&mut self, player: Option<Player>, card: Option<Card>) {
        let (player, card) = match (player, card) {
            (Some(player), Some(card)) if self.pool.contains(&card) => (player, card),
            _ => return,
        };
        self.pool.retain(|other| *other != card);
        self.place[card] = Place::Held;
        self.owner[card] = Some(player);
        self.take[player].push(card);
        self.cards_left[player] += 1;
        if player == self.me {
            self.hand.push(card);
        }
    }

    /// Somebody played a card to the current trick. Hearing it twice changes nothing.
    fn tell_play(&mut self, player: Option<Player>, card: Option<Card>) {
        let (player, card) = match (player, card) {
            (Some(player), Some(card)) if self.trick.card[player].is_none() => (player, card),
            _ => return,
        };
        if self.trick.count == 0 {
            self.trick.leader = player;
        }
        if self.would_win(card) {
            self.trick.winner = Some(player);
        }
        self.trick.card[player] = Some(card);
        self.trick.count += 1;
        self.trick.points = trick_points(self.trick_number, &self.trick.card);
        let led = self.trick.card[self.trick.leader].map_or(suit(card), suit);
        if suit(card) != led {
            self.is_out[player][led] = true;
        }
        self.place[card] = Place::Table;
        self.owner[card] = Some(player);
        self.cards_left[player] = self.cards_left[player].saturating_sub(1);
        self.hand.retain(|held| *held != card);
    }

    fn finish_trick(&mut self) {
        let winner = match self.trick.winner {
            Some(winner) if (1..=13).contains(&self.trick_number) => winner,
            _ => return,
        };
        for card in self.trick.card.iter().flatten() {
            self.place[*card] = Place::Played;
        }
        self.points[winner] += self.trick.points;
        self.trick_number += 1;
        let next = new_trick(winner, trick_points(self.trick_number, &[]));
        self.past.push(std::mem::replace(&mut self.trick, next));
    }
}

/// What a pair of player and card does to the game.
type Tell = fn(&mut Game, Option<Player>, Option<Card>);

const FUNCTIONS: [&str; 6] = ["StartGame", "StartRound", "TakeCard", "EndTakes", "PlayCard", "EndRound"];

/// Reads the commands, one word at a time:
///
///     starthand WHO ten-cards twelve-cards             a round begins
///     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
///     aftertake (WHO CARD)x4                           what everybody took
///     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
///     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
///     endround              or   end A B C D           the round is over
///
/// Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is what counts; our own
/// answer changes nothing by itself.
///
/// None of your methods may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
/// answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
struct Library<C: Contestant> {
    contestant: C,
    truth: Game, // what the server told us
    takes_ended: bool,
    round_ended: bool,
    used: [f64; 6],     // milliseconds of processor time since our last answer
    words: Vec<String>, // of a line, the last one first
}

impl<C: Contestant> Library<C> {
    fn run(&mut self) {
        self.timed(0, |contestant, _| contestant.start_game());
        while let Some(word) = self.next_word() {
            match word.as_str() {
                "starthand" => self.on_starthand(),
                "take" => {
                    self.truth.dealer = self.read_others(Game::tell_take);
                    let card = self.timed(2, |contestant, game| contestant.take_card(game));
                    self.answer("take_card", card);
                }
                "aftertake" => {
                    self.truth.dealer = self.read_four(Game::tell_take);
                    if self.truth.pool.is_empty() {
                        self.end_takes_once();
                    }
                }
                "play" => {
                    self.end_takes_once(); // for a person who types and left out an aftertake
                    self.truth.trick.leader = self.read_others(Game::tell_play);
                    let card = self.timed(4, |contestant, game| contestant.play_card(game));
                    self.answer("play_card", card);
                }
                "result" | "resultoftrick" => {
                    self.read_four(Game::tell_play);
                    self.truth.finish_trick();
                }
                "endround" | "end" => self.on_endround(),
                _ => {}
            }
        }
    }

    fn timed<T>(&mut self, function: usize, call: impl FnOnce(&mut C, &Game) -> T) -> T {
        let started = cpu_ms();
        let result = call(&mut self.contestant, &self.truth);
        self.used[function] += cpu_ms() - started;
        result
    }

    fn answer(&mut self, name: &str, card: Card) {
        if !self.truth.is_legal(card) {
            let why = match name {
                "take_card" => "is not in the pool",
                _ if self.truth.hand.contains(&card) => "does not follow suit",
                _ => "is not in your hand",
            };
            eprintln!("acm98: {} returned {}, which {}", name, card_name(card), why);
        }
        let slow = (0..6).filter(|function| self.used[*function] >= 10.0);
        let report: String = slow.map(|it| format!(" {} {}", FUNCTIONS[it], self.used[it] as u64)).collect();
        self.used = [0.0; 6];
        let mut out = io::stdout().lock();
        let line = format!("{}{}{}\n", card_name(card), if report.is_empty() { "" } else { " cpu" }, report);
        // If the server has gone, the next word that is read ends the program.
        let _ = out.write_all(line.as_bytes()).and_then(|_| out.flush());
    }

    /// Words are separated by blanks and line ends. Lines may have any length.
    fn next_word(&mut self) -> Option<String> {
        while self.words.is_empty() {
            let mut line = Vec::new();
            if io::stdin().lock().read_until(b'\n', &mut line).ok()? == 0 {
                return None;
            }
            let text = String::from_utf8_lossy(&line);
            self.words = text.split_whitespace().rev().map(String::from).collect();
        }
        self.words.pop()
    }

    /// The next word of a command. The end of input ends the program.
    fn read_word(&mut self) -> String {
        self.next_word().unwrap_or_else(|| exit(0))
    }

    fn read_card(&mut self) -> Option<Card> {
        let word = self.read_word();
        let card = card_from_name(&word);
        if card.is_none() {
            eprintln!("acm98: \"{}\" is not a card", word);
        }
        card
    }

    fn read_player(&mut self) -> Option<Player> {
        let word = self.read_word();
        let player = PLAYER_LETTERS.find(&word).filter(|_| word.len() == 1);
        if player.is_none() {
            eprintln!("acm98: \"{}\" is not a player", word);
        }
        player
    }

    fn read_cards(&mut self, count: usize) -> Vec<Card> {
        (0..count).filter_map(|_| self.read_card()).collect()
    }

    /// The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our
    /// answer behind it: that is then a word too many.
    fn read_others(&mut self, tell: Tell) -> Player {
        let first = self.read_player();
        let mut player = first;
        while player.is_some() && player != Some(self.truth.me) {
            let card = self.read_card();
            tell(&mut self.truth, player, card);
            player = self.read_player();
        }
        first.unwrap_or(self.truth.me)
    }

    /// The four players and cards of a summary. Returns who was first.
    fn read_four(&mut self, tell: Tell) -> Player {
        let pairs: Vec<_> = (0..4).map(|_| (self.read_player(), self.read_card())).collect();
        for (player, card) in &pairs {
            tell(&mut self.truth, *player, *card);
        }
        pairs[0].0.unwrap_or(self.truth.dealer)
    }

    fn on_starthand(&mut self) {
        let me = self.read_player().unwrap_or_else(|| exit(1));
        self.truth = new_game(me, self.truth.round + 1, self.truth.total);
        self.truth.hand = self.read_cards(10);
        self.truth.pool = self.read_cards(12);
        for card in self.truth.hand.clone() {
            self.truth.place[card] = Place::Held;
            self.truth.owner[card] = Some(me);
        }
        for card in self.truth.pool.clone() {
            self.truth.place[card] = Place::Pool;
        }
        self.takes_ended = false;
        self.round_ended = false;
        self.timed(1, |contestant, game| contestant.start_round(game));
    }

    fn end_takes_once(&mut self) {
        if self.takes_ended {
            return;
        }
        self.takes_ended = true;
        self.truth.trick_number = 1;
        self.truth.trick = new_trick(self.truth.dealer, 3);
        self.timed(3, |contestant, game| contestant.end_takes(game));
    }

    fn on_endround(&mut self) {
        if self.round_ended {
            return;
        }
        self.round_ended = true;
        for player in 0..4 {
            self.truth.total[player] += self.truth.points[player];
        }
        self.timed(5, |contestant, game| contestant.end_round(game));
    }
}
