"""The kit of Hearts in all its languages: built with the real compilers, played through the real referee."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games import get
from games.build import program_of
from games.kits import example
from games.players import Seated
from games.programs import LocalProgram
from games.referee import Match, play
from games.routines import RoutinePlayer
from tests.games.hearts.test_wire import example as lines_of_the_page
from tests.games.workshop import few, named, needs

GAME = get("hearts")
KIT = Path(str(GAME.folder)) / "kit"
PROBES = Path(__file__).parent / "probes"
LANGUAGES = tuple(GAME.kit_sources)
PROBED = ("c", "cpp", "pascal", "python")
"""Languages with a probe, which tells everything that it hears."""

SILENT = ("go", "tcl")
"""Languages whose kit reports no processor time."""


@cache
def built(path: Path) -> LocalProgram:
    return program_of(GAME, str(path))


def starter(stem: str, language: str) -> LocalProgram:
    needs(language)
    if stem == "random":
        return built(KIT / example(GAME, language))
    return built(KIT / named(stem, language))


def match(programs: list[LocalProgram], *, games: int = 1, seed: int = 1, **options: Any) -> Match:
    options = GAME.options({"time_limit": 60, **options})
    done = play(GAME, seated(programs, 100), seed=seed, options=options, preset="mactech-1998", games=games)
    assert done.faults == [[], [], [], []]
    return done


def told(program: LocalProgram, lines: list[str]) -> tuple[list[str], str]:
    """An entry's answers to these lines, and its standard error."""
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(
        program._command, cwd=program._folder, input=text, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.splitlines(), done.stderr


def seated(programs: list[LocalProgram], first_id: int) -> list[Seated]:
    players = [RoutinePlayer(program, startup=60) for program in programs]
    return [Seated(f"P{n}", "bot", player, id=first_id + n) for n, player in enumerate(players)]


# The header -----------------------------------------------------------------------------------------------------------


PRINTED = """\
pascal void InitTournament(const UInt16 numPlayers, const UInt16 gameEndingScore);
pascal void InitGame(const Uint32 playerID[4], const UInt16 yourSeat);
pascal void SelectPass(const Card dealtHand[13], const Pass passDirection, UInt16 passedCards[3]);
pascal void PlayTrick(const UInt16 trickNumber, const UInt16 trickLeader, const Card yourHand[13], \
const Card cardsPlayed[4], UInt16 *yourPlay);
pascal void TrickResults(const Card lastTrick[4], const UInt16 trickWinner);
pascal void HandResults(const SInt16 pointsThisHand[4], const SInt32 cumPoints[4]);
typedef enum {kNoSuit=0, kSpade, kHeart, kDiamond, kClub} Suit;
typedef enum {kNoSpot=0, k2, k3, k4, k5, k6, k7, k8, k9, k10, kJack, kQueen, kKing, kAce} Spot;
typedef enum {kPassLeft=0, kPassRight, kPassAcross, kNoPass} Pass;
typedef struct Card { Suit suit; Spot spot; } Card;
"""


def test_the_header_has_the_prototypes_as_they_were_printed() -> None:
    text = re.sub(r"/\*.*?\*/", " ", (KIT / "mactech98.h").read_text(), flags=re.S)
    words = re.sub(r"\s+", " ", text).replace("( ", "(").replace(" )", ")")
    for declaration in PRINTED.splitlines():
        assert declaration in words


# The harness ----------------------------------------------------------------------------------------------------------

HEARD = """\
tournament 16 20
game 7 3 12 5 seat 2
pass 0: 4.10 3.9 4.9 2.12 3.11 4.8 1.6 3.10 2.6 3.8 4.12 3.12 1.7
play 0 leader 1 table 0.0 4.1 0.0 0.0
hand 1.12 2.13 2.2 2.12 3.11 4.8 1.6 3.10 2.6 3.8 4.12 3.12 1.7
winner 3 4.4 4.1 4.8 4.10
play 1 leader 3 table 3.5 3.4 0.0 3.9
hand 1.12 2.13 2.2 2.12 3.11 0.0 1.6 3.10 2.6 3.8 4.12 3.12 1.7
winner 2 3.5 3.4 3.11 3.9
play 2 leader 2 table 0.0 0.0 0.0 0.0
hand 1.12 2.13 2.2 2.12 0.0 0.0 1.6 3.10 2.6 3.8 4.12 3.12 1.7
winner 2 1.3 1.11 1.12 1.1
"""


def asked() -> list[str]:
    return [line[2:] for line in lines_of_the_page() if line.startswith("> ")]


def answered(lines: list[str], language: str = "c") -> list[str]:
    assert all(language in SILENT or re.search(r" cpu \d+$", line) for line in lines)
    return [line.partition(" cpu ")[0] for line in lines]


EXPECTED = [line[2:].partition(" cpu ")[0] for line in lines_of_the_page() if line.startswith("< ")]


@pytest.mark.parametrize("language", few(PROBED))
def test_the_routines_are_called_with_what_the_page_says(language: str) -> None:
    """The game on the rules page: all calls and arguments, the first computed by hand, the same in all languages."""
    needs(language)
    answers, heard = told(built(PROBES / named("probe", language)), asked())
    assert answered(answers) == EXPECTED
    assert heard.startswith(HEARD)
    assert heard.endswith("points 0 0 22 4 total 0 0 22 4 mine 22\n")
    assert heard.count("winner") == heard.count("play") == 13
    if language != "c":
        assert heard == told(built(PROBES / "probe.c"), asked())[1]


@pytest.mark.parametrize("language", few(PROBED))
def test_select_pass_is_called_when_nothing_is_passed(language: str) -> None:
    needs(language)
    lines = ["hello", "hand none " + asked()[3].partition("hand left ")[2], "play 0 1 2C"]
    answers, heard = told(built(PROBES / named("probe", language)), lines)
    assert answered(answers) == ["ready", "5"]
    assert heard.startswith("pass 3: 4.10 3.9 ")
    assert "\nhand 4.10 3.9 4.9 " in heard, "the answer was ignored"


@pytest.mark.parametrize("language", few(LANGUAGES))
@pytest.mark.parametrize("how", ["carriage returns", "blanks", "unknown words"])
def test_lines_as_somebody_may_type_them(language: str, how: str) -> None:
    lines = asked()
    if how == "carriage returns":
        lines = [f"{line}\r" for line in lines]
    elif how == "blanks":
        lines = [part for line in lines for part in ("", f"  {line.replace(' ', '   ')}\t")]
    else:
        lines = [part for line in lines for part in ("comment " + "x" * 200, line)]
    answers, _ = told(starter("shell", language), lines)
    assert answered(answers, language) == EXPECTED


@pytest.mark.parametrize(
    ("old", "new", "routine", "answer", "got"),
    [
        ("return [0, 1, 2]", "return ('0', 1, 2)", "select_pass", "0 1 2", "'0', of type str"),
        (", points_played)[0]", ", points_played)", "play_trick", "[0, 1]", "[0, 1], of type list"),
        ("return legal", "return your_hand[0] or legal", "play_trick", "10S", "Card(suit=1, spot=9), of type Card"),
    ],
)
def test_the_python_kit_says_what_it_got_instead_of_an_index(
    tmp_path: Path, old: str, new: str, routine: str, answer: str, got: str
) -> None:
    source = (KIT / "shell.py").read_text()
    assert old in source
    (tmp_path / "wrong.py").write_text(source.replace(old, new))
    hand = "10S 3S 4D 5D 6D 7D 8D 9D 10D JD QD KD AD"
    passes = routine == "select_pass"
    lines = ["hello", f"hand {'left' if passes else 'none'} {hand}", "pass" if passes else "play 1 1 2S"]
    answers, heard = told(program_of(GAME, str(tmp_path / "wrong.py")), lines)
    assert answered(answers)[-1] == answer
    assert heard == f"mactech98: {routine} returned {got}: an index is an int, 0 ... 12\n"


# Players --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", few(PROBED))
def test_the_random_player_plays_a_whole_match(language: str) -> None:
    done = match([starter("random", language)] * 4, games=3)
    assert done.debug == [[], [], [], []]
    assert sum(event["event"] == "result" for event in done.record["events"]) == 3


def choices(programs: list[LocalProgram]) -> list[tuple[int, object]]:
    events = match(programs, games=2).record["events"]
    return [(event["seat"], event.get("card", event.get("cards"))) for event in events if "ms" in event]


@pytest.mark.parametrize(
    "languages",
    [
        ("python", "c", "python", "c"),
        *(
            pytest.param((LANGUAGES + LANGUAGES)[at : at + 4], marks=pytest.mark.long("kits"))
            for at in range(0, len(LANGUAGES), 4)
        ),
    ],
    ids="-".join,
)
def test_the_shells_of_all_languages_play_alike(languages: tuple[str, ...]) -> None:
    """All implementations of the harness agree on the places in the hand throughout, four of them at one table."""
    assert choices([starter("shell", language) for language in languages]) == choices([starter("shell", "c")] * 4)


@pytest.mark.parametrize("language", few(PROBED))
def test_a_process_lasts_for_the_match_and_hears_who_plays(language: str) -> None:
    needs(language)
    programs = [starter("shell", language)] * 3 + [built(PROBES / named("probe", language))]
    done = play(
        GAME,
        seated(programs, 70),
        seed=3,
        options=GAME.options({"target": 1, "time_limit": 60, "disqualify": False}),
        preset="mactech-1998",
        games=3,
        entrants=30,
    )
    heard = "".join(piece.text for piece in done.debug[3])
    assert heard.startswith("tournament 30 1\ngame 70 71 72 73 seat 3\n")
    assert re.findall("game (.*)", heard) == ["70 71 72 73 seat 3", "70 71 73 72 seat 2", "70 72 71 73 seat 3"]
    assert heard.count("tournament") == 1
    assert heard.count("points") == heard.count("pass 0")
    for event in done.faults[3]:  # it plays the places of another game
        assert event["kind"] == "illegal"
