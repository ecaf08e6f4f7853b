// An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.
"use strict";

const barracuda = require("./barracuda.js");

function chooseCard(state, remaining) {
  return state.hand[0];
}

function answerChallenge(state, remaining) {
  return false;
}

// Such as {type: "trick_won", by: 1, card: 13}; `by` is `me` when it was you.
function hearResult(result, me) {}

barracuda.run({ chooseCard, answerChallenge, hearResult });
