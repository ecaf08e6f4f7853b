const seats = {};

function lead(seat) {
  return seats[seat].hand[0];
}

console.log(lead("north"));
