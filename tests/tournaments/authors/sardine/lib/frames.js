'use strict';

// Calls hear(message) for each message that arrives. Returns a function that sends one.
module.exports = function frames(socket, hear) {
  let received = Buffer.alloc(0);
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
      const end = 4 + received.readUInt32BE(0);
      const body = received.subarray(4, end);
      received = received.subarray(end);
      hear(JSON.parse(body));
    }
  });
  return (message) => {
    const body = Buffer.from(JSON.stringify(message));
    const header = Buffer.alloc(4);
    header.writeUInt32BE(body.length);
    socket.write(Buffer.concat([header, body]));
  };
};
