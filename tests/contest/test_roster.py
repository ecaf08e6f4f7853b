"""Importing many teams: errors are reported line by line, and all teams are entered or none."""

import csv
import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from contest import roster, teams
from contest.models import Team
from contest.refusal import Refused
from tests.cast import Cast
from tests.contest.test_views import text_of
from tests.tournaments.visitors import visitor


def post(cast: Cast, user: Any = None, **data: Any) -> Any:
    url = reverse("desk-teams-import", args=[cast.contest.slug])
    return visitor(user or cast.olga).post(url, data, follow=True)


def read(cast: Cast, text: str) -> list[tuple[int, str, str, int | None]]:
    entries = roster.read(cast.contest, text)
    assert not any(entry.problems for entry in entries), [entry.problems for entry in entries]
    return [(entry.line, entry.name, entry.school, entry.seed) for entry in entries]


def test_a_list_with_and_without_a_head_line(cast: Cast) -> None:
    assert read(cast, "Owls, Granite High, 2\n\n  Night\u00a0 Owls \n") == [
        (1, "Owls", "Granite High", 2),
        (3, "Night Owls", "", None),
    ]
    assert read(cast, "Owls;North, Hall;2,0") == [(1, "Owls", "North, Hall", 2)]
    assert read(cast, "Tom, Dick, Harry\tNorth, Hall\t2") == [(1, "Tom, Dick, Harry", "North, Hall", 2)]
    assert read(cast, "Cats, Dogs, Birds;;2") == [(1, "Cats, Dogs, Birds", "", 2)]
    assert read(cast, "Seed;Coach;Team\n3;Bob;Owls\n;;Larks") == [(2, "Owls", "", 3), (3, "Larks", "", None)]


@pytest.mark.parametrize("text", ["School;Seed\nNorth;1", "Club name,School\nOwls,North", "Seed\tClub\n1\tOwls"])
def test_a_heading_without_the_teams_name_makes_no_team(cast: Cast, text: str) -> None:
    with pytest.raises(Refused, match="none for the team’s name"):
        roster.read(cast.contest, text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("sep=;\r\nname;school;seed\r\nOwls;North;1\r\nLarks;South;2\r\n", []),
        ('"sep=;"\nTeam;School;Seed\nOwls;North;1.0\nLarks;South;2,0', []),
        ("\ufeffsep=\t\nseed number\tTEAM NAME\tUniversity\n1\tOwls\tNorth\n2\tLarks\tSouth", []),
        ('sep=|\n"\ufeffTeam"|Coach|School|Seed\nOwls|Ada|North|01\nLarks|Alan|South|2.', ["Coach"]),
        ("Name,Team,School,Seed\nAda Lovelace,Owls,North,1\nAlan Turing,Larks,South,2", ["Name"]),
        ("\ufeffTeam,Name,School,Seed No.\nOwls,Ada Lovelace,North,1\nLarks,Alan Turing,South,2", ["Name"]),
        ('"Team; or club",Team,School,Seed\nx,Owls,North,1\nx,Larks,South,2', ["Team; or club"]),
        ('"TEAM\nNAME";"School; or company";"Seed\nNo."\n"Owls";North;1\nLarks;South;2\n', []),
        ("Owls,North,1,Ada,0\nLarks,South,2.0,Alan,0", ["column 4", "column 5"]),
        ("Team,School,Seed,,\nOwls,North,1,,Ada\nLarks,South,2,,,0", ["column 5", "column 6"]),
    ],
)  # fmt: skip
def test_a_list_is_read_as_spreadsheets_write_it(cast: Cast, text: str, left: list[str]) -> None:
    found = roster.read(cast.contest, text)
    assert [(entry.name, entry.school, entry.seed, entry.problems) for entry in found] == [
        ("Owls", "North", 1, []),
        ("Larks", "South", 2, []),
    ]
    assert (found.left, [column for _, column in found.used if column == "name"]) == (left, ["name"])
    page = text_of(post(cast, text=text))
    assert all(f"“{title}”" in page for title in [*left, *(title for title, _ in found.used)])
    last = 1 + max(text.rstrip().count("\n"), text.rstrip().count("\r\n"))
    assert found[-1].line == last, "lines count as in the file"


@pytest.mark.parametrize("name", ["desk-teams-csv", "desk-codes-csv", "standings-csv", "matches-csv", "desk-data-file"])
def test_a_table_for_people_begins_with_the_mark_that_excel_needs(cast: Cast, name: str) -> None:
    teams.edit(cast.aces, cast.alice, "Zürich", "")
    where = [cast.contest.slug, *(["trail.csv"] if name == "desk-data-file" else [])]
    content = visitor(cast.olga).get(reverse(name, args=where)).getvalue()
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\xef\xbb\xbf") == 1


