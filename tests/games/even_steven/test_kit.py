"""The kit of Even Steven in all its languages: built with the real compilers, played through the real referee."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games import get
from games.build import program_of
from games.kits import example, kit_files, kit_names, play_commands
from games.players import ProcessPlayer, Seated
from games.programs import LocalProgram
from games.referee import play
from games.toolchains import RECIPES
from tests.games.even_steven import samples as printed

GAME = get("even_steven")
KIT = Path(str(GAME.folder)) / "kit"
LANGUAGES = list(GAME.kit_sources)
DEFAULT = ("c", "python")


def few(languages: Iterable[str]) -> list[Any]:
    """C and Python by default, the others in the part of the kits."""
    return [name if name in DEFAULT else pytest.param(name, marks=pytest.mark.long("kits")) for name in languages]


def needs(language: str) -> None:
    if missing := RECIPES[language].missing():
        pytest.skip(f"{missing[0]} is not installed (it builds {RECIPES[language].title})")


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


def test_there_is_a_kit_for_each_language() -> None:
    assert kit_names(GAME) == (*RECIPES, "all")
    for language in LANGUAGES:
        assert len(starters(language)) == 2
        assert example(GAME, language).lower().startswith("random")
    assert play_commands(GAME, "c")[0][2:5] == ["play", "even_steven", "random.c"]


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


# The shell's choice, and a better one. Scala compiles for ten seconds, and what it would show, Java's shows.
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
    "go": ("return game.Hand[0]", "return best(game)"),
    "javascript": ("return game.hand[0];", "return [...game.hand].sort((a, b) => key(game, a) - key(game, b))[0];"),
    "rust": (
        "    game.hand[0]\n",
        "    *game.hand.iter().min_by_key(|card| (!card.covers(_open), card.value)).unwrap()\n",
    ),
    "perl": (
        "return $game->{hand}[0];",
        "return (sort { key($game, $a) <=> key($game, $b) } @{ $game->{hand} })[0];",
    ),
    "lua": (
        "return game.hand[1]",
        "local all = { table.unpack(game.hand) }\n"
        "  local function key(card) return card.value + (steven.covers(card, game.open) and 0 or 100) end\n"
        "  table.sort(all, function(a, b) return key(a) < key(b) end)\n"
        "  return all[1]",
    ),
    "php": (
        "return $game->hand[0];",
        "$key = fn (Card $card): int => $card->value + ($card->covers($game->open) ? 0 : 100);\n"
        "    return array_reduce($game->hand, fn ($a, $b) => $a && $key($a) <= $key($b) ? $a : $b);",
    ),
    "ruby": (
        "  game.hand.first\n",
        "  game.hand.min_by { |card| [card.covers?(game.open) ? 0 : 1, card.value] }\n",
    ),
    "tcl": (
        "return [lindex $steven::hand 0]",
        "set keys [lmap card $steven::hand "
        "{list [expr {[steven::covers $card $steven::open] ? 0 : 1}] [steven::value $card] $card}]\n"
        "    return [lindex [lsort -integer -index 0 [lsort -integer -index 1 $keys]] 0 2]",
    ),
    "haskell": (
        "chooseCard game _open = head (hand game)",
        "chooseCard game open = snd (minimum [((not (covers c open), value c), c) | c <- hand game])\n"
        "instance Ord Card where compare a b = compare (value a) (value b)",
    ),
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
    "go": (
        "func chooseCard",
        """func best(game *Game) Card {
	best := game.Hand[0]
	for _, card := range game.Hand {
		covers := card.Covers(game.Open)
		if covers != best.Covers(game.Open) && covers || covers == best.Covers(game.Open) && card.Value < best.Value {
			best = card
		}
	}
	return best
}

func chooseCard""",
    ),
    "javascript": (
        "function chooseCard",
        "const key = (game, card) => card.value + (card.covers(game.open) ? 0 : 100);\nfunction chooseCard",
    ),
    "perl": (
        "sub choose_card",
        "sub key { my ($game, $card) = @_; return $card->{value} + ($card->covers($game->{open}) ? 0 : 100) }\n"
        "sub choose_card",
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


@pytest.mark.parametrize("language", few(["c", "cpp"]))
def test_they_compile_without_a_warning(tmp_path: Path, language: str) -> None:
    needs(language)
    for file in kit_files(GAME, language):
        shutil.copy(KIT / file, tmp_path)
    for name in starters(language):
        (command,) = RECIPES[language].build_commands(name, GAME.kit_sources[language])
        command[1:1] = ["-Wall", "-Wextra", "-pedantic", "-Wconversion"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0
        assert not re.search("warning|error", done.stderr), done.stderr
