// acm98.js - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
// puts its own copy beside your file.
//
// You write six functions (shell.js describes them):
//
//     startGame   startRound   takeCard   endTakes   playCard   endRound
//
// The last line of your file hands them to `run`, which reads what the server says, keeps GAME up to date, calls your
// functions and sends the cards they return.
//
// Two things to remember:
//
// - Print nothing to standard output: it belongs to the server. Debug with console.error(...); only your team can read that
//   afterwards. (console.log writes to standard output.)
// - GAME is for reading only. What you change in it is gone before your next function is called, and the server believes no
//   one.
"use strict";

// ---------------------------------------------------------------------------------------------------------------------
// Players, suits, faces, cards
// ---------------------------------------------------------------------------------------------------------------------

// Players sit clockwise in this order. The player after p is (p + 1) % 4.
const [NORTH, EAST, SOUTH, WEST] = [0, 1, 2, 3];

const [CLUBS, DIAMONDS, HEARTS, SPADES] = [0, 1, 2, 3];

// Faces are 2 ... 14. The cards between are simply 2 ... 10.
const [JACK, QUEEN, KING, ACE] = [11, 12, 13, 14];

// A card is a number 0 ... 51, so that it can be the index of an array: first the clubs from 2 to ace (0 ... 12), then the
// diamonds, the hearts and the spades. suit, face and makeCard take it apart and put it together.
const suit = (card) => Math.floor(card / 13); // CLUBS ... SPADES
const face = (card) => (card % 13) + 2; // 2 ... ACE
const makeCard = (suit, face) => suit * 13 + face - 2; // makeCard(HEARTS, 8) is the eight of hearts

const NAMES = [..."cdhs"].flatMap((suit) => [..."23456789tjqka"].map((face) => suit + face));
const PLAYER_NAMES = ["north", "east", "south", "west"];

// The name of a card as the server writes it, such as "dk".
const cardName = (card) => NAMES[card] || "??";

// The inverse: cardFromName("dk"). null if it is not a card.
function cardFromName(name) {
  const card = NAMES.indexOf(name);
  return card < 0 ? null : card;
}

const playerName = (player) => PLAYER_NAMES[player] || "nobody";

// ---------------------------------------------------------------------------------------------------------------------
// GAME
// ---------------------------------------------------------------------------------------------------------------------

// Where a card is, as far as you can know: GAME.where[card].
const HIDDEN = "hidden"; // dealt to one of the other players, you do not know to whom
const POOL = "pool"; // face up in the pool, may still be taken
const HELD = "held"; // in the hand of player GAME.owner[card]: yours, or taken from the pool where everybody saw it
const TABLE = "table"; // on the table, in the current trick
const PLAYED = "played"; // went with an earlier trick

// One trick, finished or not.
const newTrick = (leader, points) => ({
  leader, // who played the first card
  count: 0, // how many cards it has, 0 ... 4
  card: [null, null, null, null], // card[p]: what player p played, or null. The index is the player, not the order.
  winner: null, // who wins it as it stands (null while it is empty)
  points, // what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight
});

const newRound = (dealer) => ({
  dealer, // dealer of this round: takes first, and leads the first trick
  points: [0, 0, 0, 0], // points made in this round so far

  // Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
  hand: [],

  // The takes
  pool: [], // the cards left in the pool: during takeCard, those you may choose from
  take: [[], [], [], []], // take[p]: what player p took so far, in that order

  // The play
  trickNumber: 0, // number of the current trick 1 ... 13; 0 during the takes, 14 in endRound
  trick: newTrick(dealer, 1), // the current trick: in playCard the cards that were played before you
  past: [], // the finished tricks of this round

  // What you know of every card and every player: a card counter's table, kept for you
  where: Array(52).fill(HIDDEN), // HIDDEN, POOL, HELD, TABLE or PLAYED
  owner: Array(52).fill(null), // who holds, played or took that card; null for a card that is HIDDEN or in the POOL
  cardsLeft: [10, 10, 10, 10], // how many cards player p holds
  isOut: Array.from({ length: 4 }, () => Array(4).fill(false)), // isOut[p][suit]: p has none left, as it did not follow
});

// Everything you know.
const GAME = {
  me: null, // which player you are: NORTH ... WEST
  round: 0, // number of the round, from 1
  total: [0, 0, 0, 0], // points of all finished rounds. In endRound this round is already in it.
  ...newRound(NORTH),
};
let truth = copy(GAME); // what the server told us; GAME becomes a copy of it before each of your functions is called

// ---------------------------------------------------------------------------------------------------------------------
// Helper routines. None of them changes anything.
// ---------------------------------------------------------------------------------------------------------------------

// The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the pool.
const legalCards = () => choices(GAME);

