// Makes the system calls that it is told on standard input.
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

extern "C" {
    fn syscall(number: i64, ...) -> i64;
    fn __errno_location() -> *mut i32;
}

fn number(word: &str) -> i64 {
    word.parse().unwrap_or(0)
}

fn value(word: &str, start: i64, results: &[i64]) -> i64 {
    match word.as_bytes()[0] {
        b'm' => start + number(&word[1..]),
        b'r' => {
            let mut parts = word[1..].splitn(2, '+');
            let result = results[number(parts.next().unwrap()) as usize];
            if result < 0 { result } else { result + number(parts.next().unwrap_or("0")) }
        }
        _ => number(word),
    }
}

fn say(text: String) {
    let mut output = io::stdout();
    writeln!(output, "{}", text).unwrap();
    output.flush().unwrap();
}

fn main() {
    let mut memory = vec![0u8; 1 << 16];
    let start = memory.as_mut_ptr() as i64;
    let (mut results, mut times) = (vec![0i64], 1);
    let stdin = io::stdin();
    let mut lines = stdin.lock().lines();
    while let Some(Ok(line)) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied().unwrap_or("e") {
            "e" => break,
            "w" => {
                let at = number(words[1]) as usize;
                for (index, pair) in words[2].as_bytes().chunks(2).enumerate() {
                    memory[at + index] = u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
                }
            }
            op @ "p" | op @ "q" => {
                let at = number(words[1]) as usize;
                let it = number(words[2]);
                let wanted = if op == "p" { start + it } else { results[it as usize] };
                memory[at..at + 8].copy_from_slice(&wanted.to_le_bytes());
            }
            "n" => times = number(words[1]),
            "c" => {
                let mut a = [0i64; 7];
                for (index, word) in words[1..].iter().enumerate() {
                    a[index] = value(word, start, &results);
                }
                let mut result = 0;
                for _ in 0..times {
                    result = unsafe { syscall(a[0], a[1], a[2], a[3], a[4], a[5], a[6]) };
                }
                if result == -1 {
                    result = -i64::from(unsafe { *__errno_location() });
                }
                times = 1;
                results.push(result);
                say(format!("c {} {}", results.len() - 1, result));
            }
            "i" => say("u no machine code".to_string()),
            "d" => {
                let (at, size) = (number(words[1]) as usize, number(words[2]) as usize);
                say(format!("d {}", memory[at..at + size].iter().map(|it| format!("{:02x}", it)).collect::<String>()));
            }
            "b" => {
                let until = Instant::now() + Duration::from_millis(number(words[1]) as u64);
                while Instant::now() < until {}
            }
            "h" => {
                say("held".to_string());
                lines.next();
            }
            _ => {}
        }
    }
    say("end".to_string());
}
