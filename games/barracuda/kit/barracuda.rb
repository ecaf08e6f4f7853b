# A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
#
#     ruby random.rb HOST PORT [TOKEN]
#
# Your own file gives Barracuda.run an object with two methods, or three; random.rb shows how. A state is a hash:
#
#     :hand             your cards, 1 ... 13, from high to low
#     :card             the card on the table; the key is missing when there is none
#     :hand_id          1 for the first hand of a game
#     :game_id          unique to this game
#     :your_tricks, :their_tricks    taken in this hand; :total_tricks: played in this hand, ties included
#     :your_points, :their_points    in this game; ten win it
#     :can_challenge    whether you may offer a challenge now
#     :in_challenge     whether a challenge was accepted: this hand decides the game
#     :opponent_id      the number of the other team
#     :player_number    0 if you led the game, else 1

require 'json'
require 'socket'

module Barracuda
  CHALLENGE = :offer_challenge # what choose_card returns instead of a card to offer a challenge
  WAIT = 5 # seconds between two attempts to connect; the server refuses earlier attempts

  module_function

  # Play until the server refuses us. Never returns.
  #
  #   choose_card(state, remaining)       a card of state[:hand], or CHALLENGE where state[:can_challenge] holds
  #   answer_challenge(state, remaining)  true to accept, false to reject
  #   hear_result(result, me)             the result of a move; me is your own player number: 0 or 1
  #
  # `remaining` is how many seconds are left on your clock for this whole game.
  def run(player)
    host, port, token = ARGV
    abort "usage: #{$PROGRAM_NAME} HOST PORT [TOKEN]" unless port
    loop do
      trouble = 'the server has closed it'
      begin
        TCPSocket.open(host, port) { |server| talk(server, token, player) }
      rescue SocketError, SystemCallError => error
        trouble = error.message
      end
      sleep WAIT # at home, the end of a match ends us here
      warn "no connection: #{trouble}; trying again"
    end
  end

  def talk(server, token, player)
    server.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    deliver(server, type: 'login', token: token) if token
    while (message = receive(server))
      case message[:type]
      when 'request'
        deliver(server, type: 'move', request_id: message[:request_id], response: respond(message, player))
      when 'result'
        player.hear_result(message[:result], message[:your_player_num]) if player.respond_to?(:hear_result)
      when 'greetings_program'
        warn "connected, we are team #{message[:team_id]}"
      when 'error'
        abort "the server refuses us: #{message[:message]} (it sees us at #{message[:seen_host]})"
      end
    end
  end

  def respond(message, player)
    state, remaining = message.values_at(:state, :remaining)
    if message[:request] == 'challenge_offered'
      return { type: player.answer_challenge(state, remaining) ? 'accept_challenge' : 'reject_challenge' }
    end

    choice = player.choose_card(state, remaining)
    choice == CHALLENGE ? { type: CHALLENGE } : { type: 'play_card', card: choice }
  end

  def deliver(server, message)
    body = JSON.generate(message)
    server.write([body.bytesize].pack('N') + body)
  end

  # The next message, or nil when the server has closed the connection.
  def receive(server)
    header = read(server, 4)
    body = header && read(server, header.unpack1('N'))
    body && JSON.parse(body, symbolize_names: true)
  end

  def read(server, size)
    data = server.read(size)
    data if data && data.bytesize == size
  end
end
