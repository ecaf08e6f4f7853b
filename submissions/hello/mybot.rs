use std::io::{self, BufRead, Write};

fn main() {
    let (mut hand, mut pool): (Vec<String>, Vec<String>) = (vec![], vec![]);
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        match words[0].as_str() {
            "starthand" => {
                hand = words[2..12].to_vec();
                pool = words[12..].to_vec();
            }
            "take" => {
                pool.retain(|card| !words.contains(card));
                println!("{}", pool[0]);
                hand.push(pool.remove(0));
            }
            "aftertake" => pool.retain(|card| !words.contains(card)),
            "play" => {
                let suited = hand.iter().position(|card| words.len() > 2 && card[..1] == words[2][..1]);
                println!("{}", hand.remove(suited.unwrap_or(0)));
            }
            "result" | "endround" => {}
            _ => println!("got {}", line),
        }
        io::stdout().flush().unwrap();
    }
}
