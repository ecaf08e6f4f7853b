"""A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.

    python3 random_player.py HOST PORT [TOKEN]

Your own file calls `run` with three functions; random_player.py shows how. A state is a dictionary:

    hand             your cards, 1 … 13, from high to low
    card             the card on the table; the key is missing when there is none
    hand_id          1 for the first hand of a game
    game_id          unique to this game
    your_tricks, their_tricks    taken in this hand; total_tricks: played in this hand, ties included
    your_points, their_points    in this game; ten win it
    can_challenge    whether you may offer a challenge now
    in_challenge     whether a challenge was accepted: this hand decides the game
    opponent_id      the number of the other team
    player_number    0 if you led the game, else 1
"""

import json
import select
import socket
import sys
import time

CHALLENGE = "offer_challenge"
"""What `choose_card` returns instead of a card to offer a challenge."""

WAIT = 5
"""Seconds between two attempts to connect. The server refuses earlier attempts."""


class Lost(Exception):
    """The server has closed the connection."""


class Tally:
    """Games won and lost against one opponent, printed on standard error when it is quiet, and every five seconds."""

    def __init__(self):
        self.opponent, self.won, self.lost = None, 0, 0
        self.untold, self.told_at = False, 0.0

    def meet(self, opponent):
        if opponent != self.opponent:
            self.tell()
            self.opponent, self.won, self.lost, self.told_at = opponent, 0, 0, time.monotonic()

    def add(self, won):
        self.won += won
        self.lost += not won
        self.untold = True
        if time.monotonic() > self.told_at + 5:
            self.tell()

    def tell(self):
        if self.untold:
            print(f"against team {self.opponent}: won {self.won}, lost {self.lost}", file=sys.stderr)
            self.untold, self.told_at = False, time.monotonic()


tally = Tally()


def run(choose_card, answer_challenge, hear_result=lambda result, me: None):
    """Play until the server refuses us. Never returns.

    choose_card(state, remaining)       a card of state["hand"], or CHALLENGE where state["can_challenge"] holds
    answer_challenge(state, remaining)  True to accept, False to reject
    hear_result(result, me)             the result of a move; me is your own player number: 0 or 1

    `remaining` is how many seconds are left on your clock for this whole game.
    """
    if len(sys.argv) not in (3, 4):
        sys.exit(f"usage: {sys.argv[0]} HOST PORT [TOKEN]")
    host, port, token = sys.argv[1], int(sys.argv[2]), "".join(sys.argv[3:])
    while True:
        try:
            with socket.create_connection((host, port)) as server:
                server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if token:
                    send(server, {"type": "login", "token": token})
                while True:
                    if tally.untold and not select.select([server], [], [], 0.5)[0]:
                        tally.tell()
                    handle(server, receive(server), choose_card, answer_challenge, hear_result)
        except (OSError, Lost) as error:
            trouble = error
            tally.tell()
        time.sleep(WAIT)  # at home, the end of a match ends us here
        print(f"no connection: {trouble}; trying again", file=sys.stderr)


def handle(server, message, choose_card, answer_challenge, hear_result):
    kind = message["type"]
    if kind == "request":
        state, remaining = message["state"], message["remaining"]
        tally.meet(state["opponent_id"])
        if message["request"] == "challenge_offered":
            accepts = answer_challenge(state, remaining)
            response = {"type": "accept_challenge" if accepts else "reject_challenge"}
        else:
            choice = choose_card(state, remaining)
            response = {"type": CHALLENGE} if choice == CHALLENGE else {"type": "play_card", "card": choice}
        send(server, {"type": "move", "request_id": message["request_id"], "response": response})
    elif kind == "result":
        result, me = message["result"], message["your_player_num"]
        if result["type"] == "game_won":
            tally.add(result["by"] == me)
        hear_result(result, me)
    elif kind == "greetings_program":
        print(f"connected, we are team {message['team_id']}", file=sys.stderr)
    elif kind == "error":
        sys.exit(f"the server refuses us: {message['message']} (it sees us at {message['seen_host']})")


def send(server, message):
    body = json.dumps(message).encode("ascii")
    server.sendall(len(body).to_bytes(4, "big") + body)


def receive(server):
    return json.loads(read(server, int.from_bytes(read(server, 4), "big")))


def read(server, size):
    data = b""
    while len(data) < size:
        piece = server.recv(size - len(data))
        if not piece:
            raise Lost("the server has closed it")
        data += piece
    return data
