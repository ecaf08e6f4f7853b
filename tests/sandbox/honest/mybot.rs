// What an honest bot uses of its library.
use std::cell::RefCell;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::rc::Rc;
use std::sync::{mpsc, Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Card(u8, char);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for line in io::stdin().lock().lines() {
        for word in line?.split_whitespace() {
            *counts.entry(word.to_string()).or_default() += 1;
        }
    }
    let seed = RandomState::new().build_hasher().finish() ^ SystemTime::now().elapsed().map_or(0, |it| it.as_nanos() as u64);
    let mut deck: Vec<Card> = (0..52u8).map(|i| Card((i as u64 ^ seed) as u8, 'd')).collect();
    deck.sort_by(|a, b| b.cmp(a));
    let heap: BinaryHeap<Card> = deck.iter().cloned().collect();
    let suits: BTreeMap<char, HashSet<u8>> = BTreeMap::from([('d', HashSet::from([1, 2]))]);
    let queue: VecDeque<u8> = VecDeque::from([1, 2, 3]);
    assert!(heap.len() == 52 && suits.len() == 1 && queue.len() == 3);
    let shared = Arc::new(Mutex::new(Vec::new()));
    let (sender, receiver) = mpsc::channel();
    sender.send(7)?;
    shared.lock().unwrap().push(receiver.recv()?);
    // One process is one thread here: it is told so, and goes on without.
    match thread::Builder::new().spawn(|| 1) {
        Ok(thread) => drop(thread.join()),
        Err(error) => eprintln!("no thread: {error}"),
    }
    let cell = Rc::new(RefCell::new(1));
    *cell.borrow_mut() += 1;
    assert!(!Path::new("weights.bin").exists() && env::args().count() == 1 && "x".parse::<i32>().is_err());
    thread::sleep(Duration::from_millis(1));
    assert!(start.elapsed() > Duration::ZERO && thread::available_parallelism().map_or(true, |it| it.get() > 0));
    let caught = std::panic::catch_unwind(|| panic!("on purpose"));
    assert!(caught.is_err());
    writeln!(io::stdout().lock(), "ok")?;
    io::stdout().flush()?;
    Ok(())
}
