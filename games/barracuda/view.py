"""What one seat, a spectator or the open table knows about a game of Barracuda."""

from __future__ import annotations

from typing import Any

from games.barracuda.rules import ANSWERS, CHALLENGE, HAND, SEATS
from games.engine import Event, Seat


class View:
    """What one seat, a spectator or the open table knows: a fold over the events that it may see."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.game = 1
        self.starter: Seat = 0  # who led the game
        self.number = 0
        self.first: Seat = 0
        self.points = [0, 0]
        self.faults: list[str | None] = [None, None]
        self.result: Event | None = None
        self.turn: Seat | None = None
        self.decider: Seat | None = None  # who won the game by a challenge
        self.spent = [0.0, 0.0]  # milliseconds of the clock that decisions used
        self.answers = [0, 0]  # decisions that earned time
        self.dry = [False, False]  # whether the clock ran out
        self._new_hand([None, None], 0)

    def _new_hand(self, hands: list[list[int] | None], count: int) -> None:
        self.hands = hands
        self.counts = [count, count]
        self.lead: Seat = self.first
        self.trick = 1 if count else 0  # the number of the hand, or that of the last one between hands
        self.tricks = [0, 0]
        self.current: list[tuple[Seat, int]] = []  # on the table, in the order of play
        self.last: dict[str, Any] | None = None
        self.history: list[dict[str, Any]] = []
        self.challenger: Seat | None = None
        self.challenge: str | None = None  # "offered", "accepted" or "rejected"
        self.forfeited: dict[str, Any] | None = None
        self.winner_of_hand: Seat | None = None

    @property
    def phase(self) -> str:
        if self.result is not None:
            return "over"
        if self.challenge == "offered":
            return "challenge"
        return "play" if self.turn is not None else "between"

    def tell(self, event: Event) -> None:
        getattr(self, f"_tell_{event['event']}")(event)

    def _tell_game(self, event: Event) -> None:
        self.game, self.starter = event["number"], event["leader"]

    def _tell_hand(self, event: Event) -> None:
        self.number, self.first = event["number"], event["leader"]
        self._new_hand([None if hand is None else list(hand) for hand in event["hands"]], HAND)
        self.turn = self.first

    def _tell_play(self, event: Event) -> None:
        seat, card = event["seat"], event["card"]
        self._clock(event)
        self._begin_trick()
        self.current.append((seat, card))
        self._drop(seat, card)
        self.turn = 1 - seat if len(self.current) == 1 else None

    def _tell_challenge(self, event: Event) -> None:
        self._clock(event)
        self._begin_trick()
        self.challenger, self.challenge = event["seat"], "offered"
        self.turn = 1 - self.challenger

    def _tell_accept(self, event: Event) -> None:
        self._clock(event)
        self.challenge, self.turn = "accepted", self.challenger

    def _tell_reject(self, event: Event) -> None:
        self._clock(event)
        self.challenge, self.turn = "rejected", None

    def _tell_forfeit(self, event: Event) -> None:
        seat, other = event["seat"], 1 - event["seat"]
        self._begin_trick()
        for owner, card in self.current:  # the cards that go back first
            self.counts[owner] += 1
            if (hand := self.hands[owner]) is not None:
                self.hands[owner] = sorted([*hand, card], reverse=True)
        self.forfeited = {"seat": seat, "lost": event["lost"], "other": event["other"], "back": self._named()}
        self.current = []
        self._drop(seat, event["lost"])
        self._drop(other, event["other"])
        self.turn = None

    def _tell_trick(self, event: Event) -> None:
        winner = event["winner"]
        if winner is not None:
            self.tricks[winner] += 1
            self.lead = winner
        self.last = {
            "number": self.trick,
            "cards": self._named(),
            "winner": winner,
            "points": event["points"],
            "forfeit": self.forfeited,
        }
        self.history.append(self.last)
        self.current = []
        self.turn = self.lead if any(self.counts) else None

    def _tell_score(self, event: Event) -> None:
        points = event["hand"]
        self.points = list(event["total"])
        self.turn = None
        self.current = []
        if any(points):
            self.winner_of_hand = points.index(max(points))
        elif self.tricks[0] != self.tricks[1]:
            self.winner_of_hand = int(self.tricks[0] < self.tricks[1])
            self.decider = self.winner_of_hand

    def _tell_fault(self, event: Event) -> None:
        self.faults[event["seat"]] = event["kind"]
        if event["kind"] == "timeout":
            self.dry[event["seat"]] = True

    def _tell_result(self, event: Event) -> None:
        self.result = event
        self.turn = None

    def _begin_trick(self) -> None:
        """Clear the table of the last trick at the first event of a new one."""
        if self.forfeited or (self.last is not None and self.last["number"] == self.trick):
            self.trick += 1
            self.forfeited = None

    def _drop(self, seat: Seat, card: int) -> None:
        self.counts[seat] -= 1
        if (hand := self.hands[seat]) is not None:
            hand.remove(card)

    def _clock(self, event: Event) -> None:
        if "by" not in event:
            self.spent[event["seat"]] += event.get("ms", 0.0)
            self.answers[event["seat"]] += 1

    def _named(self) -> list[dict[str, Any]]:
        return [{"seat": seat, "card": card} for seat, card in self.current]

    def legal(self) -> list[int | str] | None:
        """What the seat in turn may do, in the order of `State.legal`. None when it is hidden, or nobody is asked."""
        if self.turn is None:
            return None
        if self.challenge == "offered":
            return list(ANSWERS)
        hand = self.hands[self.turn]
        if hand is None:
            return None
        cards: list[int | str] = list(dict.fromkeys(hand))
        return cards if self.challenge else [*cards, CHALLENGE]

    def position(self) -> dict[str, Any]:
        """The table as JSON. Cards are the numbers 1 … 13, seats 0 and 1; per seat: two entries.

        phase         "play", "challenge" (one waits for its answer), "between" (tricks' ends, hands) or "over"
        game, round, trick   numbers from 1 of the game in its match, of the hand, of the trick or the last (0: none)
        starter leader turn  seats: who led the game; leads this trick or the next; is asked (null: nobody)
        hands, counts per seat: its cards from high to low (null when hidden from this view), how many
        current       the cards on the table in the order of play: [{"seat": 0, "card": 9}, …], until `trick`
        last          the last trick of this hand or null: {"number", "cards" (as current), "winner" (null: tied),
                      "points", "forfeit"}; `forfeit` is null or {"seat", "lost", "other", "back": cards that went back}
        history       all tricks of this hand, as last
        forfeit       that of the trick that is being settled, as in last, else null
        challenge     null, "offered", "accepted" or "rejected": the hand's one challenge; challenger: a seat or null
        tricks points totals   per seat: tricks of this hand; points of the game (both names)
        handWinner    a seat once the hand is over, else null (also when it was tied)
        legal         what the seat in turn may do: cards, "challenge", "accept", "reject"; null when hidden
        faults        per seat: the kind of its last fault, or null
        clock         per seat: {"spent": ms that its decisions took, "answers": how many of them, "empty": ran out}
        winner        the winner's seat when phase is "over", else null
        byChallenge   whether an accepted challenge decided the game
        """
        return {
            "phase": self.phase,
            "turn": self.turn,
            "legal": self.legal(),
            "faults": list(self.faults),
            **self._game_position(),
            **self._hand_position(),
        }

    def _game_position(self) -> dict[str, Any]:
        """What lasts from hand to hand."""
        return {
            "game": self.game,
            "round": self.number,
            "starter": self.starter,
            "points": list(self.points),
            "totals": list(self.points),
            "clock": [
                {"spent": round(self.spent[seat], 3), "answers": self.answers[seat], "empty": self.dry[seat]}
                for seat in range(len(SEATS))
            ],
            "winner": self.result["winner"] if self.result else None,
            "byChallenge": self.decider is not None,
        }

    def _hand_position(self) -> dict[str, Any]:
        return {
            "trick": self.trick,
            "leader": self.lead,
            "hands": [None if hand is None else list(hand) for hand in self.hands],
            "counts": list(self.counts),
            "current": self._named(),
            "last": self.last,
            "history": list(self.history),
            "forfeit": self.forfeited,
            "challenge": self.challenge,
            "challenger": self.challenger,
            "tricks": list(self.tricks),
            "handWinner": self.winner_of_hand,
        }
