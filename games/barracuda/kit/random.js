// Plays anything that the rules allow. Replace the two choices by your own.
"use strict";

const barracuda = require("./barracuda.js");

// A card of the hand, or a challenge where one may be offered.
function chooseCard(state, remaining) {
  if (state.can_challenge && Math.random() < 0.05) return barracuda.CHALLENGE;
  return state.hand[Math.floor(Math.random() * state.hand.length)];
}

// Whether to accept the challenge that the other player has offered.
function answerChallenge(state, remaining) {
  return Math.random() < 0.5;
}

barracuda.run({ chooseCard, answerChallenge });
