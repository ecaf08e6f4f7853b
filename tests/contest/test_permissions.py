"""Who gets which page: every address of this app with every kind of person."""

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from contest import contests, questions, teams
from contest.models import Contest, Membership, Role
from contest.permissions import access_of, may_create_contests
from tests.cast import Cast, make_contest, make_user

pytestmark = pytest.mark.promise

EVERYBODY = ("anonymous", "zoe", "alice", "judy", "olga", "ada", "root")

# Status by person in the order of EVERYBODY. A stranger's 302 to the log-in or the enter page is checked below.
ALL_SEE = (200,) * 7
DESK_SEE = (302, 403, 403, 200, 200, 200, 200)
ORGANISERS = (302, 403, 403, 403, 200, 200, 200)

GETS = {
    "contest": ALL_SEE,
    "rules": ALL_SEE,
    "kit": ALL_SEE,
    "teams": ALL_SEE,
    "questions": ALL_SEE,
    "enter": (200, 200, 302, 200, 200, 200, 200),
    "team-edit": (302, 302, 200, 302, 302, 302, 302),
    "contest-new": (302, 403, 403, 403, 403, 403, 200),
    "desk-teams": DESK_SEE,
    "desk-teams-csv": DESK_SEE,
    "desk-teams-import": ORGANISERS,
    "desk-teams-codes": ORGANISERS,
    "desk-codes-csv": ORGANISERS,
    "desk-team": DESK_SEE,
    "desk-seeds": DESK_SEE,
    "desk-people": DESK_SEE,
    "desk-announcements": DESK_SEE,
    "desk-announcement": ORGANISERS,
    "desk-questions": DESK_SEE,
    "desk-question": DESK_SEE,
    "desk-audit-log": DESK_SEE,
    "desk-settings": DESK_SEE,
}

# What the form sends, and who may send it. A 422 is a form that came back, so the person was let in.
ACTING = (302, 403, 403, 403, 302, 302, 302)
ACTING_FORM = (302, 403, 403, 403, 422, 422, 422)
OWNING = (302, 403, 403, 403, 403, 302, 302)
MEMBERS = (302, 302, 302, 302, 302, 302, 302)
POSTS = {
    "enter": ({}, (302, 422, 422, 422, 422, 422, 422)),
    "questions": ({}, (302, 302, 422, 302, 302, 302, 302)),
    "team-edit": ({}, (302, 302, 422, 302, 302, 302, 302)),
    "team-act": ({}, MEMBERS),
    "member-act": ({}, MEMBERS),
    "contest-new": ({}, (302, 403, 403, 403, 403, 403, 422)),
    "desk-teams": ({}, ACTING_FORM),
    "desk-teams-import": ({}, ACTING_FORM),
    "desk-team": ({}, ACTING_FORM),
    "desk-team-approve": ({}, ACTING),
    "desk-team-refuse": ({}, ACTING),
    "desk-team-code": ({}, ACTING),
    "desk-team-uploads": ({}, ACTING),
    "desk-seeds": ({"paste": "1, Nobody"}, ACTING_FORM),
    "desk-people": ({"who": "nobody", "role": "judge"}, (302, 403, 403, 403, 403, 422, 422)),
    "desk-person": ({"role": "emperor"}, OWNING),
    "desk-person-remove": ({}, OWNING),
    "desk-leave": ({}, (302, 403, 403, 302, 302, 302, 404)),
    "desk-spectators": ({}, ACTING),
    "desk-questions": ({}, ACTING_FORM),
    "desk-question": ({}, ACTING_FORM),
    "desk-announcements": ({}, ACTING_FORM),
    "desk-announcement": ({}, ACTING_FORM),
    "desk-settings": ({}, ACTING_FORM),
    "desk-end": ({}, ACTING),
    "desk-delete": ({"name": "not its name"}, OWNING),
}
ELSEWHERE = {  # test_health.py, test_accounts.py, test_token_views.py, test_people_views.py,
    # test_leaving.py, test_help.py, tests/kibitz
    *("healthz", "readyz", "security-txt", "account", "tokens", "token-revoke", "spectate", "kibitz", "favicon"),
    *("account-export", "account-delete", "help", "document"),
}


