// Works hard: much input, garbage, errors, the time, much output.
use std::io::{self, Read, Write};
use std::time::SystemTime;

fn main() {
    let (mut piece, mut size) = (vec![0u8; 65536], 0);
    loop {
        match io::stdin().read(&mut piece) {
            Ok(0) | Err(_) => break,
            Ok(n) => size += n,
        }
    }
    let mut failed = 0;
    for i in 0..20000usize {
        let garbage: Vec<String> = (0..10).map(|n| n.to_string().repeat(20)).collect();
        if garbage[i % 10].parse::<i8>().is_err() {
            failed += 1;
        }
    }
    let caught = std::panic::catch_unwind(|| { let empty: Vec<i32> = vec![]; empty[size_of_nothing()] }).is_err();
    eprintln!("{:?}", SystemTime::now());
    let mut output = io::BufWriter::new(io::stdout());
    for i in 0..3000 {
        writeln!(output, "{:063}", i).unwrap();
    }
    writeln!(output, "ok {}", size).unwrap();
    output.flush().unwrap();
    assert!(failed > 0 && caught);
}

fn size_of_nothing() -> usize {
    std::env::args().count()
}
