let hand = [], pool = [];

function answer(line) {
  const [kind, ...words] = line.split(" ");
  if (kind === "starthand") {
    hand = words.slice(1, 11);
    pool = words.slice(11);
  } else if (kind === "take" || kind === "aftertake") {
    pool = pool.filter((card) => !words.includes(card));
    if (kind === "take") {
      hand.push(pool.shift());
      console.log(hand.at(-1));
    }
  } else if (kind === "play") {
    const card = hand.find((mine) => words.length > 1 && mine[0] === words[1][0]) ?? hand[0];
    hand.splice(hand.indexOf(card), 1);
    console.log(card);
  } else if (kind !== "result" && kind !== "endround") {
    console.log(`got ${line}`);
  }
}

require("readline").createInterface({ input: process.stdin }).on("line", answer);
