"""The kit of Tricky Eights in all its languages: built with the real compilers, played through the real referee."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from games.debug import OURS
from games.kits import example
from games.players import ProcessPlayer, Seated
from games.programs import LocalProgram
from games.referee import Match, play
from games.toolchains import RECIPES
from games.tricky_eights.rules import INDEX, SEATS
from games.tricky_eights.wire import LineWire
from tests.games.workshop import GAME, KIT, LANGUAGES, PROBES, Workshop, few, named, needs, rules_blocks

COMPILED = ["c", "cpp", "pascal"]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("kits"))


def match(programs: list[LocalProgram], *, target: int = 300, seed: int = 1) -> Match:
    seats = [Seated(SEATS[seat], "bot", ProcessPlayer(program, startup=60)) for seat, program in enumerate(programs)]
    options = GAME.options({"target": target, "time_limit": 60})
    return play(GAME, seats, seed=seed, options=options, preset="utah-1998")


def run(workshop: Workshop, *words: str, **env: str) -> tuple[list[str], str]:
    """An entry's answers to these lines, without what it says of its processor time: a runtime that compiles while it
    runs may need ten milliseconds for any function."""
    answers, heard = workshop.run(*words, **env)
    return [answer.partition(" cpu ")[0] for answer in answers], heard


# The rules page is true -----------------------------------------------------------------------------------------------


def whole_round() -> list[str]:
    (text,) = rules_blocks("> starthand")
    return text.splitlines()


def test_the_round_on_the_rules_page_is_what_the_wire_sends() -> None:
    """Given the events of that round, south's wire sends exactly these lines, question by question."""
    lines = whole_round()
    words = lines[0].split()[3:]
    wire = LineWire(2)
    hand = {"event": "hand", "number": 1, "dealer": 0, "hands": [None, None, words[:10], None], "pool": words[10:]}
    wire.tell(hand)
    summaries = [line.split()[1:] for line in lines if line.startswith(("> aftertake", "> result"))]
    sent: list[str] = []
    for command, *pairs in summaries:
        for player, card in zip(pairs[::2], pairs[1::2], strict=True):
            if player == "s":
                question, count = wire.question()
                assert question.count(b"\n") == count
                sent += [f"> {line}" for line in question.decode().splitlines()] + [f"< {card}"]
                assert wire.parse(card.encode()) == INDEX[card]
            kind = "take" if command == "aftertake" else "play"
            wire.tell({"event": kind, "seat": "nesw".index(player), "card": card})
        if command == "result":
            wire.tell({"event": "trick", "winner": 0, "points": 1})
    wire.tell({"event": "score", "hand": [6, 3, 11, 5], "total": [6, 3, 11, 5]})
    sent += [f"> {line}" for line in wire.farewell().decode().splitlines()]
    assert sent == lines


# The library ----------------------------------------------------------------------------------------------------------


HEARD = """\
game 0
round 1 dealer north me south hand 10 pool 12 clubs 2
takes over hand 13 east hk where 2 owner east
trick 1 leader north lie 2 worth 3 legal 1 dk ok 1 wins 1 higher 1
trick 2 leader south lie 0 worth 1 legal 12 h9 ok 1 wins 1 higher 3
trick 3 leader north lie 2 worth 3 legal 3 ca ok 1 wins 1 higher 0
trick 4 leader south lie 0 worth 1 legal 10 h2 ok 1 wins 1 higher 4
trick 5 leader east lie 1 worth 1 legal 9 s8 ok 1 wins 0 higher 4
trick 6 leader west lie 3 worth 1 legal 2 sq ok 1 wins 1 higher 2
trick 7 leader south lie 0 worth 1 legal 7 h4 ok 1 wins 1 higher 1
trick 8 leader west lie 3 worth 3 legal 6 hj ok 1 wins 0 higher 0
trick 9 leader north lie 2 worth 1 legal 2 c7 ok 1 wins 0 higher 3
trick 10 leader west lie 3 worth 1 legal 1 st ok 1 wins 0 higher 1
trick 11 leader east lie 1 worth 1 legal 3 h5 ok 1 wins 0 higher 0
trick 12 leader east lie 1 worth 1 legal 1 ck ok 1 wins 1 higher 0
trick 13 leader south lie 0 worth 3 legal 1 ha ok 1 wins 1 higher 0
end 6 3 11 5 total 6 3 11 5
past south 3 out 0101 left 0 seen 1 next north worth 5
"""


def probe(language: str) -> tuple[str, str]:
    name = named("probe", language)
    return name, (PROBES / name).read_text()


def server_lines(lines: list[str]) -> list[str]:
    return [line[2:] for line in lines if line.startswith("> ")]


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_the_library_understands_the_commented_game(workshop: Workshop, language: str) -> None:
    """Everything that GAME and the helpers tell about that round, computed by hand: the same in all languages."""
    name, source = probe(language)
    answers, heard = run(workshop, language, name, "\n".join(server_lines(whole_round())) + "\n", source)
    assert answers == [line[2:] for line in whole_round() if line.startswith("< ")]
    assert heard == HEARD


