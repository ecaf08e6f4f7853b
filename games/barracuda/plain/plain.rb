# Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
# challenge.
require 'json'
require 'socket'

server = TCPSocket.new('cuda.contest', 19_999)
while (header = server.read(4))
  message = JSON.parse(server.read(header.unpack1('N')))
  next unless message['type'] == 'request'

  response = { type: 'reject_challenge' }
  response = { type: 'play_card', card: message['state']['hand'][0] } if message['request'] == 'request_card'
  body = JSON.generate(type: 'move', request_id: message['request_id'], response: response)
  server.write([body.size].pack('N') + body)
end
