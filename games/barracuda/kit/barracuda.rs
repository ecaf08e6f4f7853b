//! A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
//!
//!     rustc -O random.rs && ./random HOST PORT [TOKEN]
//!
//! Your own file implements `Player` and calls `run`; random.rs shows how.
#![allow(dead_code)]

use std::collections::HashMap;
use std::env;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::process::exit;
use std::str::Chars;
use std::thread::sleep;
use std::time::Duration;

/// Time between two attempts to connect. The server refuses earlier attempts.
const WAIT: Duration = Duration::from_secs(5);

/// The game as you may see it.
#[derive(Clone, Debug)]
pub struct State {
    pub hand: Vec<i32>,      // your cards, 1 ... 13, from high to low
    pub card: Option<i32>,   // the card on the table
    pub hand_id: i32,        // 1 for the first hand of a game
    pub game_id: i32,        // unique to this game
    pub your_tricks: i32,    // taken in this hand
    pub their_tricks: i32,   //
    pub can_challenge: bool, // whether you may offer a challenge now
    pub in_challenge: bool,  // whether one was accepted: this hand decides the game
    pub total_tricks: i32,   // played in this hand, ties included
    pub your_points: i32,    // in this game; ten win it
    pub their_points: i32,   //
    pub opponent_id: i32,    // the number of the other team
    pub player_number: i32,  // 0 if you led the game, else 1
    pub remaining: f64,      // seconds left on your clock for this whole game
}

/// What you do when it is your turn to play a card.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    Card(i32), // of the hand
    Challenge, // where `can_challenge` holds
}

/// What you do about a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Accept,
    Reject,
}

/// The result of a move.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub kind: String,        // "trick_won", "trick_tied", "hand_done", "game_won", "accepted" or "error"
    pub by: Option<i32>,     // a player number
    pub card: Option<i32>,   // of "trick_won": the last card played
    pub reason: String,      // of "error"
    pub me: i32,             // your own player number
}

/// What you write.
pub trait Player {
    fn choose_card(&mut self, state: &State) -> Choice;
    fn answer_challenge(&mut self, state: &State) -> Answer;
    fn hear_result(&mut self, _outcome: &Outcome) {}
}

/// Play until the server refuses us.
pub fn run(mut player: impl Player) -> ! {
    let words: Vec<String> = env::args().collect();
    if words.len() < 3 {
        eprintln!("usage: {} HOST PORT [TOKEN]", words[0]);
        exit(1);
    }
    loop {
        let trouble = talk(&words, &mut player).unwrap_err();
        sleep(WAIT); // at home, the end of a match ends us here
        eprintln!("no connection: {trouble}; trying again");
    }
}