def odd(kind: str) -> str:
    """The commented game as somebody might send or type it."""
    lines = server_lines(whole_round())
    if kind == "other spellings":  # the two on the rules page
        (spellings,) = rules_blocks("> resultoftrick")
        result, end = (line[2:].split()[0] for line in spellings.splitlines())
        assert (result, end) == ("resultoftrick", "end")
        lines = [re.sub("^result ", f"{result} ", line) for line in lines[:-1]] + [spellings.splitlines()[1][2:]]
    elif kind == "as printed in 1998":  # two cards too many, and the answer behind each request
        lines[0] += " sa c6"
        answers = iter([line[2:] for line in whole_round() if line.startswith("< ")])
        lines = [f"{line} {next(answers)}" if line.startswith(("take", "play")) else line for line in lines]
    elif kind == "blank lines and blanks":
        lines = [part for line in lines for part in ("", f"  {line.replace(' ', '   ')}\t ", "")]
    elif kind == "unknown words":
        lines = ["hello", *(part for line in lines for part in ("comment " + "x" * 5000, line))]
    elif kind == "one endless line":
        return " ".join(lines)
    return "\r\n".join(lines) + "\r\n" if kind == "carriage returns" else "\n".join(lines) + "\n"


@pytest.mark.parametrize("language", few(LANGUAGES))
@pytest.mark.parametrize(
    "kind",
    [
        "other spellings",
        "as printed in 1998",
        "blank lines and blanks",
        "carriage returns",
        "unknown words",
        "one endless line",
    ],
)
def test_the_library_takes_every_spelling(workshop: Workshop, language: str, kind: str) -> None:
    name, source = probe(language)
    answers, heard = run(workshop, language, name, odd(kind), source)
    assert len(answers) == 16
    assert heard == HEARD


WRONG = [
    "acm98: takecard returned h5, which is not in the pool",
    "acm98: playcard returned dk, which does not follow suit",
    "acm98: playcard returned h5, which is not in your hand",
]


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_the_library_says_what_is_wrong_and_sends_it_all_the_same(workshop: Workshop, language: str) -> None:
    """The probe's answers, to other questions: there is no five of hearts, and north leads a heart."""
    name, source = probe(language)
    text = "\n".join(server_lines(whole_round())) + "\n"
    for old, new in ((" h5 hk\n", " h6 hk\n"), ("play n d9 e d3 s\n", "play n h3 s\n")):
        assert old in text
        text = text.replace(old, new, 1)
    answers, heard = run(workshop, language, name, text, source)
    assert answers == [line[2:] for line in whole_round() if line.startswith("< ")]
    said = [line.lower().replace("_", "") for line in heard.splitlines() if "returned" in line]
    assert said == WRONG


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("'sa'", "'sa', of type str"),
        ("None", "None, of type NoneType"),
        ("99", "99, of type int"),
        ("4.0", "4.0, of type float"),
    ],
)
def test_the_python_library_says_what_it_got_instead_of_a_card(workshop: Workshop, returned: str, told: str) -> None:
    source = (KIT / "shell.py").read_text()
    assert "return GAME.pool[0]" in source
    source = source.replace("return GAME.pool[0]", f"return {returned}")
    source = source.replace("return legal_cards()[0]", f"return {returned}")
    text = "\n".join(server_lines(whole_round())[:8]) + "\n"
    answers, heard = run(workshop, "python", "no_card.py", text, source)
    assert set(answers) == {"??"}
    for routine in ("take_card", "play_card"):
        assert f"acm98: {routine} returned {told}: a card is an int, 0 ... 51\n" in heard


