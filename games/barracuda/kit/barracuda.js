// A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
//
//     node random.js HOST PORT [TOKEN]
//
// Your own file calls `run` with three functions; random.js shows how. A state has these members:
//
//     hand             your cards, 1 … 13, from high to low
//     card             the card on the table; missing when there is none
//     hand_id          1 for the first hand of a game
//     game_id          unique to this game
//     your_tricks, their_tricks    taken in this hand; total_tricks: played in this hand, ties included
//     your_points, their_points    in this game; ten win it
//     can_challenge    whether you may offer a challenge now
//     in_challenge     whether a challenge was accepted: this hand decides the game
//     opponent_id      the number of the other team
//     player_number    0 if you led the game, else 1
"use strict";

const net = require("net");

const CHALLENGE = "offer_challenge"; // what chooseCard returns instead of a card to offer a challenge
const WAIT = 5000; // milliseconds between two attempts to connect; the server refuses earlier attempts

// chooseCard(state, remaining)       a card of state.hand, or CHALLENGE where state.can_challenge holds
// answerChallenge(state, remaining)  true to accept, false to reject
// hearResult(result, me)             the result of a move; me is your own player number: 0 or 1
// `remaining` is how many seconds are left on your clock for this whole game.
function run(player) {
  const [host, port, token] = process.argv.slice(2);
  if (!port) {
    console.error(`usage: node ${process.argv[1]} HOST PORT [TOKEN]`);
    process.exit(1);
  }
  connect(host, Number(port), token, player);
}

function connect(host, port, token, player) {
  let received = Buffer.alloc(0);
  const server = net.connect({ host, port, noDelay: true }, () => {
    server.setNoDelay(true);
    if (token) send(server, { type: "login", token });
  });
  server.on("data", (data) => {
    received = Buffer.concat([received, data]);
    while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
      const end = 4 + received.readUInt32BE(0);
      const message = JSON.parse(received.toString("latin1", 4, end));
      received = received.subarray(end);
      handle(server, message, player);
    }
  });
  server.on("error", (error) => console.error(`no connection: ${error.message}`));
  server.on("end", () => server.end());
  server.on("close", () => setTimeout(() => connect(host, port, token, player), WAIT));
}

function handle(server, message, player) {
  if (message.type === "request") {
    send(server, { type: "move", request_id: message.request_id, response: respond(message, player) });
  } else if (message.type === "result") {
    if (player.hearResult) player.hearResult(message.result, message.your_player_num);
  } else if (message.type === "greetings_program") {
    console.error(`connected, we are team ${message.team_id}`);
  } else if (message.type === "error") {
    console.error(`the server refuses us: ${message.message} (it sees us at ${message.seen_host})`);
    process.exit(1);
  }
}

function respond(message, player) {
  if (message.request === "challenge_offered") {
    const accepts = player.answerChallenge(message.state, message.remaining);
    return { type: accepts ? "accept_challenge" : "reject_challenge" };
  }
  const choice = player.chooseCard(message.state, message.remaining);
  return choice === CHALLENGE ? { type: CHALLENGE } : { type: "play_card", card: choice };
}

function send(server, message) {
  const body = JSON.stringify(message);
  const data = Buffer.alloc(4 + body.length);
  data.writeUInt32BE(body.length, 0);
  data.write(body, 4, "latin1");
  server.write(data);
}

module.exports = { run, CHALLENGE };
