function choose(hand) {
  return hnad[0];
}

console.log(choose(["c2"]));
