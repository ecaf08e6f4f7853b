"""The kit of Even Steven in all its languages: built with the real compilers, played through the real referee."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games import get
from games.build import program_of
from games.kits import example, kit_files
from games.players import ProcessPlayer, Seated
from games.programs import LocalProgram
from games.referee import play
from games.toolchains import RECIPES
from tests.games.even_steven import samples as printed
from tests.games.workshop import few, needs

GAME = get("even_steven")
KIT = Path(str(GAME.folder)) / "kit"
LANGUAGES = list(GAME.kit_sources)


def starters(language: str) -> list[str]:
    return [name for name in kit_files(GAME, language) if name not in GAME.kit_sources[language]]


def shell_of(language: str) -> str:
    (shell,) = (name for name in starters(language) if name.lower().startswith("shell"))
    return shell


@cache
def built(name: str, *arguments: str) -> LocalProgram:
    return program_of(GAME, str(KIT / name), arguments)


def judged(program: LocalProgram, games: int | None = None, seed: int = 1) -> list[dict[str, Any]]:
    match = play(
        GAME,
        [Seated("team", "bot", ProcessPlayer(program, startup=60))],
        seed=seed,
        options=GAME.options({"time_limit": 60}),
        preset="bospre-2009",
        games=games,
        openings=None if games else GAME.sample,
    )
    assert match.debug == [[]]
    return match.record["events"]


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_the_random_player_plays_many_games_by_the_rules(language: str) -> None:
    needs(language)
    events = judged(built(example(GAME, language)), games=60)
    assert not [event for event in events if event["event"] == "fault"]
    verdicts = [event["verdict"] for event in events if event["event"] == "result"]
    assert len(verdicts) == 60
    assert {"win", "lose necessarily", "lose unnecessarily"} == set(verdicts)


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_the_shell_plays_the_first_card_of_its_hand(language: str) -> None:
    needs(language)
    events = judged(built(shell_of(language)), games=80, seed=3)
    hand: list[str] = []
    for event in events:
        if event["event"] == "hand":
            hand = list(event["hands"][0])
        elif event["event"] == "play":
            assert event["card"] == hand.pop(0)
    assert max(len(event["hands"][0]) for event in events if event["event"] == "hand") == 13


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_nothing_for_debugging_is_written_unless_there_is_an_argument(language: str) -> None:
    needs(language)
    for name in starters(language):
        answers = built(name).ask(printed.PLAYER_INPUT.encode(), seconds=60).output.decode().splitlines()
        assert len(answers) == 7
        assert not [line for line in answers if line.startswith("*")]
        talking = built(name, "debug").ask(printed.PLAYER_INPUT.encode(), seconds=60).output.decode().splitlines()
        assert [line[:2] for line in talking[::2]] == ["* "] * 7
        assert "8c is dealt, I play" in talking[0]


@pytest.mark.parametrize("language", few(LANGUAGES))
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.replace(" ", "   "),
        lambda text: text.removesuffix("\n"),
    ],
    ids=["carriage returns", "blank lines", "blanks", "no last line end"],
)
def test_the_library_takes_lines_as_people_type_them(language: str, change: Any) -> None:
    needs(language)
    done = built(shell_of(language)).ask(change(printed.PLAYER_INPUT).encode(), seconds=60)
    assert done.output == b"4h\n2d\nQs\nKd\n8c\nAs\n5s\n"
    assert done.errors == b""


def test_the_python_library_says_what_it_got_instead_of_a_card(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text((KIT / "shell.py").read_text().replace("game.hand[0]\n", "game.hand[0].name\n"))
    program = program_of(GAME, str(tmp_path / "wrong.py"))
    done = subprocess.run(
        program._command,
        cwd=program._folder,
        input="1 5d\n4s\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "5d\n"
    assert done.stderr == "steven: '5d', of type str, is not a Card of your hand\n"


# The shell's choice, and a better one.
THRIFTY = {
    "c": ("return game->hand[0];", "return best(game);"),
    "cpp": ("return game->hand[0];", "return best(game);"),
    "pascal": ("  Result := GAME.Hand[0];", "  Result := Best;"),
    "python": (
        "return game.hand[0]",
        "return min(game.hand, key=lambda card: (not covers(card, game.open), card.value))",
    ),
    "java": (
        "return game.hand.get(0);",
        "return game.hand.stream().min((a, b) -> key(game, a) - key(game, b)).get();",
    ),
    "javascript": ("return game.hand[0];", "return [...game.hand].sort((a, b) => key(game, a) - key(game, b))[0];"),
}
BEST = """
static Card best(const Game *game)
{
    int i, chosen = -1, lowest = 0;
    for (i = 0; i < game->count; i++) {
        if (Covers(game->hand[i], game->open) && (chosen < 0 || game->hand[i].value < game->hand[chosen].value))
            chosen = i;
        if (game->hand[i].value < game->hand[lowest].value)
            lowest = i;
    }
    return game->hand[chosen < 0 ? lowest : chosen];
}

static Card ChooseCard"""
HELPERS = {
    "c": ("\nstatic Card ChooseCard", BEST),
    "cpp": ("\nstatic Card ChooseCard", BEST),
    "pascal": (
        "function ChooseCard",
        """
function Best: Card;
var
  i, key, least: Integer;
begin
  least := 1000;
  for i := 0 to GAME.Count - 1 do
  begin
    key := GAME.Hand[i].Value;
    if not Covers(GAME.Hand[i], GAME.Open) then key := key + 100;
    if key < least then Best := GAME.Hand[i];
    if key < least then least := key;
  end;
end;

function ChooseCard""",
    ),
    "java": (
        "public class Shell {\n",
        "public class Shell {\n    static int key(Steven game, Steven.Card card) "
        "{ return card.value + (card.covers(game.open) ? 0 : 100); }\n",
    ),
    "javascript": (
        "function chooseCard",
        "const key = (game, card) => card.value + (card.covers(game.open) ? 0 : 100);\nfunction chooseCard",
    ),
}


@pytest.mark.parametrize("language", few(THRIFTY))
def test_a_few_lines_in_the_shell_solve_the_problem(language: str, tmp_path: Path) -> None:
    needs(language)
    shell = shell_of(language)
    source = (KIT / shell).read_text()
    for old, new in (THRIFTY[language], HELPERS.get(language, ("", ""))):
        assert old in source
        source = source.replace(old, new, 1)
    (tmp_path / shell).write_text(source)
    events = judged(program_of(GAME, str(tmp_path / shell)), games=200)
    assert GAME.judgement({}, events) == "correct"
    assert sum(event["scores"][0] for event in events if event["event"] == "result") > 20


OWN_MAIN = """\
#include <stdio.h>
int hand, dealt, open_card, best, covers;
int main(void) { char line[200]; while (fgets(line, sizeof line, stdin)) fprintf(stderr, "%s", line); return 0; }
"""


@pytest.mark.parametrize("language", few(["c", "cpp"]))
def test_a_program_of_ones_own_builds_beside_the_library(language: str, tmp_path: Path) -> None:
    """With its own `main` and any names: the library is a header that nobody has to use."""
    needs(language)
    source = tmp_path / f"evensteven{RECIPES[language].extensions[0]}"
    source.write_text(OWN_MAIN)
    assert program_of(GAME, str(source)).ask(b"1 2c\n", seconds=60).errors == b"1 2c\n"
