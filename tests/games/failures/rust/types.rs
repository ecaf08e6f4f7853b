fn main() {
    let count: u32 = "three";
    println!("{}", count);
}
