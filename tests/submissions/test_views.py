"""The pages: what each reader may see and do, what every state shows, and that the form loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from contest.models import Act, Contest, Team, User
from submissions import forms, intake
from submissions.models import CheckGame, Submission
from submissions.process import process
from tests.cast import Cast, make_team, open_until
from tests.submissions import bots
from tests.tournaments.visitors import visitor

Uploader = Callable[..., Submission]
SOURCE = "int main() { return 0; }\n"


def page(user: User | None, name: str, *args: Any, query: str = "") -> Any:
    return visitor(user).get(reverse(name, args=args) + query)


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def send(cast: Cast, **fields: Any) -> Any:
    """Send the upload form as Alice."""
    return visitor(cast.alice).post(
        reverse("my-team", args=[cast.contest.slug]), fields, headers={"Origin": "http://testserver"}
    )


def file(name: str = "shark.cpp", data: str | bytes = SOURCE) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data.encode() if isinstance(data, str) else data)


@pytest.fixture
def version(upload: Uploader) -> Submission:
    """A version of Aces that is in the queue."""
    return upload(b"SECRET = 'alice in chains'\n", "shark.py", strategy=intake.Upload("plan.txt", b"Eights!"))


@pytest.fixture
def checked(upload: Uploader) -> Submission:
    """A version of Aces that was really built and checked: ready, active, with output on standard error."""
    version = upload(bots.TALKS, "talker.py")
    process(version.pk)
    version.refresh_from_db()
    assert version.is_active, version.verdict
    return version


def put(version: Submission, **values: Any) -> Submission:
    """Set a state that would take long to reach."""
    Submission.objects.filter(pk=version.pk).update(**values)
    version.refresh_from_db()
    return version


# Who sees what --------------------------------------------------------------------------------------------------------

VERSION_PAGES = ["version", "version-source", "version-download", "version-strategy"]


@pytest.mark.promise
@pytest.mark.parametrize("name", VERSION_PAGES)
def test_only_the_team_and_those_with_a_role_see_a_version(cast: Cast, version: Submission, name: str) -> None:
    slug, team = cast.contest.slug, cast.aces.pk
    for user in (cast.alice, cast.bob):
        assert page(user, name, slug, 1).status_code == 200
    for user in (cast.ada, cast.olga, cast.judy, cast.root, cast.alice):
        assert page(user, name, slug, team, 1).status_code == 200
    for user in (cast.carl, cast.zoe):
        assert page(user, name, slug, team, 1).status_code == 404
    anonymous = page(None, name, slug, team, 1)
    assert anonymous.status_code == 302
    assert reverse("account_login") in anonymous.url


@pytest.mark.promise
def test_check_games_their_records_and_logs_are_private_too(cast: Cast, checked: Submission) -> None:
    slug, team = cast.contest.slug, cast.aces.pk
    for name in ("check-game", "check-record", "check-log"):
        assert page(cast.alice, name, slug, 1, 1).status_code == 200
        assert page(cast.judy, name, slug, team, 1, 1).status_code == 200
        assert page(cast.carl, name, slug, team, 1, 1).status_code == 404
        assert page(None, name, slug, team, 1, 1).status_code == 302


@pytest.mark.promise
def test_a_private_contest_is_not_there_for_strangers(cast: Cast, version: Submission) -> None:
    Contest.objects.filter(pk=cast.contest.pk).update(visibility="private")
    assert page(cast.zoe, "my-team", cast.contest.slug).status_code == 404
    assert page(cast.zoe, "version", cast.contest.slug, cast.aces.pk, 1).status_code == 404
    assert page(cast.alice, "my-team", cast.contest.slug).status_code == 200


# The team's page ------------------------------------------------------------------------------------------------------


def test_a_refused_form_keeps_everything_that_was_right(cast: Cast) -> None:
    response = send(cast, source=file("shark.xyz"), strategy=file("plan.txt", "Eights <b>first</b>!"))
    assert response.status_code == 422
    form = response.context["form"]
    assert "No language uses the extension “.xyz”" in form.errors["language"][0]
    assert form["pasted"].value() == SOURCE
    assert form["filename"].value() == "shark.xyz"
    assert (form["strategy_text"].value(), form["strategy_filename"].value()) == ("Eights <b>first</b>!", "plan.txt")
    body = text(response)
    assert "int main() { return 0; }" in body
    assert "Eights &lt;b&gt;first&lt;/b&gt;!" in body
    kept = {name: form[name].value() for name in ("pasted", "strategy_text", "strategy_filename")}
    assert send(cast, **kept, filename="shark.cpp").status_code == 302
    version = cast.aces.submissions.get()
    assert (version.filename, version.strategy_filename, bytes(version.source)) == (
        "shark.cpp",
        "plan.txt",
        SOURCE.encode(),
    )


def test_a_giant_file_is_not_read_and_the_rest_of_the_form_survives(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms.uploads, "READ_LIMIT", 100_000)
    form = send(cast, source=file("big.cpp", b"/" * 300_000), strategy_text="Eights!").context["form"]
    assert form.errors["source"] == ["big.cpp is too large: it has more than 100,000 bytes, and the limit is 262,144."]
    assert form["strategy_text"].value() == "Eights!"


def test_a_long_source_can_be_pasted_where_the_contest_allows_its_size(cast: Cast) -> None:
    cast.contest.source_kb = 4096
    cast.contest.save(update_fields=["source_kb"])
    long = SOURCE + "// ♠\n" * 500_000  # three million bytes, more than Django takes by default
    send(cast, pasted=long, language="cpp")
    assert cast.aces.submissions.get().size == len(long.encode())


def test_polling_answers_204_until_something_changes(cast: Cast, version: Submission) -> None:
    client, url = visitor(cast.alice), reverse("my-team", args=[cast.contest.slug])
    rev = client.get(url).context["rev"]
    assert client.get(f"{url}?rev={rev}").status_code == 204
    put(version, state="building")
    changed = client.get(f"{url}?rev={rev}")
    assert changed.status_code == 200
    assert "<html" not in text(changed)
    assert f"rev={changed.context['rev']}" in text(changed)
    put(version, state="rejected", verdict="No.")
    assert "hx-trigger" not in text(client.get(f"{url}?rev={changed.context['rev']}"))


def test_the_version_page_polls_while_games_come_in(cast: Cast, version: Submission) -> None:
    put(version, state="checking", built_at=timezone.now())
    client, url = visitor(cast.alice), reverse("version", args=[cast.contest.slug, 1])
    first = client.get(url)
    assert "0 of 4 games" in text(first)
    rev = first.context["rev"]
    assert client.get(f"{url}?rev={rev}").status_code == 204
    CheckGame.objects.create(submission=version, number=1, seat=0, passed=True, place=2, score=31, record=b"")
    fragment = client.get(f"{url}?rev={rev}")
    assert "1 of 4 games" in text(fragment)
    assert "<html" not in text(fragment)


# A version's page -----------------------------------------------------------------------------------------------------


def test_the_replay_of_a_check_game_has_the_bots_standard_error(cast: Cast, checked: Submission) -> None:
    game = checked.check_games.get(number=1)
    pieces = game.stderr_pieces()
    ply, said = pieces[0]
    again = sum(said in other for _, other in pieces)  # it may think about the same card in other rounds
    body = text(page(cast.alice, "check-game", cast.contest.slug, 1, 1, query=f"?ply={ply}"))
    assert body.count(said.strip()) == again + 1, "in the list of all, and at its position"
    assert f'/check/1/?ply={ply}">' in body
    assert "Aces" in body
    assert page(cast.alice, "check-game", cast.contest.slug, 1, 1, query="?ply=nonsense&view=9").status_code == 200
    assert page(cast.alice, "check-game", cast.contest.slug, 1, 9).status_code == 404
    assert page(cast.alice, "check-game-of", cast.contest.slug, 1, 1, 2).status_code == 404, "it is a match of one game"
    assert page(cast.alice, "check-log-of", cast.contest.slug, 1, 1, 2).status_code == 404
    assert page(cast.alice, "check-record", cast.contest.slug, 1, 1).json()["seats"][0]["name"] == "Aces"


def test_the_source_is_shown_with_lines_to_link_to_and_downloads_as_it_came(cast: Cast, version: Submission) -> None:
    body = page(cast.alice, "version-source", cast.contest.slug, 1).content.decode()
    assert 'id="L1"' in body
    assert 'href="#L1"' in body
    assert "alice in chains" in body
    assert "Eights!" in body
    download = page(cast.alice, "version-download", cast.contest.slug, 1)
    assert download.content == b"SECRET = 'alice in chains'\n"
    assert "attachment" in download["Content-Disposition"]
    assert "shark.py" in download["Content-Disposition"]
    assert page(cast.alice, "version-strategy", cast.contest.slug, 1).content == b"Eights!"


def test_a_source_cannot_smuggle_markup_into_the_page(cast: Cast, upload: Uploader) -> None:
    upload(b"# <script>alert(1)</script>\nx = '\"L-1'\n", "<b>.py")
    body = page(cast.alice, "version-source", cast.contest.slug, 1).content.decode()
    assert "<script>alert" not in body
    assert "<b>" not in body


def test_changes_since_the_version_before(cast: Cast, upload: Uploader) -> None:
    upload(b"a = 1\nb = 2\n", "bot.py")
    upload(b"a = 1\nb = 3\n", "bot.py")
    upload(b"a = 1\nb = 3\nc = 4\n", "bot.py")
    body = text(page(cast.alice, "version-diff", cast.contest.slug, 3))
    assert "Changes from version 2 to 3" in body
    assert "<code>c = 4</code>" in body
    assert "b = 2" not in body
    older = text(page(cast.alice, "version-diff", cast.contest.slug, 3, query="?against=1"))
    assert "<code>b = 2</code>" in older
    assert page(cast.alice, "version-diff", cast.contest.slug, 1).status_code == 404
    assert page(cast.alice, "version-diff", cast.contest.slug, 3, query="?against=77").status_code == 404
    for none in ("\u0661", "9" * 5_000, "x"):  # Arabic digits; more than int() takes: no version has such a number
        assert page(cast.alice, "version-diff", cast.contest.slug, 3, query=f"?against={none}").status_code == 200
    assert page(cast.carl, "version-diff", cast.contest.slug, cast.aces.pk, 3).status_code == 404


@pytest.mark.promise
def test_only_organisers_read_what_the_machinery_said(cast: Cast, version: Submission) -> None:
    put(version, failures=2, last_error="bubblewrap: no space left")
    theirs = text(page(cast.olga, "version", cast.contest.slug, cast.aces.pk, 1))
    assert "bubblewrap: no space left" in theirs
    ours = text(page(cast.alice, "version", cast.contest.slug, 1))
    assert "bubblewrap" not in ours
    assert "The portal failed" in ours


# Actions --------------------------------------------------------------------------------------------------------------


def post(user: User | None, name: str, *args: Any, **fields: Any) -> Any:
    return visitor(user).post(reverse(name, args=args), fields, follow=True)


def test_only_ready_versions_can_be_activated(cast: Cast, version: Submission) -> None:
    for state in ("queued", "building", "checking", "rejected"):
        put(version, state=state)
        assert "Version 1 is not ready" in text(post(cast.alice, "version-activate", cast.contest.slug, 1))
    assert not cast.aces.submissions.active().exists()


@pytest.mark.promise
def test_strangers_judges_and_get_requests_activate_nothing(cast: Cast, version: Submission) -> None:
    put(version, state="ready")
    assert post(cast.carl, "version-activate", cast.contest.slug, cast.aces.pk, 1).status_code == 404
    assert "Only the team and the organisers" in text(
        post(cast.judy, "version-activate", cast.contest.slug, cast.aces.pk, 1)
    )
    assert page(cast.alice, "version-activate", cast.contest.slug, 1).status_code == 405
    assert not cast.aces.submissions.active().exists()


def test_after_the_deadline_only_organisers_change_what_plays(cast: Cast, version: Submission) -> None:
    put(version, state="ready")
    open_until(cast.contest, hours=-1)
    refused = text(post(cast.alice, "version-activate", cast.contest.slug, 1))
    assert "Uploads have closed" in refused
    args = (cast.contest.slug, cast.aces.pk, 1)
    assert 'name="reason"' in page(cast.olga, "version", *args).content.decode()
    for nothing in ("", " \u200b"):
        assert "Please give a reason" in text(post(cast.olga, "version-activate", *args, reason=nothing))
    assert "not valid" in text(post(cast.olga, "version-activate", *args, reason="a\0b"))
    assert not cast.aces.submissions.active().exists()
    post(cast.olga, "version-activate", *args, reason="uploaded in time")
    assert cast.aces.submissions.active().exists()
    act = Act.objects.get(contest=cast.contest, verb="activate version")
    assert (act.user, act.reason) == (cast.olga, "uploaded in time")


def test_who_may_withdraw_a_bot(cast: Cast, checked: Submission) -> None:
    args = (cast.contest.slug, cast.aces.pk)
    for user in (cast.carl, cast.zoe, cast.judy):
        assert post(user, "bot-withdraw", *args).status_code == 404
    assert cast.aces.submissions.active().exists()
    assert "Please give a reason" in text(post(cast.olga, "bot-withdraw", *args))
    assert cast.aces.submissions.active().exists()
    post(cast.olga, "bot-withdraw", *args, reason="it is somebody else's")
    assert not cast.aces.submissions.active().exists()
    act = Act.objects.get(contest=cast.contest, verb="withdraw bot")
    assert (act.user, act.reason) == (cast.olga, "it is somebody else's")


def test_an_organiser_has_a_rejected_version_checked_again(cast: Cast, version: Submission) -> None:
    args = (cast.contest.slug, cast.aces.pk, 1)
    put(version, state="rejected", verdict="No.", finished_at=timezone.now())
    assert "Only organisers" in text(post(cast.alice, "version-recheck", cast.contest.slug, 1))
    assert "Only organisers" in text(post(cast.judy, "version-recheck", *args))
    assert "Please say why" in text(post(cast.olga, "version-recheck", *args, reason=" "))
    post(cast.olga, "version-recheck", *args, reason="the compiler was broken")
    version.refresh_from_db()
    assert (version.state, version.verdict, version.finished_at) == ("queued", "", None)
    act = Act.objects.get(contest=cast.contest, verb="check version again")
    assert (act.user, act.reason) == (cast.olga, "the compiler was broken")
    assert "is not" in text(post(cast.olga, "version-recheck", *args, reason="again"))


# The organisers' list -------------------------------------------------------------------------------------------------


def test_who_sees_the_list_of_all_versions(cast: Cast, version: Submission) -> None:
    for user in (cast.ada, cast.olga, cast.judy, cast.root):
        assert "Aces" in text(page(user, "desk-versions", cast.contest.slug))
    for user in (cast.alice, cast.zoe):
        assert page(user, "desk-versions", cast.contest.slug).status_code == 403
    assert page(None, "desk-versions", cast.contest.slug).status_code == 302


def test_the_list_shows_each_teams_newest_version_with_trouble_first(cast: Cast, upload: Uploader) -> None:
    wanted = [
        ("stuck", {"state": "queued", "failures": 3, "last_error": "no room"}),
        ("broken", {"state": "rejected", "verdict": "It does not compile.", "finished_at": timezone.now()}),
        ("building", {"state": "building"}),
        ("idle", {"state": "ready", "finished_at": timezone.now()}),
        ("fine", {"state": "ready", "is_active": True, "activated_at": timezone.now()}),
    ]
    for name, values in reversed(wanted):
        team = make_team(cast.contest, name=name)
        member = team.memberships.get().user
        upload(b"old = 1\n", team=team, user=member)
        put(upload(b"new = 1\n", team=team, user=member), **values)
    response = page(cast.olga, "desk-versions", cast.contest.slug)
    assert [row.team.name for row in response.context["page"]] == [name for name, _ in wanted]
    assert {row.number for row in response.context["page"]} == {2}
    body = text(response)
    assert "3× portal failure" in body
    assert "Teams without a version (2)" in body
    assert "hx-trigger" in body


@pytest.mark.django_db
def test_the_lists_take_as_many_queries_for_many_as_for_few(
    django_assert_max_num_queries: Any, cast: Cast, upload: Uploader
) -> None:
    def fill(count: int) -> None:
        for _ in range(count):
            team = make_team(cast.contest)
            upload(b"x = 1\n", team=team, user=team.memberships.get().user)

    def queries(name: str, user: User) -> int:
        with django_assert_max_num_queries(60) as captured:
            assert page(user, name, cast.contest.slug).status_code == 200
        return len(captured)

    Contest.objects.filter(pk=cast.contest.pk).update(uploads_per_hour=1000)
    team = Team.objects.get(pk=cast.aces.pk)
    fill(2)
    upload(b"x = 1\n", team=team)
    few = queries("desk-versions", cast.olga), queries("my-team", cast.alice)
    fill(60)
    for number in range(10):
        upload(b"x = 2%d\n" % number, team=team)
    assert (queries("desk-versions", cast.olga), queries("my-team", cast.alice)) == few


# Organisers upload for a team -----------------------------------------------------------------------------------------


def send_for_aces(cast: Cast, who: str) -> Any:
    address = reverse("desk-team-upload", args=[cast.contest.slug, cast.aces.pk])
    return visitor(getattr(cast, who)).post(address, {"source": file(), "activate": "on"}, follow=True)


@pytest.mark.parametrize("who", ["olga", "ada"])
def test_it_is_a_version_of_the_team_and_the_audit_log_says_so(cast: Cast, who: str) -> None:
    answer = send_for_aces(cast, who)
    version = Submission.objects.get()
    assert (version.team, version.uploaded_by, version.state) == (cast.aces, getattr(cast, who), "queued")
    assert answer.redirect_chain[-1][0] == reverse("version", args=[cast.contest.slug, cast.aces.pk, 1])
    act = Act.objects.get(verb="upload version for team")
    assert (act.user, act.data["team"]) == (getattr(cast, who), cast.aces.pk)
    assert send_for_aces(cast, who).status_code == 422, "the same once more is refused as from the team"


@pytest.mark.parametrize("who", ["judy", "alice", "carl", "zoe"])
def test_nobody_else_may(cast: Cast, who: str) -> None:
    assert send_for_aces(cast, who).status_code in (403, 404)
    assert not Submission.objects.exists()
