// intensity_kit.js - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
// puts its own copy beside your file.
//
// You write four functions (shell.js describes them):
//
//     playerName   chooseDiscards   chooseCard   runUnitTests
//
// The last line of your file hands them to `run`, which reads the question, calls the one that is wanted, and prints what it
// returns. Your program is started again for every question: nothing is left of the question before.
//
// Print nothing to standard output: it belongs to the answer. Debug with console.error; only your team can read that
// afterwards.
"use strict";

const BUFFALO = 47; // cards are numbers, 10 ... 49

const isCalf = (card) => card >= 30 && card <= 39;

// What a card costs the player who wins its round.
const penalty = (card) => (card === BUFFALO ? 7 : isCalf(card) ? 1 : 0);

const suit = (card) => Math.floor(card / 10);

// Who wins a round of { position, card }, given in the order of play.
function winner(round) {
  const better = (best, play) => (suit(play.card) === suit(best.card) && play.card > best.card ? play : best);
  return round.reduce(better).position;
}

const inTurn = (first, cards) => cards.map((card, turn) => ({ position: (first + turn) % 4, card }));

// Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order.
class Question {
  constructor(position, hand, table = [], played = [], discarded = [], received = []) {
    this.position = position; // your place at the table, 0 ... 3
    this.hand = hand;
    this.table = table; // the cards of this round so far; empty: you lead
    this.played = played; // the cards of all rounds before
    this.discarded = discarded; // what you gave to the player on your left, (position + 1) % 4
    this.received = received; // what you got from the player on your right
  }

  // Whether a calf was played in an earlier round, so that calves may be led.
  calfPlayed() {
    return this.played.some(isCalf);
  }

  // The cards that you may play, in increasing order.
  legal() {
    const leads = this.table.length === 0;
    const calves = this.calfPlayed();
    const allowed = (card) => (leads ? calves || !isCalf(card) : suit(card) === suit(this.table[0]));
    const found = this.hand.filter(allowed);
    return found.length ? found : this.hand;
  }

  // The rounds before this one, each a list of { position, card } in the order of play.
  rounds() {
    const found = [];
    let leader = 0;
    for (let start = 0; start < this.played.length; start += 4) {
      found.push(inTurn(leader, this.played.slice(start, start + 4)));
      leader = winner(found[found.length - 1]);
    }
    return found;
  }

  // The cards of this round so far, as { position, card }.
  onTheTable() {
    return inTurn(this.position + 4 - this.table.length, this.table);
  }
}

// Any of 0 ... n - 1: different in every run, unless the environment variable INTENSITY_SEED holds a number.
function randomInt(n) {
  return Math.floor(random() * n);
}

const random = process.env.INTENSITY_SEED ? seeded(Number(process.env.INTENSITY_SEED)) : Math.random;

// JavaScript's own random numbers cannot be repeated: this is mulberry32 (public domain, by Tommy Ettinger).
function seeded(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Answer the question on standard input.
function run(player) {
  const numbers = require("fs").readFileSync(0, "latin1").split(/\s+/).filter(Boolean).map(Number);
  const [what] = numbers.splice(0, 1);
  if (what === 0) {
    console.log(player.playerName());
  } else if (what === 1) {
    console.log(player.chooseDiscards(numbers).join(" "));
  } else if (what === 2) {
    const [held, lying, position] = numbers.splice(0, 3);
    const groups = [held, lying, 4 * (10 - held), 3, 3].map((size) => numbers.splice(0, size));
    console.log(player.chooseCard(new Question(position, ...groups)));
  } else {
    player.runUnitTests();
  }
}

module.exports = { BUFFALO, isCalf, penalty, winner, Question, randomInt, run };