def address(name: str, cast: Cast) -> str:
    slug = cast.contest.slug
    if name == "contest-new":
        return reverse(name)
    if name == "kit":
        return reverse(name, args=[slug, "cpp"])
    if name == "team-act":
        return reverse(name, args=[slug, "leave"])
    if name == "member-act":
        return reverse(name, args=[slug, cast.aces.memberships.get(user=cast.bob).pk, "captain"])
    if name.startswith("desk-team-") or name == "desk-team":
        return reverse(name, args=[slug, cast.clubs.pk]) if name != "desk-teams-csv" else reverse(name, args=[slug])
    if name == "desk-question":
        asked = cast.contest.questions.first() or questions.ask(cast.aces, cast.bob, "Ties", "Who wins one?")
        return reverse(name, args=[slug, asked.pk])
    if name in ("desk-person", "desk-person-remove"):
        return reverse(name, args=[slug, cast.contest.roles.get(user=cast.judy).pk])
    if name == "desk-announcement":
        made = cast.contest.announcements.first() or contests.announce(cast.contest, cast.ada, "Welcome")
        return reverse(name, args=[slug, made.pk])
    return reverse(name, args=[slug])


def client_of(cast: Cast, who: str) -> Client:
    client = Client()
    if who != "anonymous":
        client.force_login(getattr(cast, who))
    return client


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_gets_the_pages_that_are_meant_for_them(cast: Cast, who: str) -> None:
    client, column = client_of(cast, who), EVERYBODY.index(who)
    got = {name: client.get(address(name, cast)).status_code for name in GETS}
    assert got == {name: row[column] for name, row in GETS.items()}


@pytest.mark.parametrize("name", POSTS)
def test_only_who_may_act_acts(cast: Cast, name: str) -> None:
    """Each person finds the same contest: what the others did is taken back."""
    data, row = POSTS[name]
    got = []
    for who in EVERYBODY:
        with transaction.atomic():
            got.append(client_of(cast, who).post(address(name, cast), data).status_code)
            transaction.set_rollback(True)
    assert dict(zip(EVERYBODY, got, strict=True)) == dict(zip(EVERYBODY, row, strict=True))


def test_the_tables_name_every_address_of_this_app() -> None:
    ours = {
        pattern.name
        for entry in get_resolver().url_patterns
        for pattern in [entry, *getattr(entry, "url_patterns", [])]
        for pattern in [pattern, *getattr(pattern, "url_patterns", [])]
        if getattr(getattr(pattern, "callback", None), "__module__", "").startswith("contest.")
        and not (pattern.name or "").startswith("api")  # tests/api/test_matrix.py
    }
    assert ours == set(GETS) | set(POSTS) | ELSEWHERE


def test_what_changes_something_cannot_be_a_link_and_what_only_shows_takes_no_form(cast: Cast) -> None:
    client = client_of(cast, "root")
    got = {name: client.get(address(name, cast)).status_code for name in POSTS if name not in GETS}
    got |= {name: client.post(address(name, cast)).status_code for name in GETS if name not in POSTS}
    assert {name: status for name, status in got.items() if status != 405} == {}


@pytest.mark.parametrize("who", ["anonymous", "zoe"])
def test_a_private_contest_does_not_exist_for_strangers(cast: Cast, who: str) -> None:
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    client = client_of(cast, who)
    for name in GETS:
        if name != "contest-new":
            response = client.get(address(name, cast))
            assert response.status_code == 404, name
            assert "Spring Cup" not in response.content.decode(), name


def test_nobody_acts_on_a_private_contest_from_outside(cast: Cast) -> None:
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    client = client_of(cast, "zoe")
    got = {name: client.post(address(name, cast), POSTS[name][0]).status_code for name in POSTS}
    assert {name for name, status in got.items() if status != 404} == {"contest-new"}


@pytest.mark.parametrize("who", ["alice", "bob", "carl", "judy", "olga", "ada", "root"])
@pytest.mark.parametrize("visibility", Contest.Visibility.values)
def test_those_who_belong_to_it_see_it_however_private(cast: Cast, who: str, visibility: str) -> None:
    Contest.objects.update(visibility=visibility)
    client = client_of(cast, who)
    assert client.get(reverse("contest", args=[cast.contest.slug])).status_code == 200
    assert "Spring Cup" in client.get(reverse("home")).content.decode()