fn talk(words: &[String], player: &mut impl Player) -> io::Result<()> {
    let mut server = TcpStream::connect(format!("{}:{}", words[1], words[2]))?;
    server.set_nodelay(true)?;
    if let Some(token) = words.get(3) {
        send(&mut server, &format!(r#"{{"type":"login","token":"{token}"}}"#))?;
    }
    loop {
        let message = receive(&mut server)?;
        match message.text("type") {
            "request" => {
                let (number, response) = (message.whole("request_id"), respond(&message, player));
                let body = format!(r#"{{"type":"move","request_id":{number},"response":{{"type":{response}}}}}"#);
                send(&mut server, &body)?;
            }
            "result" => player.hear_result(&outcome(message.get("result"), message.whole("your_player_num"))),
            "greetings_program" => eprintln!("connected, we are team {}", message.whole("team_id")),
            "error" => {
                let (why, host) = (message.text("message"), message.text("seen_host"));
                eprintln!("the server refuses us: {why} (it sees us at {host})");
                exit(1);
            }
            _ => {} // unknown to us
        }
    }
}

fn respond(message: &Json, player: &mut impl Player) -> String {
    let state = state(message.get("state"), message.get("remaining").number());
    if message.text("request") == "challenge_offered" {
        return match player.answer_challenge(&state) {
            Answer::Accept => r#""accept_challenge""#.into(),
            Answer::Reject => r#""reject_challenge""#.into(),
        };
    }
    match player.choose_card(&state) {
        Choice::Card(card) => format!(r#""play_card","card":{card}"#),
        Choice::Challenge => r#""offer_challenge""#.into(),
    }
}

fn state(from: &Json, remaining: f64) -> State {
    State {
        hand: from.get("hand").items().iter().map(|card| card.number() as i32).collect(),
        card: from.maybe("card"),
        hand_id: from.whole("hand_id"),
        game_id: from.whole("game_id"),
        your_tricks: from.whole("your_tricks"),
        their_tricks: from.whole("their_tricks"),
        can_challenge: from.get("can_challenge").is_true(),
        in_challenge: from.get("in_challenge").is_true(),
        total_tricks: from.whole("total_tricks"),
        your_points: from.whole("your_points"),
        their_points: from.whole("their_points"),
        opponent_id: from.whole("opponent_id"),
        player_number: from.whole("player_number"),
        remaining,
    }
}

fn outcome(from: &Json, me: i32) -> Outcome {
    let (kind, reason) = (from.text("type").into(), from.text("reason").into());
    Outcome { kind, by: from.maybe("by"), card: from.maybe("card"), reason, me }
}

fn send(server: &mut TcpStream, body: &str) -> io::Result<()> {
    let mut data = (body.len() as u32).to_be_bytes().to_vec();
    data.extend_from_slice(body.as_bytes());
    server.write_all(&data) // in one piece
}

fn receive(server: &mut TcpStream) -> io::Result<Json> {
    let mut header = [0; 4];
    server.read_exact(&mut header)?;
    let mut body = vec![0; u32::from_be_bytes(header) as usize];
    server.read_exact(&mut body)?;
    let text = String::from_utf8(body).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    Ok(Json::read(&mut text.chars()).0)
}

/// A JSON value. What is missing is `Null`.
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(HashMap<String, Json>),
}

impl Json {
    fn get(&self, key: &str) -> &Json {
        match self {
            Json::Object(members) => members.get(key).unwrap_or(&Json::Null),
            _ => &Json::Null,
        }
    }

    fn maybe(&self, key: &str) -> Option<i32> {
        match self.get(key) {
            Json::Number(number) => Some(*number as i32),
            _ => None,
        }
    }

    fn whole(&self, key: &str) -> i32 {
        self.maybe(key).unwrap_or(0)
    }

    fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Json::Text(text) => text,
            _ => "",
        }
    }

    fn number(&self) -> f64 {
        match self {
            Json::Number(number) => *number,
            _ => 0.0,
        }
    }

    fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    fn is_true(&self) -> bool {
        matches!(self, Json::Bool(true))
    }

    /// The value that comes next, and the character that ends it if that is a comma or a bracket.
    fn read(text: &mut Chars) -> (Json, char) {
        match next(text) {
            '{' => {
                let mut members = HashMap::new();
                let mut sign = next(text);
                while sign != '}' {
                    let key = quoted(text);
                    next(text); // the colon
                    let (value, end) = Json::read(text);
                    members.insert(key, value);
                    sign = if end == ',' { next(text) } else { end };
                }
                (Json::Object(members), next(text))
            }
            '[' => {
                let mut items = Vec::new();
                let mut rest = text.clone();
                if next(&mut rest) == ']' {
                    *text = rest;
                    return (Json::List(items), next(text));
                }
                loop {
                    let (value, end) = Json::read(text);
                    items.push(value);
                    if end != ',' {
                        return (Json::List(items), next(text));
                    }
                }
            }
            '"' => (Json::Text(quoted(text)), next(text)),
            first => {
                let mut word = String::from(first);
                let mut end = text.next().unwrap_or('\0');
                while end.is_alphanumeric() || "+-.".contains(end) {
                    word.push(end);
                    end = text.next().unwrap_or('\0');
                }
                let end = if end.is_whitespace() { next(text) } else { end };
                let value = match word.as_str() {
                    "null" => Json::Null,
                    "true" | "false" => Json::Bool(word == "true"),
                    _ => Json::Number(word.parse().unwrap_or(0.0)),
                };
                (value, end)
            }
        }
    }
}

/// The next character that is not a space; NUL at the end.
fn next(text: &mut Chars) -> char {
    text.find(|sign| !sign.is_whitespace()).unwrap_or('\0')
}

/// The rest of a string, after its first quotation mark.
fn quoted(text: &mut Chars) -> String {
    let mut found = String::new();
    while let Some(sign) = text.next() {
        match sign {
            '"' => break,
            '\\' => found.push(match text.next() {
                Some('u') => {
                    let code: String = text.take(4).collect();
                    u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).unwrap_or('?')
                }
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                other => other.unwrap_or('\\'),
            }),
            _ => found.push(sign),
        }
    }
    found
}
