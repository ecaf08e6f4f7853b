from hypothesis import given
from hypothesis import strategies as st

from games.debug import DebugLog, Piece


def log(limit: int, *chunks: tuple[int, bytes]) -> DebugLog:
    made = DebugLog(limit)
    for index, data in chunks:
        made.add(index, data)
    return made


def test_pieces_keep_their_place() -> None:
    made = log(100, (3, b"one "), (3, b"two"), (7, b"three"))
    assert made.pieces() == [Piece(3, "one two"), Piece(7, "three")]
    assert made.dropped == 0


def test_too_much_is_cut_in_the_middle() -> None:
    made = log(8, (1, b"abcdef"), (2, b"ghijkl"), (3, b"mnop"))
    assert made.dropped == 8
    assert made.pieces() == [
        Piece(1, "abcd"),
        Piece(3, "\n[Kibitz: 8 bytes were cut here.]\nmnop"),
    ]


def test_a_character_in_two_chunks_is_one_character() -> None:
    assert log(100, (1, "é".encode()[:1]), (1, "é".encode()[1:])).pieces() == [Piece(1, "é")]


@given(st.lists(st.tuples(st.integers(0, 3), st.binary(max_size=20))), st.integers(0, 60))
def test_first_and_last_bytes_are_kept(chunks: list[tuple[int, bytes]], limit: int) -> None:
    chunks = sorted(chunks, key=lambda chunk: chunk[0])
    made = log(limit, *chunks)
    everything = b"".join(data for _, data in chunks)
    kept = len(everything) - made.dropped
    assert kept <= limit
    if not made.dropped:
        assert b"".join(data for _, data in [*made._head, *made._tail]) == everything
    else:
        half = limit // 2
        assert b"".join(data for _, data in made._head) == everything[:half]
        tail = b"".join(data for _, data in made._tail)
        assert tail == everything[len(everything) - half :]
    made.pieces()
