use std::env;

fn main() {
    let hand: Option<u8> = env::args().nth(7).map(|_| 1);
    println!("{}", hand.expect("a card that can be played"));
}
