'use strict';

const net = require('net');
const frames = require('./lib/frames');

const send = frames(net.connect(9999, 'cuda.contest'), (message) => {
  if (message.type !== 'request') return;
  const hand = message.state.hand;
  const response =
    message.request === 'request_card'
      ? { type: 'play_card', card: hand[message.state.hand_id % hand.length] }
      : { type: 'reject_challenge' };
  send({ type: 'move', request_id: message.request_id, response });
});
