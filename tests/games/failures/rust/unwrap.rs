fn main() {
    let number: i32 = "ten".parse().unwrap();
    println!("{}", number);
}
