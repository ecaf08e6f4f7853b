// probe.js - plays the commented game of 1998 as south did, and prints GAME and the helpers' results. Then it scribbles.
"use strict";

const acm98 = require("./acm98.js");
const { GAME, cardFromName, cardName, playerName } = acm98;

const takes = ["h5", "ck", "ha"].map(cardFromName);
const plays = ["dk", "h9", "ca", "h2", "s8", "sq", "h4", "hj", "c7", "st", "h5", "ck", "ha"].map(cardFromName);
const PLACES = [acm98.HIDDEN, acm98.POOL, acm98.HELD, acm98.TABLE, acm98.PLAYED];
const say = (...words) => console.error(words.map((word) => (word === true ? 1 : word === false ? 0 : word)).join(" "));

function burn() {
  const started = process.cpuUsage();
  while (process.env.BURN && process.cpuUsage(started).user < 50000);
}

function scribble() {
  for (const trick of [GAME.trick, ...GAME.past]) trick.card.length = 0;
  for (const value of Object.values(GAME)) {
    if (Array.isArray(value)) {
      value.forEach((inner) => Array.isArray(inner) && (inner.length = 0));
      value.length = 0;
    }
  }
  GAME.trickNumber = 99;
}

acm98.run({
  startGame() {
    say("game", GAME.hand.length);
    scribble();
  },
  startRound() {
    burn();
    say("round", GAME.round, "dealer", playerName(GAME.dealer), "me", playerName(GAME.me), "hand", GAME.hand.length,
      "pool", GAME.pool.length, "clubs", acm98.countSuit(acm98.CLUBS));
    scribble();
  },
  takeCard() {
    scribble();
    return takes.shift();
  },
  endTakes() {
    const hk = acm98.makeCard(acm98.HEARTS, acm98.KING);
    say("takes over hand", GAME.hand.length, "east", cardName(GAME.take[acm98.EAST][0]), "where",
      PLACES.indexOf(GAME.where[hk]), "owner", playerName(GAME.owner[hk]));
    scribble();
  },
  playCard() {
    burn();
    const card = plays.shift();
    say("trick", GAME.trickNumber, "leader", playerName(GAME.trick.leader), "lie", GAME.trick.count, "worth",
      GAME.trick.points, "legal", acm98.legalCards().length, cardName(card), "ok", acm98.isLegal(card), "wins",
      acm98.wouldWin(card), "higher", acm98.countHigher(card));
    scribble();
    return card;
  },
  endRound() {
    const last = GAME.past[12];
    say("end", ...GAME.points, "total", ...GAME.total);
    say("past", playerName(last.winner), last.points, "out", GAME.isOut[acm98.SOUTH].map(Number).join(""), "left",
      GAME.cardsLeft[acm98.WEST], "seen", acm98.isSeen(cardFromName("d2")), "next",
      playerName(acm98.nextPlayer(acm98.WEST)), "worth", acm98.trickPoints(13, GAME.past[4].card));
  },
});
