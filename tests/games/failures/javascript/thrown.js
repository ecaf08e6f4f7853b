class Illegal extends Error {}

function play(card) {
  throw new Illegal(`${card} does not follow suit`);
}

play("c2");
