"""acm98 - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
puts its own copy beside your file.

You write six functions (shell.py describes them):

    start_game   start_round   take_card   end_takes   play_card   end_round

The last line of your file hands them to `run`, which reads what the server says, keeps GAME up to date, calls your functions
and sends the cards they return.

Two things to remember:

* Print nothing to standard output: it belongs to the server. Debug with `print(..., file=sys.stderr)`, or with `debug(...)`;
  only your team can read that afterwards.
* GAME is for reading only. What you change in it is gone before your next function is called, and the server believes no one.
"""

import os
import random
import sys
from time import process_time_ns

# ----------------------------------------------------------------------------------------------------------------------
# Players, suits, faces, cards
# ----------------------------------------------------------------------------------------------------------------------

# Players sit clockwise in this order. The player after p is (p + 1) % 4.
NORTH, EAST, SOUTH, WEST = range(4)

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

# Faces are 2 ... 14. The cards between are simply 2 ... 10.
JACK, QUEEN, KING, ACE = 11, 12, 13, 14

# A card is a number 0 ... 51, so that it can be the index of a list: first the clubs from 2 to ace (0 ... 12), then the
# diamonds, the hearts and the spades. suit, face and card take it apart and put it together.


def suit(card):
    """CLUBS ... SPADES."""
    return card // 13


def face(card):
    """2 ... ACE."""
    return card % 13 + 2


def card(suit, face):
    """card(HEARTS, 8) is the eight of hearts."""
    return suit * 13 + face - 2


NAMES = [s + f for s in "cdhs" for f in "23456789tjqka"]
CARDS = {name: number for number, name in enumerate(NAMES)}
PLAYERS = {"n": NORTH, "e": EAST, "s": SOUTH, "w": WEST}


def card_name(card):
    """The name of a card as the server writes it, such as "dk"."""
    return NAMES[card] if isinstance(card, int) and 0 <= card < 52 else "??"


def player_name(player):
    return ("north", "east", "south", "west")[player]


# ----------------------------------------------------------------------------------------------------------------------
# GAME
# ----------------------------------------------------------------------------------------------------------------------

# Where a card is, as far as you can know: GAME.where[card].
HIDDEN = "hidden"  # dealt to one of the other players, you do not know to whom
POOL = "pool"  # face up in the pool, may still be taken
HELD = "held"  # in the hand of player GAME.owner[card]: yours, or taken from the pool where everybody saw it
TABLE = "table"  # on the table, in the current trick
PLAYED = "played"  # went with an earlier trick


class Trick:
    """One trick, finished or not."""

    def __init__(self, leader, points):
        self.leader = leader  # who played the first card
        self.count = 0  # how many cards it has, 0 ... 4
        self.card = [None] * 4  # card[p]: what player p played, or None. The index is the player, not the order.
        self.winner = None  # who wins it as it stands (None while it is empty)
        self.points = points  # what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight


    def copy(self):
        copied = Trick(self.leader, self.points)
        copied.count, copied.card, copied.winner = self.count, self.card[:], self.winner
        return copied


class Game:
    """Everything you know. There is one of these, GAME."""

    def __init__(self):
        # The game
        self.me = None  # which player you are: NORTH ... WEST
        self.round = 0  # number of the round, from 1
        self.dealer = NORTH  # dealer of this round: takes first, and leads the first trick
        self.total = [0] * 4  # points of all finished rounds. In end_round this round is already in it.
        self._new_round()

    def _new_round(self):
        self.points = [0] * 4  # points made in this round so far

        # Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
        self.hand = []

        # The takes
        self.pool = []  # the cards left in the pool: during take_card, those you may choose from
        self.take = [[], [], [], []]  # take[p]: what player p took so far, in that order

        # The play
        self.trick_number = 0  # number of the current trick 1 ... 13; 0 during the takes, 14 in end_round
        self.trick = Trick(self.dealer, 1)  # the current trick: in play_card the cards that were played before you
        self.past = []  # the finished tricks of this round

        # What you know of every card and every player: a card counter's table, kept for you
        self.where = [HIDDEN] * 52  # HIDDEN, POOL, HELD, TABLE or PLAYED
        self.owner = [None] * 52  # who holds, played or took that card; None for a card that is HIDDEN or in the POOL
        self.cards_left = [10] * 4  # how many cards player p holds
        self.is_out = [[False] * 4 for _ in range(4)]  # is_out[p][suit]: p has none left, because it did not follow


GAME = Game()
_truth = Game()  # what the server told us; GAME becomes a copy of it before each of your functions is called

# ----------------------------------------------------------------------------------------------------------------------
# Helper routines. None of them changes anything.
# ----------------------------------------------------------------------------------------------------------------------


def legal_cards():
    """The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the pool."""
    return _choices(GAME)