// Whether you may play (during the takes: take) this card now.
const isLegal = (card) => choices(GAME).includes(card);

// Whether this card would be the winning one of the current trick if you played it now.
const wouldWin = (card) => beats(GAME.trick, card);

// How many cards of a suit you hold.
const countSuit = (wanted) => GAME.hand.filter((card) => suit(card) === wanted).length;

// How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours, not
// played and not on the table. 0: nobody can beat it any more, if its suit is led.
function countHigher(card) {
  let count = 0;
  for (let other = card + 1; suit(other) === suit(card); other++) {
    if (![PLAYED, TABLE].includes(GAME.where[other]) && GAME.owner[other] !== GAME.me) count++;
  }
  return count;
}

// Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours.
const isSeen = (card) => GAME.where[card] !== HIDDEN;

// What trick 1 ... 13 with these cards (null for an empty place) is worth: 1, or 3 for the first and the last, and 2 for
// each eight.
function trickPoints(number, cards) {
  const eights = cards.filter((card) => card !== null && face(card) === 8).length;
  return (number === 1 || number === 13 ? 3 : 1) + 2 * eights;
}

const nextPlayer = (player) => (player + 1) % 4;

let seed = process.env.ACM98_SEED ? Number(process.env.ACM98_SEED) : Math.floor(Math.random() * 2 ** 32);

// A random number 0 ... n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED holds a
// number (to debug: the same number gives the same random numbers; it is not set in the contest).
function randomInt(n) {
  // mulberry32 (public domain, by Tommy Ettinger): Math.random cannot be seeded
  seed = (seed + 0x6d2b79f5) | 0;
  let z = Math.imul(seed ^ (seed >>> 15), seed | 1);
  z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
  return Math.floor((((z ^ (z >>> 14)) >>> 0) / 2 ** 32) * n);
}

// Plays: call this once, as the last line of your file, with an object that holds your six functions.
function run(contestant) {
  const library = play(contestant);
  library.next();
  let rest = ""; // the beginning of a word
  process.stdin.setEncoding("latin1");
  process.stdin.on("data", (text) => {
    const words = (rest + text).split(/\s/);
    rest = words.pop();
    for (const word of words) if (word) library.next(word);
  });
  process.stdin.on("end", () => rest && library.next(rest));
}

module.exports = {
  NORTH, EAST, SOUTH, WEST, CLUBS, DIAMONDS, HEARTS, SPADES, JACK, QUEEN, KING, ACE, HIDDEN, POOL, HELD, TABLE, PLAYED,
  GAME, suit, face, makeCard, cardName, cardFromName, playerName, legalCards, isLegal, wouldWin, countSuit, countHigher,
  isSeen, trickPoints, nextPlayer, randomInt, run,
};

// ---------------------------------------------------------------------------------------------------------------------
// You need not read beyond this line.
// ---------------------------------------------------------------------------------------------------------------------

function copy(value) {
  if (Array.isArray(value)) return value.map(copy);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]));
}

function choices(game) {
  if (game.trickNumber === 0) return [...game.pool];
  if (game.trick.count === 0) return [...game.hand];
  const led = suit(game.trick.card[game.trick.leader]);
  const following = game.hand.filter((card) => suit(card) === led);
  return following.length ? following : [...game.hand];
}

function beats(trick, card) {
  if (trick.winner === null) return true;
  const best = trick.card[trick.winner];
  return suit(card) === suit(best) && card > best;
}

