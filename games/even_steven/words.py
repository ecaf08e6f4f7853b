"""Even Steven in plain English: captions for the replay, and evensteven.log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from games import cards, phrases
from games.engine import Event
from games.even_steven.rules import CRASHED, INCORRECT, INDEX, NECESSARILY, UNNECESSARILY, WIN, View, covers, suit_major
from games.even_steven.wire import LineWire

NAME = "The player"
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve thirteen"
COUNT = NUMBERS.split()
DUE = "an answer is one line with one card, such as 10c"


def _game(event: Event, before: View) -> str:
    seed = f", seed {event['seed']}" if "seed" in event else ""
    return f"Game {event['number']}: {_cards(event['cards'])}{seed}."


def _hand(event: Event, before: View) -> str:
    return f"{NAME} is dealt a hand{'' if not before.size else f' of {_cards(before.size)}'}."


def _deal(event: Event, before: View) -> str:
    left = before.size - len(before.dealt) if before.size else 0
    return f"The dealer lays {'the last card, ' if left == 1 else ''}{in_words(INDEX[event['card']])}."


def _play(event: Event, before: View) -> str:
    card, dealt = INDEX[event["card"]], before.dealt[-1]
    if covers(card, dealt):
        return f"{NAME} covers it with {in_words(card)}."
    could = [each for each in before.hand or () if covers(each, dealt)]
    return f"{NAME} plays {in_words(card)}, which is too low{'' if could else ': nothing in its hand covers the card'}."


def _fault(event: Event, before: View) -> str:
    return phrases.fault(NAME, event, DUE)


def _result(event: Event, before: View) -> str:
    verdict = event.get("verdict")
    if verdict == WIN:
        return f"YOU WIN: {_all(before.size)} {'is' if before.size == 1 else 'are'} covered."
    if verdict == NECESSARILY:
        return f"YOU LOSE NECESSARILY: {_shortage(before)}."
    if verdict == UNNECESSARILY:
        return f"YOU LOSE UNNECESSARILY: {_blame(before)}."
    if verdict in (INCORRECT, CRASHED):
        return f"The dealer stops: {verdict}."
    return "YOU LOSE."


def _all(number: int) -> str:
    if number < 3:
        return ("no card", "the card", "both cards")[number]
    return f"all {_cards(number)}"


def _shortage(before: View) -> str:
    """Explain why nobody could have won: of some value, more cards must be covered than can cover them."""
    hand, stock = before.dealt_hand, before.stock
    if hand is None or stock is None:
        return "no way to play the hand would have won"
    dealt = max(stock, key=lambda card: _at_least(stock, card) - _at_least(hand, card))
    need, have = _at_least(stock, dealt), _at_least(hand, dealt)
    some = f"{COUNT[need]} of the {_cards(len(stock))}" if need < len(stock) else _all(need)
    value = cards.RANKS[dealt // 4]
    value = ("an ace" if need == 1 else "aces") if value == "ace" else f"{value} or higher"
    held = f"only {COUNT[have]}" if have else "none"
    return (
        f"{some} to cover {'is' if need == 1 else 'are'} {value}, and {held} of the hand {'is' if have < 2 else 'are'}"
    )


def _at_least(held: Sequence[int], card: int) -> int:
    """Return how many of these cards could cover that one."""
    return sum(covers(each, card) for each in held)


def _blame(before: View) -> str:
    """Name the play that lost the game, and the one that would not have."""
    wrong = before.mistake()
    if wrong is None or before.dealt_hand is None:
        return "the hand could have won"
    dealt, played = before.dealt[wrong], before.plays[wrong]
    held = [card for card in before.dealt_hand if card not in before.plays[:wrong]]
    better = min(card for card in held if covers(card, dealt))
    mistake = "to cover" if covers(played, dealt) else "not to cover"
    with_what = f" with {in_words(played)}" if covers(played, dealt) else ""
    return f"the mistake was {mistake} {in_words(dealt)}{with_what}; {in_words(better)} would have done"


def tally(verdicts: Iterable[str]) -> str:
    """Count the results, as in `5 won, 14 lost necessarily`. A fault ends the run, and is named."""
    numbers = Counter(verdicts)
    return ", ".join(f"{numbers[verdict]} {_TALLIED[verdict]}" for verdict in _TALLIED if numbers[verdict])


_TALLIED = {
    WIN: "won",
    NECESSARILY: "lost necessarily",
    UNNECESSARILY: "lost unnecessarily",
    INCORRECT: INCORRECT,
    CRASHED: CRASHED,
}

caption = phrases.captions(_game, _hand, _deal, _play, _fault, _result)
"""Describes an event in one sentence. `before` is the view that has not been told of it yet."""


def _cards(number: int) -> str:
    return f"{COUNT[number]} card{'' if number == 1 else 's'}"


def in_words(card: int) -> str:
    """Such as `the ten of clubs`."""
    return f"the {cards.words(suit_major(card))}"


def log(record: Event, events: Sequence[Event]) -> str:
    """Write evensteven.log of one game: the lines as they were sent, and comments.

    # The dealer lays the eight of clubs.
    > 8c                                 a line sent to the bot
    < Jc                                 its answer
    """
    return "\n".join(_log(record, events)) + "\n"


def _log(record: Event, events: Sequence[Event]) -> Iterator[str]:
    player = record["seats"][0]
    yield f"# Even Steven, seed {record['seed']}, rules {record['rules']}: {player['name']} ({player['bot']})"
    yield "# > line sent, < answer, # comment"
    wire, view = LineWire(), View(None)
    for event in events:
        yield f"# {caption(event, view)}"
        view.tell(event)
        wire.tell(event)
        yield from (f"> {line}" for line in wire.farewell().decode("ascii").splitlines())
        answer = event.get("answer", event["card"] if event["event"] == "play" else None)
        if answer is not None:
            yield f"< {answer if answer.isprintable() else repr(answer)}"