@pytest.mark.parametrize(
    ("visibility", "listed", "found"), [("public", True, 200), ("unlisted", False, 200), ("private", False, 404)]
)
@pytest.mark.parametrize("who", ["anonymous", "zoe"])
def test_visibility_decides_what_strangers_see(cast: Cast, who: str, visibility: str, listed: bool, found: int) -> None:
    Contest.objects.update(visibility=visibility)
    client = client_of(cast, who)
    assert ("Spring Cup" in client.get(reverse("home")).content.decode()) is listed
    assert client.get(reverse("contest", args=[cast.contest.slug])).status_code == found


def test_strangers_are_sent_to_log_in_and_come_back(cast: Cast) -> None:
    url = reverse("desk-audit-log", args=[cast.contest.slug]) + "?verb=enter"
    response = Client().get(url)
    assert response["Location"].startswith(reverse("account_login") + "?next=")
    login = Client().post(response["Location"], {"login": "ada", "password": "seven of clubs"})
    assert login["Location"] == url


def test_who_has_no_team_is_sent_to_the_page_where_one_enters(cast: Cast) -> None:
    response = client_of(cast, "zoe").get(reverse("team-edit", args=[cast.contest.slug]), follow=True)
    assert response.redirect_chain[-1][0] == reverse("enter", args=[cast.contest.slug])
    assert "You are not in a team of this contest yet." in response.content.decode()


def test_a_role_in_one_contest_is_none_in_another(cast: Cast) -> None:
    other = make_contest(make_user("otto"))
    assert access_of(cast.ada, cast.contest).owns
    assert not access_of(cast.ada, other).sees_desk
    assert client_of(cast, "ada").get(reverse("desk", args=[other.slug])).status_code == 403
    assert access_of(cast.alice, other).team is None


def test_things_of_another_contest_are_not_found_through_this_one(cast: Cast) -> None:
    other = make_contest(cast.ada)
    announcement = contests.announce(other, cast.ada, "Elsewhere")
    role = other.roles.get()
    team = teams.create(other, cast.zoe, "Others")
    client, slug = client_of(cast, "ada"), cast.contest.slug
    assert client.get(reverse("desk-announcement", args=[slug, announcement.pk])).status_code == 404
    assert client.post(reverse("desk-person-remove", args=[slug, role.pk])).status_code == 404
    assert client.get(reverse("desk-team", args=[slug, team.pk])).status_code == 404
    assert client.post(reverse("desk-team-disqualify", args=[slug, team.pk]), {"reason": "x"}).status_code == 404
    stranger = Membership.objects.get(team=team)
    captain = client_of(cast, "alice")
    assert captain.post(reverse("member-act", args=[slug, stranger.pk, "remove"])).status_code == 404
    assert Role.objects.filter(pk=role.pk).exists()


def test_actions_that_do_not_exist_are_not_found(cast: Cast) -> None:
    client, slug = client_of(cast, "alice"), cast.contest.slug
    assert client.post(reverse("team-act", args=[slug, "dance"])).status_code == 404
    member = cast.aces.memberships.get(user=cast.bob)
    assert client.post(reverse("member-act", args=[slug, member.pk, "dance"])).status_code == 404


def test_staff_create_contests_and_everybody_if_the_portal_says_so(cast: Cast, settings: object) -> None:
    staff = make_user("stan", is_staff=True)
    assert may_create_contests(staff)
    assert not may_create_contests(cast.zoe)
    settings.ALLOW_EVERYBODY_TO_CREATE = True  # type: ignore[attr-defined]
    assert may_create_contests(cast.zoe)


def test_a_judge_sees_no_buttons(cast: Cast) -> None:
    client = client_of(cast, "judy")
    for name in (
        name for name in GETS if name.startswith("desk") and GETS[name] != ORGANISERS and name != "desk-teams-csv"
    ):
        page = client.get(address(name, cast)).content.decode()
        main = page[page.index('<main id="main"') :]
        own = f'action="{reverse("desk-leave", args=[cast.contest.slug])}"'  # anybody may give up their own role
        posting = [it for it in main.split("<form")[1:] if 'method="post"' in it.split(">")[0] and own not in it]
        assert not any("<button" in piece.split("</form>")[0] for piece in posting), name
        assert "You are a judge" in main