// Reads the commands, one word at a time: each `yield` waits for the next one.
//
//     starthand WHO ten-cards twelve-cards             a round begins
//     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
//     aftertake (WHO CARD)x4                           what everybody took
//     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
//     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
//     endround              or   end A B C D           the round is over
//
// Any other word is ignored, and so are superfluous cards and numbers. The end of input ends the program. What aftertake and
// result say is what counts; our own answer changes nothing by itself.
//
// None of your functions may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
// answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
function* play(contestant) {
  let takesEnded = false;
  let roundEnded = true;
  let used = new Map(); // microseconds of processor time since our last answer, by the function's name of 1998

  function call(name) {
    Object.assign(GAME, copy(truth));
    const started = process.cpuUsage();
    const result = contestant[name]();
    const { user, system } = process.cpuUsage(started);
    used.set(name, (used.get(name) || 0) + user + system);
    return result;
  }

  function answer(name, card) {
    const legal = choices(truth).includes(card);
    if (!NAMES[card]) {
      console.error(`acm98: ${name} returned ${JSON.stringify(card)}, of type ${typeof card}: a card is a number, 0 ... 51`);
    } else if (!legal) {
      const why = truth.hand.includes(card) ? "does not follow suit" : "is not in your hand";
      console.error(`acm98: ${name} returned ${cardName(card)}, which ${name === "takeCard" ? "is not in the pool" : why}`);
    }
    const report = ["startGame", "startRound", "takeCard", "endTakes", "playCard", "endRound"]
      .filter((each) => used.get(each) >= 10000)
      .map((each) => ` ${each[0].toUpperCase()}${each.slice(1)} ${Math.floor(used.get(each) / 1000)}`);
    used = new Map();
    process.stdout.write(`${cardName(card)}${report.length ? " cpu" : ""}${report.join("")}\n`);
  }

  function* readCard() {
    const word = yield;
    const card = cardFromName(word);
    if (card === null) console.error(`acm98: "${word}" is not a card`);
    return card;
  }

  function* readPlayer() {
    const word = yield;
    const player = "nesw".indexOf(word);
    if (player >= 0 && word.length === 1) return player;
    console.error(`acm98: "${word}" is not a player`);
    return null;
  }

  // The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our
  // answer behind it: that is then a word too many.
  function* readOthers(tell) {
    let player = yield* readPlayer();
    const first = player;
    while (player !== truth.me && player !== null) {
      tell(player, yield* readCard());
      player = yield* readPlayer();
    }
    return first === null ? truth.me : first;
  }

  // The four players and cards of a summary. Returns who was first.
  function* readFour(tell) {
    const pairs = [];
    while (pairs.length < 4) pairs.push([yield* readPlayer(), yield* readCard()]);
    for (const [player, card] of pairs) tell(player, card);
    return pairs[0][0];
  }

  function* readCards(count) {
    const cards = [];
    while (count-- > 0) cards.push(yield* readCard());
    return cards.filter((card) => card !== null);
  }

  function endTakesOnce() {
    if (takesEnded) return;
    takesEnded = true;
    truth.trickNumber = 1;
    truth.trick = newTrick(truth.dealer, 3);
    call("endTakes");
  }

  const commands = {
    *starthand() {
      const { round, total } = truth;
      truth = { me: yield* readPlayer(), round: round + 1, total, ...newRound(round % 4) };
      truth.hand = yield* readCards(10);
      truth.pool = yield* readCards(12);
      for (const card of truth.hand) [truth.where[card], truth.owner[card]] = [HELD, truth.me];
      for (const card of truth.pool) truth.where[card] = POOL;
      takesEnded = roundEnded = false;
      call("startRound");
    },
    *take() {
      truth.dealer = yield* readOthers(tellTake);
      answer("takeCard", call("takeCard"));
    },
    *aftertake() {
      truth.dealer = yield* readFour(tellTake);
      if (!truth.pool.length) endTakesOnce();
    },
    *play() {
      endTakesOnce(); // for a person who types and left out an aftertake
      truth.trick.leader = yield* readOthers(tellPlay);
      answer("playCard", call("playCard"));
    },
    *result() {
      yield* readFour(tellPlay);
      finishTrick();
    },
    *endround() {
      if (roundEnded) return;
      roundEnded = true;
      truth.total = truth.total.map((total, player) => total + truth.points[player]);
      call("endRound");
    },
  };
  commands.resultoftrick = commands.result;
  commands.end = commands.endround;

  call("startGame");
  while (true) {
    const word = yield;
    if (Object.hasOwnProperty.call(commands, word)) yield* commands[word]();
  }
}

// Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing.
function tellTake(player, card) {
  const place = truth.pool.indexOf(card);
  if (player === null || place < 0) return;
  truth.pool.splice(place, 1);
  truth.where[card] = HELD;
  truth.owner[card] = player;
  truth.take[player].push(card);
  truth.cardsLeft[player]++;
  if (player === truth.me) truth.hand.push(card);
}

// Somebody played a card to the current trick. Hearing it twice changes nothing.
function tellPlay(player, card) {
  const trick = truth.trick;
  if (player === null || card === null || trick.card[player] !== null) return;
  if (trick.count === 0) trick.leader = player;
  if (beats(trick, card)) trick.winner = player;
  trick.card[player] = card;
  trick.count++;
  if (face(card) === 8) trick.points += 2;
  const led = suit(trick.card[trick.leader]);
  if (suit(card) !== led) truth.isOut[player][led] = true;
  truth.where[card] = TABLE;
  truth.owner[card] = player;
  truth.cardsLeft[player]--;
  truth.hand = truth.hand.filter((held) => held !== card);
}

function finishTrick() {
  const trick = truth.trick;
  if (trick.winner === null || truth.trickNumber < 1 || truth.trickNumber > 13) return;
  for (const card of trick.card) if (card !== null) truth.where[card] = PLAYED;
  truth.points[trick.winner] += trick.points;
  truth.past.push(trick);
  truth.trickNumber++;
  truth.trick = newTrick(trick.winner, trickPoints(truth.trickNumber, []));
}
