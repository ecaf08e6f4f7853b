// random.js - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable player:
// make it a little better, again and again.
"use strict";

const hearts = require("./mactech98.js");

let pointsPlayed = false; // a heart or the queen of spades was played on an earlier trick of this hand

function initTournament(numPlayers, gameEndingScore) {}

function initGame(playerIDs, yourSeat) {}

function selectPass(dealtHand, direction) {
  pointsPlayed = false;
  const left = [...dealtHand.keys()];
  return [1, 2, 3].map(() => left.splice(hearts.randomInt(left.length), 1)[0]); // ignored when nothing is passed
}

function playTrick(trickNumber, trickLeader, yourHand, cardsPlayed) {
  const legal = hearts.legalIndices(yourHand, trickNumber, cardsPlayed[trickLeader], pointsPlayed);
  return legal[hearts.randomInt(legal.length)];
}

function trickResults(lastTrick, trickWinner) {
  pointsPlayed = pointsPlayed || lastTrick.some(hearts.isPoint);
}

function handResults(pointsThisHand, cumPoints) {}

// Do not change this.
hearts.run({ initTournament, initGame, selectPass, playTrick, trickResults, handResults });
