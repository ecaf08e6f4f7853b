"""The rule of names: what is kept of what people type, which names are the same, how they stand in sentences."""

import json
from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import TextField
from django.db.models.functions import Cast as AsText
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from contest import contests, roster, teams
from contest.forms import SeedsPasteForm, TeamForm
from contest.models import Act, Team, User
from contest.names import Name, addresses, folded, one_line
from contest.refusal import Refused
from tests.cast import PASSWORD, Cast, make_user
from tests.contest.test_accounts import sign_up

HEBREW, HEBREW_2, ARABIC = "אריות", "נמרים", "فريق 7"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
TALL = "Z\u0335\u0321\u0327\u0330\u0331\u0332\u0333\u0339"
UNSEEN = ("\u200b\U0001d159", "\u3164\u2800", "\u115f\u1160", "\uffa0", "\u00ad", "\u200d", "\u0301\ufe0f", "\u034f")
SAME = [
    ("öko", "ÖKO"),
    ("Zürich", "Zu\u0308rich"),
    ("Straße", "STRASSE"),
    ("Ｏｗｌｓ", "Owls"),
    ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
    ("می\u200cخواهم", "میخواهم"),
    ("Owls\u200b", "owls"),
    ("❤ Hearts", "❤\ufe0f Hearts"),
    ("İzmir", "ızmır"),
    ("한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
    ("Owls\U000e0100", "Owls"),
]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" Aces ", "Aces"),
        ("A\nB", "A B"),
        ("A\x00\x1bB", "A B"),
        ("A\u202eB", "A B"),
        ("\u200fאריות\u200e", "אריות"),
        ("A\u3000B\u00a0C", "A B C"),
        ("Ünï ♠", "Ünï ♠"),
        ("Zu\u0308rich", "Zürich"),
        ("Donau\u00addampfer", "Donaudampfer"),
        ("Donau\u2060dampf\ufefffahrt", "Donaudampffahrt"),
        ("👩\u200d💻 Coders", "👩\u200d💻 Coders"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"),
        (SCOTLAND, SCOTLAND),
        (f"🏴\U000e0061 A\U000e0100\U000e0061{SCOTLAND[1:]}", "🏴 A\U000e0100"),
        ("\u0301Owls", "Owls"),
        (TALL, TALL[:5]),
        ("Zu\u200b\u0308rich", "Zürich"),
        ("\U0001fae8 Shakers", "\U0001fae8 Shakers"),  # newer than the table of Python 3.11
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("A\u200dces\u200c", "Aces"),
        *((it, "") for it in UNSEEN),
    ],
)
def test_what_is_kept_of_a_name(typed: str, kept: str) -> None:
    assert one_line(typed) == kept
    assert one_line(kept) == kept


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_people_take_for_the_same(cast: Cast, one: str, other: str) -> None:
    """Teams, the list of an import, usernames, the search and pasted seed numbers all ask for the key."""
    assert folded(folded(one)) == folded(one) == folded(other)
    team = teams.add(cast.contest, cast.ada, one, school=one)
    with pytest.raises(Refused):
        teams.add(cast.contest, cast.ada, other)
    with pytest.raises(IntegrityError), transaction.atomic():
        Team.objects.create(contest=cast.contest, name=other)
    with pytest.raises(Refused):
        teams.edit(cast.aces, cast.alice, other, "")
    assert all(entry.problems for entry in roster.read(cast.contest, f"{one}\n{other}"))
    assert [*cast.contest.teams.called(other)] == [team] == [*cast.contest.teams.called(one)]
    paste = SeedsPasteForm(cast.contest, {"paste": f"7,{other}"})
    assert paste.is_valid(), paste.errors
    assert paste.cleaned_data["paste"] == {team.pk: 7}
    teams.edit(team, cast.ada, other, "")  # its own name, spelt in another way


def test_lists_go_by_names_as_people_read_them(cast: Cast) -> None:
    for name in ("Zebras", "Österberg", "oaks", "Hounds", "Ärger", "aces high"):
        teams.add(cast.contest, cast.ada, name)
    found = [team.name for team in cast.contest.teams.filter(memberships=None)]
    assert found == ["aces high", "Ärger", "Hounds", "oaks", "Österberg", "Zebras"]


