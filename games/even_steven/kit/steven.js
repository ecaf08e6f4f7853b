// steven.js - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
//
//     const steven = require("./steven.js");
//
//     steven.playGames((game) => game.hand[0]);
//
// playGames calls your function for every card that must be covered, and plays the card of game.hand that it returns. It
// ends your program when all games are over.
// All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
"use strict";

const readline = require("readline");

const VALUES = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const CARD = /^(10|[2-9JQKA])([cdhs])$/;

// A card. As text it is its name.
class Card {
  constructor(name) {
    const [, value, suit] = CARD.exec(name);
    this.name = name; // as the dealer writes it, such as "10c"
    this.value = VALUES.indexOf(value) + 2; // 2 ... 14: jack 11, queen 12, king 13, ace 14
    this.suit = suit; // "c", "d", "h", "s": it has no effect on anything
  }

  // Whether this card may lie on that dealt card.
  covers(dealt) {
    return this.value >= dealt.value;
  }

  toString() {
    return this.name;
  }
}

// What you know of the game in progress.
class Game {
  constructor() {
    this.number = 0; // of this game: 1, 2, 3, ...
    this.size = 0; // cards that you were dealt, and that you must cover
    this.hand = []; // the cards that you still hold, in the order of the deal
    this.open = null; // the card that you must cover now
    this.past = []; // all cards dealt so far, in order; the last is the open one
    this.played = []; // what you played on them
    this.won = 0; // games so far
    this.lost = 0;
  }
}

// Waits for cards that must be covered, and plays what chooseCard(game) returns.
function playGames(chooseCard) {
  const game = new Game();
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const words = line.split(/\s+/).filter((word) => word);
    if (words[0] === "YOU") {
      game.won += words[1] === "WIN" ? 1 : 0;
      game.lost += words[1] === "LOSE" ? 1 : 0;
    } else if (/^[0-9]+$/.test(words[0])) {
      deal(game, words);
    } else if (CARD.test(words[0])) {
      game.open = new Card(words[0]);
      game.past.push(game.open);
      play(game, chooseCard(game));
    }
  });
}

function deal(game, words) {
  game.number += 1;
  game.size = Number(words[0]);
  game.hand = words.slice(1).filter((name) => CARD.test(name)).map((name) => new Card(name));
  game.past = [];
  game.played = [];
}

function play(game, card) {
  const place = game.hand.findIndex((held) => card instanceof Card && held.name === card.name);
  if (place >= 0) {
    game.hand.splice(place, 1);
  } else if (card instanceof Card) {
    console.error(`steven: ${card} is not in your hand`);
  } else {
    console.error(`steven: ${JSON.stringify(card)}, of type ${typeof card}, is not a Card of your hand`);
  }
  game.played.push(card);
  process.stdout.write(`${card}\n`);
}

// Writes a line for debugging: the dealer prints it after a `*`. In the contest, where the program is started without an
// argument, nothing is written.
function debug(line) {
  if (process.argv.length > 2) process.stdout.write(`* ${line}\n`);
}

let seed = process.env.STEVEN_SEED ? Number(process.env.STEVEN_SEED) : Math.floor(Math.random() * 2 ** 32);

// Any of 0 ... n - 1. To repeat a run exactly, set the environment variable STEVEN_SEED to a number.
function randomInt(n) {
  // mulberry32 (public domain, by Tommy Ettinger): Math.random cannot be seeded
  seed = (seed + 0x6d2b79f5) | 0;
  let z = Math.imul(seed ^ (seed >>> 15), seed | 1);
  z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
  return Math.floor((((z ^ (z >>> 14)) >>> 0) / 2 ** 32) * n);
}

module.exports = { Card, Game, playGames, debug, randomInt };
