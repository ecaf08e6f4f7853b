fn lowest(hand: &[u8]) -> u8 {
    hand[0]
}

fn main() {
    println!("{}", lowest(&[]));
}
