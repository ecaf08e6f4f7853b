fn main() {
    let hand = vec!["c2"];
    println!("{}", hnad[0]);
    drop(hand);
}
