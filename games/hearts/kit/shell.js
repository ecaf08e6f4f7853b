// shell.js - an empty contestant for Hearts, for you to fill in.
//
// Team:
// Strategy in one line:
//
// Read mactech98.js first: it says what the six routines get and return. This shell passes its first three cards and plays the
// first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after
// every change.
//
// Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the
// next. Every millisecond of processor time in your routines costs a point.
"use strict";

const hearts = require("./mactech98.js");

let me = 0; // our seat
let pointsPlayed = false; // a heart or the queen of spades was played on an earlier trick of this hand

// Called once, before anything else. A game is over after the hand in which somebody has gameEndingScore points.
function initTournament(numPlayers, gameEndingScore) {}

// Called before each game. The same number in playerIDs is the same player throughout the tournament. Player i + 1 (modulo 4)
// sits to the left of player i.
function initGame(playerIDs, yourSeat) {
  me = yourSeat;
}

// Called at the beginning of every hand. Return three different indices of dealtHand (0 … 12). With NO_PASS nothing is passed,
// and what you return is ignored.
function selectPass(dealtHand, direction) {
  pointsPlayed = false;
  return [0, 1, 2];
}

// Called 13 times a hand. Return the index of the card that you play. yourHand has NO_CARD where cards were played, and the cards
// that were passed to you in the places of those that you passed. cardsPlayed is indexed by seat, with NO_CARD where nobody has
// played yet: cardsPlayed[trickLeader] was led, unless you lead.
function playTrick(trickNumber, trickLeader, yourHand, cardsPlayed) {
  return hearts.legalIndices(yourHand, trickNumber, cardsPlayed[trickLeader], pointsPlayed)[0];
}

// Called after each trick: what everybody played, by seat, and who took it.
function trickResults(lastTrick, trickWinner) {
  pointsPlayed = pointsPlayed || lastTrick.some(hearts.isPoint);
}

// Called after each hand. A player who has shot the moon gets -26 points.
function handResults(pointsThisHand, cumPoints) {
  console.error(`my points: ${pointsThisHand[me]}, now ${cumPoints[me]} in all`);
}

// Do not change this.
hearts.run({ initTournament, initGame, selectPass, playTrick, trickResults, handResults });
