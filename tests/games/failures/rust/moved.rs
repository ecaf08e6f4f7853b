fn play(hand: Vec<u8>) -> u8 {
    hand[0]
}

fn main() {
    let hand = vec![1, 2];
    play(hand);
    println!("{}", hand.len());
}
