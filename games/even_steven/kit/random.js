// random.js - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.
"use strict";

const steven = require("./steven.js");

steven.playGames((game) => {
  const card = game.hand[steven.randomInt(game.hand.length)];
  steven.debug(`${game.open} is dealt, I play ${card}`);
  return card;
});
