"""probe.py - plays the commented game of 1998 as south did, and prints GAME and the helpers' results."""

# ruff: noqa: F403, F405

from acm98 import *

takes = iter(["h5", "ck", "ha"])
plays = iter(["dk", "h9", "ca", "h2", "s8", "sq", "h4", "hj", "c7", "st", "h5", "ck", "ha"])
PLACES = [HIDDEN, POOL, HELD, TABLE, PLAYED]


def start_game():
    debug("game", len(GAME.hand))


def start_round():
    debug(
        "round",
        GAME.round,
        "dealer",
        player_name(GAME.dealer),
        "me",
        player_name(GAME.me),
        "hand",
        len(GAME.hand),
        "pool",
        len(GAME.pool),
        "clubs",
        count_suit(CLUBS),
    )


def take_card():
    return CARDS[next(takes)]


def end_takes():
    hk = CARDS["hk"]
    debug(
        "takes over hand",
        len(GAME.hand),
        "east",
        card_name(GAME.take[EAST][0]),
        "where",
        PLACES.index(GAME.where[hk]),
        "owner",
        player_name(GAME.owner[hk]),
    )


def play_card():
    card = CARDS[next(plays)]
    debug(
        "trick",
        GAME.trick_number,
        "leader",
        player_name(GAME.trick.leader),
        "lie",
        GAME.trick.count,
        "worth",
        GAME.trick.points,
        "legal",
        len(legal_cards()),
        card_name(card),
        "ok",
        int(is_legal(card)),
        "wins",
        int(would_win(card)),
        "higher",
        count_higher(card),
    )
    return card


def end_round():
    debug("end", *GAME.points, "total", *GAME.total)
    debug(
        "past",
        player_name(GAME.past[12].winner),
        GAME.past[12].points,
        "out",
        "".join(str(int(out)) for out in GAME.is_out[SOUTH]),
        "left",
        GAME.cards_left[WEST],
        "seen",
        int(is_seen(CARDS["d2"])),
        "next",
        player_name(next_player(WEST)),
        "worth",
        trick_points(13, GAME.past[4].card),
    )


run(start_game, start_round, take_card, end_takes, play_card, end_round)
