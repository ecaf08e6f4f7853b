const hand = ["c2", "c3";
console.log(hand[0]);