@pytest.mark.parametrize("language", few(COMPILED[:2]))
def test_the_compiler_refuses_to_change_game(tmp_path: Path, language: str) -> None:
    needs(language)
    name = named("scribble", language)
    shell = (KIT / named("shell", language)).read_text()
    (tmp_path / name).write_text(shell.replace("return GAME.pool[0];", "return GAME.pool[0] = 3;"))
    command = [RECIPES[language].build[0], "-I", str(KIT), "-fsyntax-only", name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "read-only" in done.stderr


# The probes of the other languages scribble in every function, or cannot: Rust, Haskell and Scala do not let them.
# The players of the kits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_the_random_player_plays_a_whole_game_in_every_seat(workshop: Workshop, language: str) -> None:
    command, folder = workshop.build(language, example(GAME, language))
    done = match([LocalProgram(command, folder) for _ in range(4)])
    assert done.faults == [[], [], [], []]
    said = [piece.text for pieces in done.debug for piece in pieces]
    assert not [text for text in said if OURS.sub("", text).strip()]
    assert max(done.record["result"]["scores"]) >= 300


def taken_and_played(workshop: Workshop, languages: list[str]) -> list[tuple[int, str]]:
    """What the shells of four languages take and play: the first legal card."""
    done = match(
        [LocalProgram(*workshop.build(language, named("shell", language))) for language in languages], target=80
    )
    assert done.faults == [[], [], [], []]
    return [(it["seat"], it["card"]) for it in done.record["events"] if it["event"] in ("take", "play")]


@pytest.mark.parametrize(
    "table",
    [
        ["c", "python", "c", "python"],
        *(pytest.param(LANGUAGES[at : at + 4], marks=pytest.mark.long("kits")) for at in range(0, len(LANGUAGES), 4)),
    ],
    ids="-".join,
)
def test_the_shells_of_all_languages_play_alike(workshop: Workshop, table: list[str]) -> None:
    """At tables of four languages: all implementations of the library agree on order and legality throughout."""
    table = [table[seat % len(table)] for seat in range(4)]
    assert taken_and_played(workshop, table) == taken_and_played(workshop, ["python"] * 4)


@pytest.mark.parametrize("language", few(COMPILED))
def test_four_megabytes_are_enough(workshop: Workshop, language: str) -> None:
    """The memory of 1998, as address space: the strictest way to count it."""
    command, folder = workshop.build(language, named("random", language))
    limited = ["sh", "-c", f"ulimit -v 4096 && exec {shlex.join(command)}"]
    done = match([LocalProgram(limited, folder) for _ in range(4)], target=100)
    assert done.faults == [[], [], [], []]


@pytest.mark.parametrize("language", few(LANGUAGES))
def test_nobody_can_tell_which_random_numbers_come_next_unless_he_sets_them(workshop: Workshop, language: str) -> None:
    name = example(GAME, language)
    text = "\n".join(server_lines(whole_round())) + "\n"
    assert len({tuple(run(workshop, language, name, text)[0]) for _ in range(4)}) > 2
    fixed = [run(workshop, language, name, text, ACM98_SEED=seed)[0] for seed in ("7", "7", "8")]
    assert fixed[0] == fixed[1] != fixed[2]


# Time -----------------------------------------------------------------------------------------------------------------


C_BURN = """
#include <time.h>
static void Burn(void)
{
    clock_t end = clock() + CLOCKS_PER_SEC / 20;
    while (clock() < end) {}
}
"""

PASCAL_BURN = """
uses
  BaseUnix, Linux, acm98;

procedure Burn;
var
  now, ending: TTimeSpec;
begin
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, @ending);
  repeat
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, @now);
  until (now.tv_sec - ending.tv_sec) * 1000000000 + now.tv_nsec - ending.tv_nsec > 50000000;
end;
"""

PYTHON_BURN = """
import time

def burn():
    end = time.process_time() + 0.05
    while time.process_time() < end:
        pass
"""

BURN = {
    "c": (r"(StartRound|PlayCard)\(void\)\n\{", r"\g<0> Burn();", '#include "acm98.h"', C_BURN),
    "cpp": (r"(StartRound|PlayCard)\(\)\n\{", r"\g<0> Burn();", '#include "acm98.h"', C_BURN),
    "pascal": (r"(StartRound|PlayCard).*\n(var.*\n.*\n)?begin", r"\g<0> Burn;", "", PASCAL_BURN),
    "python": (r"def (start_round|play_card)\(\):\n", r"\g<0>    burn()\n", "from acm98 import *", PYTHON_BURN),
}


def burning(language: str) -> tuple[str, str]:
    """The shell, which uses 50 ms of processor time in StartRound and in PlayCard."""
    pattern, call, head, burn = BURN[language]
    source = (KIT / named("shell", language)).read_text()
    source, count = re.subn(pattern, call, source)
    assert count == 2
    if language == "pascal":
        return named("burning", language), source.replace("\nuses\n  acm98;\n", burn)
    return named("burning", language), source.replace(head, head + burn)


CLOCKLESS = {"go", "tcl"}
"""These have no clock of their processor time on all systems, so their libraries report nothing."""


@pytest.mark.parametrize("language", few(language for language in LANGUAGES if language not in CLOCKLESS))
def test_the_library_reports_what_each_function_used(workshop: Workshop, language: str) -> None:
    """At least that. tests/clocks/test_reports_of_kits.py compares it with what the kernel counted."""
    answers, _ = workshop.run(language, *said_by_burning(language), BURN="1")
    reports = [dict(re.findall(r" (\w+) (\d+)", answer)) for answer in answers]
    for report, function in zip(reports, ["StartRound", None, None, *["PlayCard"] * 13], strict=True):
        assert function is None or int(report[function]) >= 50


def said_by_burning(language: str) -> tuple[str, str, str]:
    """The name of a program that burns, what it is told, and its source."""
    # The probes of the languages that came later burn when they are asked to.
    name, source = burning(language) if language in BURN else probe(language)
    return name, "\n".join(server_lines(whole_round())) + "\n", source
