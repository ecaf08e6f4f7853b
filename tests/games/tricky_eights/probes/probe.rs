//! probe.rs - plays the commented game of 1998 as south did, and prints the game and the helpers' results.

mod acm98;

use acm98::*;

struct Probe {
    takes: Vec<&'static str>,
    plays: Vec<&'static str>,
}

extern "C" {
    fn clock() -> std::os::raw::c_long;
}

fn burn() {
    let ending = unsafe { clock() } + 50_000;
    while std::env::var("BURN").is_ok() && unsafe { clock() } < ending {}
}

fn name(player: Player) -> &'static str {
    player_name(Some(player))
}

impl Contestant for Probe {
    fn start_game(&mut self) {
        eprintln!("game 0");
    }

    fn start_round(&mut self, game: &Game) {
        burn();
        eprint!("round {} dealer {} me {} ", game.round, name(game.dealer), name(game.me));
        eprintln!("hand {} pool {} clubs {}", game.hand.len(), game.pool.len(), game.count_suit(CLUBS));
    }

    fn take_card(&mut self, _game: &Game) -> Card {
        card_from_name(self.takes.remove(0)).unwrap()
    }

    fn end_takes(&mut self, game: &Game) {
        let hk = make_card(HEARTS, KING);
        eprint!("takes over hand {} east {} ", game.hand.len(), card_name(game.take[EAST][0]));
        eprintln!("where {} owner {}", game.place[hk] as usize, player_name(game.owner[hk]));
    }

    fn play_card(&mut self, game: &Game) -> Card {
        burn();
        let card = card_from_name(self.plays.remove(0)).unwrap();
        let (number, trick, legal) = (game.trick_number, &game.trick, game.legal_cards().len());
        eprint!("trick {} leader {} lie {} worth {} ", number, name(trick.leader), trick.count, trick.points);
        eprint!("legal {} {} ok {} ", legal, card_name(card), u8::from(game.is_legal(card)));
        eprintln!("wins {} higher {}", u8::from(game.would_win(card)), game.count_higher(card));
        card
    }

    fn end_round(&mut self, game: &Game) {
        let [a, b, c, d] = game.points;
        let [e, f, g, h] = game.total;
        eprintln!("end {} {} {} {} total {} {} {} {}", a, b, c, d, e, f, g, h);
        let out: String = game.is_out[SOUTH].iter().map(|out| if *out { '1' } else { '0' }).collect();
        let (last, seen) = (&game.past[12], u8::from(game.is_seen(card_from_name("d2").unwrap())));
        eprint!("past {} {} out {} ", player_name(last.winner), last.points, out);
        eprint!("left {} seen {} next {} ", game.cards_left[WEST], seen, name(next_player(WEST)));
        eprintln!("worth {}", trick_points(13, &game.past[4].card));
    }
}

fn main() {
    let takes = "h5 ck ha".split(' ').collect();
    let plays = "dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha".split(' ').collect();
    run(Probe { takes, plays });
}
