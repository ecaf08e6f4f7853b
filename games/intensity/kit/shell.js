// shell.js - an empty Intensity player, for you to fill in.
//
// Author:
// Strategy in one line:
//
// Read intensity_kit.js first: it describes the question. This shell plays the first card that is allowed, so it follows the
// rules from the start. Change one thing at a time, and play a few games after every change.
"use strict";

const assert = require("assert");
const kit = require("./intensity_kit.js");

// At most 32 characters.
function playerName() {
  return "COMP1511 student";
}

// The three cards of your hand (ten numbers, in increasing order) that go to the player on your left.
function chooseDiscards(hand) {
  return hand.slice(0, 3);
}

// The card that you play: see Question in intensity_kit.js.
function chooseCard(question) {
  return question.legal()[0];
}

// The contest runs this when it checks your program, and shows you what it prints.
function runUnitTests() {
  const hand = [11, 15, 18, 23, 33, 34, 47, 48, 49];
  const sample = new kit.Question(0, hand, [24, 26], [16, 13, 19, 12], [37, 38, 39], [34, 47, 48]);
  assert.deepStrictEqual(sample.legal(), [23]);
  assert.strictEqual(chooseCard(sample), 23);
  console.log("all tests passed");
}

// Do not change this.
kit.run({ playerName, chooseDiscards, chooseCard, runUnitTests });