@pytest.mark.parametrize(("one", "other"), [pair for pair in SAME if one_line(pair[0]).isalnum()])
def test_a_username_is_taken_and_known_however_it_is_typed(cast: Cast, one: str, other: str) -> None:
    user = make_user(one_line(one))
    sign_up(username=other, email="second@example.org")
    assert not User.objects.filter(email="second@example.org").exists()
    assert contests.find_user(other) == user
    client = Client()
    client.post(reverse("account_login"), {"login": other, "password": PASSWORD})
    assert client.session.get("_auth_user_id") == str(user.pk)


@pytest.mark.parametrize("name", [".", "..", "\u3164", "+", "_", "new", "New", "accounts", "desk", "ｐｌａｙ"])
def test_every_username_has_a_page(db: None, name: str) -> None:
    sign_up(username=name)
    assert not User.objects.filter(email="newbie@example.org").exists()


@pytest.mark.parametrize("name", ["zürich", "אריות", "7", "newton", "o.k"])
def test_other_usernames_enter(db: None, name: str) -> None:
    sign_up(username=name)
    assert (
        Client().get(reverse("person", args=[User.objects.get(email="newbie@example.org").username])).status_code == 200
    )
    assert {"new", "people", "enter", "signup", "static", "kibitz.pyz"} <= addresses()


@pytest.mark.parametrize(
    ("name", "said"),
    [(HEBREW, f"\u2068{HEBREW}\u2069"), (ARABIC, f"\u2068{ARABIC}\u2069"), ("Owls 2", "Owls 2"), ("<b>", "<b>")],
)
def test_a_name_turns_no_sentence_and_is_bare_as_data(cast: Cast, name: str, said: str) -> None:
    team = teams.add(cast.contest, cast.ada, name, school=name)
    stored = Team.objects.get(pk=team.pk)
    escaped = said.replace("<", "&lt;").replace(">", "&gt;")
    assert f"“{team}” and {stored.name}, {stored.school}" == f"“{said}” and {said}, {said}"
    template = Template('{{ team }} <i title="{{ team.name }}">{{ team.name }}</i>')
    assert template.render(Context({"team": stored})) == f'{escaped} <i title="{escaped}">{escaped}</i>'
    assert json.loads(json.dumps([str(stored), stored.name])) == [name, name] == [str(Name(name)), stored.name]
    assert Act.objects.get(verb="add team").target == name
    assert TeamForm({"name": name, "school": name}, initial={"name": stored.name, "school": stored.school}).is_valid()
    client = Client()
    client.force_login(cast.ada)
    page = client.get(reverse("desk-team", args=[cast.contest.slug, team.pk])).content.decode()
    assert f'value="{name.replace("<", "&lt;").replace(">", "&gt;")}"' in page, "a field holds what is stored"
    assert said.replace("<", "&lt;").replace(">", "&gt;") in page


def test_names_from_before_there_were_keys_keep_working(cast: Cast) -> None:
    """Two teams and two accounts that are the same for us today, and a decomposed name."""
    migration = import_module("contest.migrations.0013_names_that_sort")
    names = ("öko", "ÖKO", "Zu\u0308ri")
    rows = [teams.add(cast.contest, cast.ada, f"Team {number}") for number, _ in enumerate(names)]
    for row, name in zip(rows, names, strict=True):
        Team.objects.filter(pk=row.pk).update(name=name, school="Zu\u0308rich")
    Team.objects.update(key=AsText("pk", TextField()))
    people = [make_user("Zed"), make_user("zéd")]
    User.objects.filter(pk=people[1].pk).update(username="zed")
    User.objects.update(key=AsText("pk", TextField()))
    migration.fold_again(apps, None)
    lower, upper, decomposed = Team.objects.filter(pk__in=[row.pk for row in rows]).order_by("pk")
    assert {*cast.contest.teams.called("Öko")} == {lower, upper}
    assert {*cast.contest.teams.called("züri")} == {lower, upper, decomposed}, "by the school"
    paste = SeedsPasteForm(cast.contest, {"paste": "1,öko\n2,ÖKO"})
    assert paste.is_valid(), paste.errors
    assert paste.cleaned_data["paste"] == {lower.pk: 1, upper.pk: 2}
    teams.edit(upper, cast.ada, upper.name, "Another school")
    upper.save()
    decomposed.save()
    form = TeamForm(
        {"name": "Zürich", "school": "", "initial-name": decomposed.name, "initial-school": decomposed.school},
        initial={"name": decomposed.name, "school": decomposed.school},
    )
    assert form.is_valid(), form.errors
    assert [contests.find_user(name) for name in ("Zed", "zed", "ZED")] == [people[0], people[1], people[0]]
    with pytest.raises(Refused):
        teams.add(cast.contest, cast.ada, "Öko")
