"""House players and processes as participants."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import get
from games.commands import play_local
from games.engine import Setting
from games.rng import pack
from tests.games.cast import TRICKY, bot


def begun(player: Any, seat: int = 0, **changes: Any) -> tuple[Any, Any]:
    """A player in a seat, and the rules with the first hand dealt and told to the player."""
    options = TRICKY.options({"time_limit": 60, **changes})
    state = TRICKY.start(options)
    player.begin(TRICKY, seat, options, Random(1), Setting.of(4))
    for event in state.deal(pack(1, 1)):
        player.tell(TRICKY.see(event, seat))
    return player, state


def test_every_game_has_its_own_process() -> None:
    player, state = begun(bot())
    player.decide(state.legal, 1)
    player.finish()
    player.close(1)
    player, state = begun(player)
    try:
        assert state.is_legal(player.decide(state.legal, 1)[0])
    finally:
        player.close(1, 0.0)


def test_closing_is_idempotent_and_needs_no_beginning() -> None:
    player = bot()
    player.close(0)
    player.finish()
    player, _ = begun(player)
    player.close(0, 0.0)
    player.close(0, 0.0)
    player.finish()


@pytest.mark.parametrize(
    ("second", "kind", "detail"),
    [
        (
            "hello",
            "garbled",
            "answered with something that is not a card, in a line that was there before its question",
        ),
        ("{card}", "illegal", "answered before it was asked, and that is not allowed now"),
    ],
)
def test_an_answer_that_was_there_before_its_question_is_called_that(
    second: str, kind: str, detail: str, tmp_path: Path
) -> None:
    """Two lines for the first question: the second one is taken for the answer to the next."""
    bot = tmp_path / "bot.py"
    text = f'card = input().split()[1]\ninput()\nprint(f"{{card}}\\n{second}", flush=True)\ninput()\n'
    bot.write_text(text)
    game = get("even_steven")
    match = play_local(game, [str(bot)], 1, game.options(), openings=[{"seed": 653723903, "cards": 4}])
    [fault] = match.faults[0]
    assert fault["kind"] == kind
    assert detail in fault["detail"]
