async function choose() {
  throw new TypeError("no card");
}

choose();
