// random.js - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
// make it a little better, again and again.
"use strict";

const { GAME, legalCards, randomInt, run } = require("./acm98.js");

function startGame() {}

function startRound() {}

function takeCard() {
  return GAME.pool[randomInt(GAME.pool.length)];
}

function endTakes() {}

function playCard() {
  const legal = legalCards();
  return legal[randomInt(legal.length)];
}

function endRound() {}

// Do not change this.
run({ startGame, startRound, takeCard, endTakes, playCard, endRound });