def is_legal(card):
    """Whether you may play (during the takes: take) this card now."""
    return card in _choices(GAME)


def would_win(card):
    """Whether this card would be the winning one of the current trick if you played it now."""
    if GAME.trick.winner is None:
        return True
    best = GAME.trick.card[GAME.trick.winner]
    return suit(card) == suit(best) and card > best


def count_suit(wanted):
    """How many cards of a suit you hold."""
    return sum(suit(card) == wanted for card in GAME.hand)


def count_higher(card):
    """How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours,
    not played and not on the table. 0: nobody can beat it any more, if its suit is led."""
    above = range(card + 1, suit(card) * 13 + 13)
    return sum(GAME.where[other] not in (PLAYED, TABLE) and GAME.owner[other] != GAME.me for other in above)


def is_seen(card):
    """Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours."""
    return GAME.where[card] != HIDDEN


def trick_points(number, cards):
    """What trick 1 ... 13 with these cards is worth: 1, or 3 for the first and the last, and 2 for each eight."""
    return (3 if number in (1, 13) else 1) + 2 * sum(face(card) == 8 for card in cards)


def next_player(player):
    return (player + 1) % 4


def debug(*words):
    """Prints to standard error."""
    print(*words, file=sys.stderr, flush=True)


# Random numbers: random_source.randrange(n), random_source.choice(list) ... Different in every run, unless the environment
# variable ACM98_SEED holds a number (to debug; it is not set in the contest).
random_source = random.Random(int(os.environ["ACM98_SEED"])) if "ACM98_SEED" in os.environ else random.Random()


def run(start_game, start_round, take_card, end_takes, play_card, end_round):
    """Plays: call this once, as the last line of your file. It returns when the server has nothing more to say."""
    _Library(start_game, start_round, take_card, end_takes, play_card, end_round).run()


# ----------------------------------------------------------------------------------------------------------------------
# You need not read beyond this line.
# ----------------------------------------------------------------------------------------------------------------------


def _choices(game):
    if game.trick_number == 0:
        return list(game.pool)
    if game.trick.count:
        led = suit(game.trick.card[game.trick.leader])
        return [card for card in game.hand if suit(card) == led] or list(game.hand)
    return list(game.hand)


def _show():
    """Makes GAME a copy of the truth that shares nothing with it which could be changed."""
    GAME.__dict__.update(_truth.__dict__)
    for name in ("total", "points", "hand", "pool", "where", "owner", "cards_left"):
        setattr(GAME, name, getattr(_truth, name)[:])
    GAME.take = [cards[:] for cards in _truth.take]
    GAME.is_out = [suits[:] for suits in _truth.is_out]
    GAME.trick = _truth.trick.copy()
    GAME.past = [trick.copy() for trick in _truth.past]


def _words():
    """Words are separated by blanks and line ends. Lines may have any length."""
    for line in sys.stdin:
        yield from line.split()