def test_a_name_with_a_mark_of_lists_is_doubted_and_can_be_entered(cast: Cast) -> None:
    found = roster.read(cast.contest, "Owls;Granite High,,2\nLarks,,3")
    assert [bool(entry.doubts) for entry in found] == [True, False]
    page = text_of(post(cast, text="Owls;Granite High,,2"))
    assert "Check 1 of 1 names" in page
    assert "part of the name" in page
    post(cast, text="Owls;Granite High,,2", enter="")
    assert Team.objects.filter(name="Owls;Granite High").exists()


def test_every_line_says_what_is_wrong_with_it(cast: Cast) -> None:
    teams.set_seeds(cast.contest, cast.ada, {cast.aces.pk: 1})
    lines = [
        "Owls,,1",
        "aces",
        "owls",
        "Larks,,0",
        f"{'x' * 61},{'y' * 101}",
        ",School,2",
        "A,,3",
        "B,,3",
        "C,,1.5",
        "D,,0000000012",
    ]
    problems = {entry.line: " ".join(entry.problems) for entry in roster.read(cast.contest, "\n".join(lines))}
    assert problems[1] == "Seed number 1 belongs to “Aces”."
    assert problems[2] == "“aces” is already the name of a team of this contest."
    assert problems[3] == "“owls” is already the name of line 1."
    assert "“0” is not a seed number" in problems[4]
    assert "The name has 61 characters" in problems[5]
    assert "The school has 101 characters" in problems[5]
    assert problems[6] == "A team needs a name."
    assert problems[7] == ""
    assert problems[8] == "Seed number 3 belongs to line 7."
    assert "“1.5” is not a seed number" in problems[9]
    assert "“0000000012” is not a seed number" in problems[10]


def test_all_are_entered_or_none(cast: Cast) -> None:
    entries = roster.read(cast.contest, "Owls\nLarks\n")
    teams.add(cast.contest, cast.ada, "Larks")  # meanwhile
    with pytest.raises(Refused, match="Line 2: “Larks” is already"):
        roster.enter(cast.contest, cast.olga, entries)
    assert not Team.objects.filter(name="Owls").exists()


def test_a_file_is_looked_over_and_entered(cast: Cast) -> None:
    file = SimpleUploadedFile("teams.csv", "name,seed\nÖwls,2\nLarks,1\n".encode("cp1252"))
    page = post(cast, file=file)
    assert page.status_code == 200
    assert "2 teams and no problems" in text_of(page)
    assert not Team.objects.filter(name="Öwls").exists()
    said = text_of(post(cast, text=page.context["text"], enter=""))
    assert "2 teams have entered" in said
    assert list(Team.objects.filter(name__in=["Öwls", "Larks"]).values_list("seed", "state").order_by("seed")) == [
        (1, "approved"),
        (2, "approved"),
    ]
    act = cast.contest.acts.get(verb="import teams")
    assert (act.target, act.user, len(act.data["teams"])) == ("2 teams", cast.olga, 2)


def test_the_codes_are_a_list_to_hand_out(cast: Cast) -> None:
    teams.withdraw(cast.clubs, cast.carl)
    url = reverse("desk-codes-csv", args=[cast.contest.slug])
    rows = list(csv.DictReader(io.StringIO(visitor(cast.olga).get(url).getvalue().decode("utf-8-sig"))))
    assert [(row["team"], row["members"], row["joining code"]) for row in rows] == [("Aces", "2", cast.aces.code)]
    assert rows[0]["link"].endswith(f"/enter/?code={cast.aces.code}")


def test_the_sheet_has_the_codes_that_nobody_has_used_and_is_kept_nowhere(cast: Cast) -> None:
    new = teams.add(cast.contest, cast.olga, "Owls")
    url = reverse("desk-teams-codes", args=[cast.contest.slug])
    page = visitor(cast.olga).get(url)
    assert [code in text_of(page) for code in (new.code, cast.aces.code)] == [True, False]
    assert "no-store" in page["Cache-Control"]
    local = visitor(cast.olga).get(url, headers={"host": "localhost:8000"})
    assert ["PORTAL_URL" in text_of(it) for it in (page, local)] == [False, True], "its address leads teams nowhere"
    page = visitor(cast.olga).get(url, {"all": 1})
    assert [code in text_of(page) for code in (new.code, cast.aces.code)] == [True, True]
