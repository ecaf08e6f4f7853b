"""Frames: messages from bytes, however the network splits them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.frames import LONGEST, BadLength, Frames, frame, whole

BODIES = st.lists(st.binary(min_size=1, max_size=300), max_size=8)


def test_a_frame_is_its_length_in_network_order_and_its_body() -> None:
    assert frame(b"{}") == b"\0\0\0\2{}"
    assert frame(b"x" * 65_536)[:4] == b"\0\1\0\0"


@given(BODIES, st.data())
def test_messages_come_out_as_they_went_in_however_they_are_cut(bodies: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(frame, bodies))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    frames, found = Frames(), []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += frames.add(stream[start:end])
    assert found == bodies
    assert not frames.unfinished


def test_an_unfinished_message_is_known() -> None:
    frames = Frames()
    assert frames.add(frame(b"one") + b"\0\0") == [b"one"]
    assert frames.unfinished
    assert frames.add(b"\0\1") == []
    assert frames.add(b"x") == [b"x"]
    assert not frames.unfinished


@pytest.mark.parametrize("length", [0, LONGEST + 1, 2**31, 2**32 - 1, int.from_bytes(b"POST", "big")])
def test_a_length_that_cannot_be_is_noticed_before_its_body(length: int) -> None:
    frames = Frames()
    with pytest.raises(BadLength):
        frames.add(length.to_bytes(4, "big"))
    with pytest.raises(BadLength):
        frames.add(frame(b"x"))


def test_messages_before_a_bad_length_count() -> None:
    frames = Frames()
    assert frames.add(frame(b"one") + b"GET ") == [b"one"]
    assert frames.spoilt
    with pytest.raises(BadLength):
        frames.add(frame(b"x"))


@pytest.mark.parametrize(
    "data", [b"", b"\0\0", b"\0\0\0\0", b"\0\0\0\1", b"\0\0\0\1xy", b"\0\0\0\3xy", frame(b"x" * (LONGEST + 1))]
)
def test_what_is_not_exactly_one_message(data: bytes) -> None:
    assert whole(data) is None