class _Library:
    """Reads the commands, one word at a time:

        starthand WHO ten-cards twelve-cards             a round begins
        take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
        aftertake (WHO CARD)x4                           what everybody took
        play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
        result (WHO CARD)x4   or   resultoftrick ...     what everybody played
        endround              or   end A B C D           the round is over

    Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is
    what counts; our own answer changes nothing by itself.
    """

    def __init__(self, start_game, start_round, take_card, end_takes, play_card, end_round):
        self.start_game, self.start_round, self.end_takes, self.end_round = start_game, start_round, end_takes, end_round
        self.take_card, self.play_card = take_card, play_card
        routines = (start_game, start_round, take_card, end_takes, play_card, end_round)
        self.names = dict(zip(routines, ("StartGame", "StartRound", "TakeCard", "EndTakes", "PlayCard", "EndRound")))
        self.used = dict.fromkeys(self.names, 0)  # nanoseconds of processor time since our last answer
        self.takes_ended = False
        self.round_ended = True
        self.words = _words()

    def run(self):
        commands = {
            "starthand": self.on_starthand,
            "take": self.on_take,
            "aftertake": self.on_aftertake,
            "play": self.on_play,
            "result": self.on_result,
            "resultoftrick": self.on_result,
            "endround": self.on_endround,
            "end": self.on_endround,
        }
        self.call(self.start_game)
        try:
            for word in self.words:
                if word in commands:
                    commands[word]()
        except EOFError:  # the input ended in the middle of a line
            pass

    def call(self, function):
        _show()
        started = process_time_ns()
        try:
            return function()
        finally:
            self.used[function] += process_time_ns() - started

    def answer(self, card):
        """Send a card, and with it which functions have used 10 milliseconds or more, by their names of 1998."""
        report = [f" {name} {self.used[function] // 1_000_000}" for function, name in self.names.items()
                  if self.used[function] >= 10_000_000]
        self.used = dict.fromkeys(self.names, 0)
        sys.stdout.write(card_name(card) + (" cpu" + "".join(report) if report else "") + "\n")
        sys.stdout.flush()

    def tell_no_card(self, routine, returned):
        kind = type(returned).__name__
        debug(f"acm98: {routine} returned {returned!r:.80}, of type {kind}: a card is an int, 0 ... 51")

    def read_word(self):
        word = next(self.words, None)
        if word is None:
            raise EOFError
        return word

    def read_card(self):
        word = self.read_word()
        if word not in CARDS:
            debug(f'acm98: "{word}" is not a card')
        return CARDS.get(word)

    def read_player(self):
        word = self.read_word()
        if word not in PLAYERS:
            debug(f'acm98: "{word}" is not a player')
        return PLAYERS.get(word)

    def read_others(self, tell):
        """The players and cards of a question, up to our own place. Returns who was first. The commented game on paper
        shows our answer behind it: that is then a word too many."""
        first = player = self.read_player()
        while player not in (_truth.me, None):
            tell(player, self.read_card())
            player = self.read_player()
        return _truth.me if first is None else first

    def read_four(self, tell):
        """The four players and cards of a summary. Returns who was first."""
        pairs = [(self.read_player(), self.read_card()) for _ in range(4)]
        for player, card in pairs:
            tell(player, card)
        return pairs[0][0]

    def tell_take(self, player, card):
        """Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing."""
        if player is None or card not in _truth.pool:
            return
        _truth.pool.remove(card)
        _truth.where[card] = HELD
        _truth.owner[card] = player
        _truth.take[player].append(card)
        _truth.cards_left[player] += 1
        if player == _truth.me:
            _truth.hand.append(card)

    def tell_play(self, player, card):
        """Somebody played a card to the current trick. Hearing it twice changes nothing."""
        trick = _truth.trick
        if player is None or card is None or trick.card[player] is not None:
            return
        if trick.count == 0:
            trick.leader = player
        trick.card[player] = card
        trick.count += 1
        trick.points += 2 * (face(card) == 8)
        best = None if trick.winner is None else trick.card[trick.winner]
        if best is None or (suit(card) == suit(best) and card > best):
            trick.winner = player
        led = suit(trick.card[trick.leader])
        if suit(card) != led:
            _truth.is_out[player][led] = True
        _truth.where[card] = TABLE
        _truth.owner[card] = player
        _truth.cards_left[player] -= 1
        if card in _truth.hand:
            _truth.hand.remove(card)

    def on_starthand(self):
        _truth.round += 1
        _truth.dealer = (_truth.round - 1) % 4
        _truth._new_round()
        _truth.me = self.read_player()
        _truth.hand = [card for card in (self.read_card() for _ in range(10)) if card is not None]
        _truth.pool = [card for card in (self.read_card() for _ in range(12)) if card is not None]
        for card in _truth.hand:
            _truth.where[card], _truth.owner[card] = HELD, _truth.me
        for card in _truth.pool:
            _truth.where[card] = POOL
        self.takes_ended = self.round_ended = False
        self.call(self.start_round)

    def on_take(self):
        _truth.dealer = self.read_others(self.tell_take)
        card = self.call(self.take_card)
        if card_name(card) == "??":
            self.tell_no_card("take_card", card)
        elif card not in _choices(_truth):
            debug(f"acm98: take_card returned {card_name(card)}, which is not in the pool")
        self.answer(card)

    def on_aftertake(self):
        _truth.dealer = self.read_four(self.tell_take)
        if not _truth.pool:
            self.end_takes_once()

    def end_takes_once(self):
        if self.takes_ended:
            return
        self.takes_ended = True
        _truth.trick_number = 1
        _truth.trick = Trick(_truth.dealer, 3)
        self.call(self.end_takes)

    def on_play(self):
        self.end_takes_once()  # for a person who types and left out an aftertake
        _truth.trick.leader = self.read_others(self.tell_play)
        card = self.call(self.play_card)
        if card_name(card) == "??":
            self.tell_no_card("play_card", card)
        elif card not in _choices(_truth):
            why = "does not follow suit" if card in _truth.hand else "is not in your hand"
            debug(f"acm98: play_card returned {card_name(card)}, which {why}")
        self.answer(card)

    def on_result(self):
        self.read_four(self.tell_play)
        trick = _truth.trick
        if trick.winner is None or not 1 <= _truth.trick_number <= 13:
            return
        for card in trick.card:
            if card is not None:
                _truth.where[card] = PLAYED
        _truth.points[trick.winner] += trick.points
        _truth.past.append(trick)
        _truth.trick_number += 1
        _truth.trick = Trick(trick.winner, trick_points(_truth.trick_number, []))

    def on_endround(self):
        if self.round_ended:
            return
        self.round_ended = True
        _truth.total = [total + points for total, points in zip(_truth.total, _truth.points)]
        self.call(self.end_round)
