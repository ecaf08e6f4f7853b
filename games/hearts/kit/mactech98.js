// mactech98.js - talks to the referee of Hearts, so you do not have to. Do not change it: the contest runs your player with its
// own copy.
//
// You write the six routines of the Programmer's Challenge of 1998 (shell.js describes them):
//
//     initTournament   initGame   selectPass   playTrick   trickResults   handResults
//
// The last line of your file hands them to `run`. Arrays of four are indexed by seat. A hand is an array of 13 cards; where a card
// was played there is NO_CARD. Arrays are yours to change.
//
// Print nothing to standard output: it belongs to the referee. Debug with console.error; only your team can read that
// afterwards. Each millisecond of processor time that your routines use costs a point. So does what the engine needs to compile
// and tidy up for them in threads of its own.
"use strict";

const fs = require("fs");

const [NO_SUIT, SPADE, HEART, DIAMOND, CLUB] = [0, 1, 2, 3, 4];
const [NO_SPOT, JACK, QUEEN, KING, ACE] = [0, 10, 11, 12, 13]; // spots are 1 (the two) ... 13 (the ace), as in 1998
const [PASS_LEFT, PASS_RIGHT, PASS_ACROSS, NO_PASS] = [0, 1, 2, 3];

const FACES = "2 3 4 5 6 7 8 9 10 J Q K A".split(" ");

// A card has a suit and a spot. There is one object for each card, so that === compares cards.
class Card {
  constructor(suit, spot) {
    this.suit = suit;
    this.spot = spot;
    Object.freeze(this);
  }

  toString() {
    return this === NO_CARD ? "--" : FACES[this.spot - 1] + " SHDC"[this.suit];
  }
}

const NO_CARD = new Card(NO_SUIT, NO_SPOT);
const CARDS = {};
for (const suit of [SPADE, HEART, DIAMOND, CLUB]) {
  for (let spot = 1; spot <= ACE; spot++) {
    const card = new Card(suit, spot);
    CARDS[card.toString()] = card;
  }
}
const TWO_OF_CLUBS = CARDS["2C"];
const QUEEN_OF_SPADES = CARDS.QS;

// Whether a card costs points: a heart, or the queen of spades.
const isPoint = (card) => card.suit === HEART || card === QUEEN_OF_SPADES;

// The indices of the cards that may be played now. led: the card that was led, NO_CARD when you lead; pointsPlayed: whether a
// point card was played on an earlier trick of this hand.
function legalIndices(hand, trickNumber, led, pointsPlayed) {
  const held = [...hand.keys()].filter((index) => hand[index] !== NO_CARD);
  let wanted = [];
  if (led !== NO_CARD) {
    wanted = held.filter((index) => hand[index].suit === led.suit);
  } else if (trickNumber === 0) {
    wanted = held.filter((index) => hand[index] === TWO_OF_CLUBS);
  } else if (!pointsPlayed && !held.every((index) => isPoint(hand[index]))) {
    wanted = held.filter((index) => hand[index].suit !== HEART);
  }
  return wanted.length ? wanted : held;
}

// Any of 0 ... n - 1: different in every run, unless the environment variable MACTECH98_SEED holds a number.
function randomInt(n) {
  return Math.floor(random() * n);
}

const random = process.env.MACTECH98_SEED ? seeded(Number(process.env.MACTECH98_SEED)) : Math.random;

// JavaScript's own random numbers cannot be repeated: this is mulberry32 (public domain, by Tommy Ettinger).
function seeded(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Harness {
  constructor(player) {
    this.player = player;
    this.dealt = [];
    this.hand = [];
    this.direction = NO_PASS;
    this.seat = 0;
    this.used = 0; // microseconds of your routines since our last answer
  }

  call(routine, ...values) {
    const started = process.cpuUsage();
    try {
      return this.player[routine](...values);
    } finally {
      const { user, system } = process.cpuUsage(started);
      this.used += user + system;
    }
  }

  answer(text) {
    const line = `${text} cpu ${1000 * this.used}\n`;
    this.used = 0;
    fs.writeSync(1, line);
  }

  hear([kind, ...words]) {
    const numbers = words.map(Number);
    switch (kind) {
      case "hello":
        return this.answer("ready");
      case "tournament":
        return this.call("initTournament", ...numbers);
      case "game":
        this.seat = numbers[4];
        return this.call("initGame", numbers.slice(0, 4), this.seat);
      case "hand":
        return this.deal(words);
      case "pass":
        return this.answer(this.call("selectPass", [...this.dealt], this.direction).join(" "));
      case "received":
        for (const place of [0, 2, 4]) this.hand[numbers[place]] = CARDS[words[place + 1]];
        return undefined;
      case "play":
        return this.play(numbers[0], numbers[1], words.slice(2));
      case "trick":
        return this.trick(words.slice(0, 4).map((word) => CARDS[word]), numbers[4]);
      case "score":
        return this.call("handResults", numbers.slice(0, 4), numbers.slice(4));
      case "end":
        return this.answer("done");
      default:
        return undefined;
    }
  }

  deal([direction, ...words]) {
    this.direction = ["left", "right", "across", "none"].indexOf(direction);
    this.dealt = words.map((word) => CARDS[word]);
    this.hand = [...this.dealt];
    if (this.direction === NO_PASS) this.call("selectPass", [...this.dealt], NO_PASS);
  }

  play(number, leader, words) {
    const played = [NO_CARD, NO_CARD, NO_CARD, NO_CARD];
    words.forEach((word, turn) => {
      played[(leader + turn) % 4] = CARDS[word];
    });
    this.answer(this.call("playTrick", number, leader, [...this.hand], played));
  }

  trick(cards, winner) {
    this.hand = this.hand.map((card) => (card === cards[this.seat] ? NO_CARD : card));
    this.call("trickResults", cards, winner);
  }
}

// Play until there is nothing more to read.
function run(player) {
  const harness = new Harness(player);
  let unread = "";
  process.stdin.setEncoding("latin1");
  process.stdin.on("data", (data) => {
    const lines = (unread + data).split("\n");
    unread = lines.pop();
    for (const line of lines) harness.hear(line.trim().split(/\s+/));
  });
}

module.exports = {
  ...{ NO_SUIT, SPADE, HEART, DIAMOND, CLUB, NO_SPOT, JACK, QUEEN, KING, ACE },
  ...{ PASS_LEFT, PASS_RIGHT, PASS_ACROSS, NO_PASS, NO_CARD, TWO_OF_CLUBS, QUEEN_OF_SPADES },
  ...{ CARDS, isPoint, legalIndices, randomInt, run },
};
