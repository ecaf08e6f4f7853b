// random.js - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
// make it a little better, again and again.
"use strict";

const kit = require("./intensity_kit.js");

function playerName() {
  return "Random in JavaScript";
}

function chooseDiscards(hand) {
  return [1, 2, 3].map(() => hand.splice(kit.randomInt(hand.length), 1)[0]);
}

function chooseCard(question) {
  const legal = question.legal();
  return legal[kit.randomInt(legal.length)];
}

function runUnitTests() {
  console.log("no tests");
}

// Do not change this.
kit.run({ playerName, chooseDiscards, chooseCard, runUnitTests });
