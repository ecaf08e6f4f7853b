// Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
// challenge.
'use strict';

const net = require('net');

const server = net.connect(19999, 'cuda.contest');
let received = Buffer.alloc(0);

server.on('data', (data) => {
  received = Buffer.concat([received, data]);
  while (received.length >= 4 && received.length >= 4 + received.readUInt32BE()) {
    const end = 4 + received.readUInt32BE();
    const message = JSON.parse(received.subarray(4, end));
    received = received.subarray(end);
    if (message.type === 'request') answer(message);
  }
});

function answer({ request, request_id, state }) {
  const response =
    request === 'request_card' ? { type: 'play_card', card: state.hand[0] } : { type: 'reject_challenge' };
  const body = JSON.stringify({ type: 'move', request_id, response });
  const data = Buffer.alloc(4 + body.length);
  data.writeUInt32BE(body.length);
  data.write(body, 4);
  server.write(data);
}
