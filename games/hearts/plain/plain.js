// Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
let hand = [];
let seat = 0;

function choose(trick, led) {
  const held = [...hand.keys()].filter((place) => hand[place]);
  const suit = (card) => card.slice(-1);
  const may = (card) => (led ? suit(card) === suit(led) : trick === "0" ? card === "2C" : suit(card) !== "H");
  const found = held.find((place) => may(hand[place]));
  return found === undefined ? held[0] : found;
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.split(" ");
  if (words[0] === "hello" || words[0] === "end") console.log(words[0]);
  if (words[0] === "game") seat = Number(words[5]);
  if (words[0] === "hand") hand = words.slice(2);
  if (words[0] === "pass") console.log("0 1 2");
  if (words[0] === "received") for (const i of [1, 3, 5]) hand[Number(words[i])] = words[i + 1];
  if (words[0] === "play") console.log(choose(words[1], words[3]));
  if (words[0] === "trick") hand = hand.map((card) => (card === words[1 + seat] ? "" : card));
});
