// Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
const [what, ...numbers] = require("fs").readFileSync(0, "latin1").split(/\s+/).filter(Boolean).map(Number);
const digit = (card) => Math.floor(card / 10);
if (what === 0) {
  console.log("Plain JavaScript");
} else if (what === 1) {
  console.log(numbers.slice(0, 3).join(" "));
} else if (what === 2) {
  const [held, laid] = numbers.splice(0, 3);
  const hand = numbers.splice(0, held);
  const table = numbers.splice(0, laid);
  const calves = numbers.slice(0, 4 * (10 - held)).some((card) => digit(card) === 3);
  const may = (card) => (laid ? digit(card) === digit(table[0]) : calves || digit(card) !== 3);
  console.log(hand.find(may) || hand[0]);
}
