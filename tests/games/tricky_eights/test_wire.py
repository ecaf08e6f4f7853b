"""The line protocol, to the letter of the Utah problem."""

import pytest

from games.commons import Commons
from games.engine import Fault, FaultKind, Setting
from games.hearing import Hearing
from games.tricky_eights import GAME
from games.tricky_eights.rules import INDEX, PACK
from games.tricky_eights.wire import LineWire
from tests.games.cast import playout


def test_the_examples_of_the_protocol_reference() -> None:
    wire = GAME.wire(2, GAME.options(), Setting.of(4))
    hands = [["c2"] * 10] * 4
    wire.tell({"event": "hand", "number": 4, "dealer": 3, "hands": hands, "pool": ["d5"] * 12})
    for seat, card in ((3, "d5"), (0, "ct"), (1, "ha")):
        wire.tell({"event": "take", "seat": seat, "card": card})
    assert wire.question()[0].endswith(b"\ntake w d5 n ct e ha s\n")
    wire.tell({"event": "take", "seat": 2, "card": "c6"})
    wire.tell({"event": "take", "seat": 3, "card": "s2"})
    assert wire.question() == (b"aftertake w d5 n ct e ha s c6\ntake w s2 s\n", 2)


@pytest.mark.parametrize("card", PACK)
def test_every_card_is_read(card: str) -> None:
    assert GAME.wire(0, GAME.options(), Setting.of(4)).parse(card.encode()) == INDEX[card]


@pytest.mark.parametrize("line", [b" dk", b"dk ", b"\tdk\r", b"  dk  \r"])
def test_surrounding_blanks_and_a_carriage_return_are_allowed(line: bytes) -> None:
    assert GAME.wire(0, GAME.options(), Setting.of(4)).parse(line) == INDEX["dk"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", "empty line"),
        (b"   \r", "empty line"),
        (b"DK", "lower case"),
        (b"dK", "lower case"),
        (b"dk d9", "several words"),
        (b"d k", "several words"),
        (b"d1", "not a card"),
        (b"10d", "not a card"),
        (b"d10", "not a card"),
        (b"+23", "not a card"),
        (b"king of diamonds", "several words"),
        (b"\0dk", "not a card"),
        (b"dk\0", "not a card"),
        (b"\xff\xfe", "not a card"),
        (b"dk\x0b", "not a card"),
        (b"d" * 60_000, "not a card"),
    ],
)
def test_what_cannot_be_read_is_garbled(line: bytes, complaint: str) -> None:
    with pytest.raises(Fault, match=complaint) as caught:
        GAME.wire(0, GAME.options(), Setting.of(4)).parse(line)
    assert caught.value.kind is FaultKind.GARBLED
    assert caught.value.answer == line


TIMED = LineWire(0, seconds=60)
SEVERAL = "garbled: answered with several words where the referee expected one card, such as h7"


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("dk cpu TakeCard 60000", ""),
        (" dk cpu EndRound 10 StartRound 60000 TakeCard 20 \r", ""),
        ("dk cpu TakeCard 60001", "timeout: used more processor time in TakeCard than one function may"),
        ("dk cpu EndRound 70000 TakeCard 60001", "timeout: used more processor time in EndRound than one function may"),
        ("dk cpu", SEVERAL),
        ("dk cpu TakeCard", SEVERAL),
        ("dk ct cpu TakeCard 20", SEVERAL),
        ("cpu TakeCard 20", SEVERAL),
    ],
)
def test_an_answer_may_report_the_time_of_each_function(answer: str, complaint: str) -> None:
    if not complaint:
        assert TIMED.parse(answer.encode()) == INDEX["dk"]
        return
    with pytest.raises(Fault) as caught:
        TIMED.parse(answer.encode())
    assert f"{caught.value.kind}: {caught.value.detail}" == complaint
    assert caught.value.answer == answer.encode()
    event = {"event": "fault", "kind": str(caught.value.kind), "detail": caught.value.detail}
    assert GAME.is_of_one_call(event) == (caught.value.kind == FaultKind.TIMEOUT)


@pytest.mark.parametrize("seed", range(5))
def test_wires_that_share_say_the_same_as_wires_on_their_own(seed: int) -> None:
    _, events = playout(GAME, seed)
    alone = [LineWire(seat) for seat in range(4)]
    commons = Commons()
    sharing = [LineWire(seat, commons=commons) for seat in range(4)]
    apart = Hearing(GAME, [(seat, wire.tell) for seat, wire in enumerate(alone)])
    together = Hearing(GAME, [(seat, wire.tell) for seat, wire in enumerate(sharing)], commons=commons)
    for event in events:
        if "card" in event:
            seat = event["seat"]
            assert sharing[seat].question() == alone[seat].question()
        apart.tell(event)
        together.tell(event)
    assert [wire.farewell() for wire in sharing] == [wire.farewell() for wire in alone]


def test_the_account_adds_up_what_was_reported() -> None:
    wire = LineWire(0)
    assert wire.account() == ""
    for answer in ("dk cpu StartRound 1200 TakeCard 20", "ct cpu TakeCard 30", "d5"):
        wire.parse(answer.encode())
    _, first, second = (line.split() for line in wire.account().splitlines())
    assert first[1:6] == ["StartRound", "1,200", "ms", "in", "1"]
    assert second[1:6] == ["TakeCard", "50", "ms", "in", "2"]
