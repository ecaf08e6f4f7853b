// Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.
"use strict";

const valueOf = (card) => "23456789TJQKA".indexOf(card.length === 3 ? "T" : card[0]);
let hand = [];

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.trim().split(/\s+/);
  if (words[0] === "YOU") return;
  if (/^\d+$/.test(words[0])) {
    hand = words.slice(1);
    return;
  }
  const card = hand.find((held) => valueOf(held) >= valueOf(words[0])) || hand[0];
  hand.splice(hand.indexOf(card), 1);
  console.log(card);
});
