"""Which languages can be offered: what is installed, unless it fails, and for the others everybody is told why not."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

import games
from contest import languages, presets, workers
from contest.languages import lacking
from contest.models import Contest, Proof
from contest.models.workers import REMEMBERED
from contest.setup_forms import ContestForm
from contest.workers import Confinement
from games.engine import Game, MachineryError
from submissions.languages import LANGUAGES, Language
from submissions.proving import Cell, Hello, Outcome, record, tidy
from submissions.sources import language_of
from tests.cast import Cast, make_cast
from tests.contest.test_forms import typed_contest
from tests.tournaments.visitors import visitor

GAME = games.get("tricky_eights")


@pytest.fixture(autouse=True)
def required(settings: Any) -> None:
    settings.PROOFS_REQUIRED = True


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(languages=["c", "pascal"])


def prove(slug: str, problem: str = "", *, game: Game | None = None, host: str = "") -> Proof:
    """What a machine found out about the hello bot of a language, or about a game in it."""
    proof = record(Cell(game, LANGUAGES[slug]) if game else Hello(LANGUAGES[slug]), problem, 1.0)
    if host:
        proof.host = host
        proof.save()
    return proof


@pytest.mark.django_db
def test_what_is_installed_is_offered_before_anything_is_proven() -> None:
    assert languages.offered(GAME) == languages.installed()


@pytest.mark.django_db
def test_what_fails_is_withdrawn_until_it_runs() -> None:
    failed = prove("c", "It does not build: no compiler.\nlong log")
    refusal = languages.refusals(GAME)["c"]
    assert "It does not build: no compiler" in refusal.sentence
    assert failed.host in refusal.sentence
    assert "long log" not in refusal.sentence
    assert "c" not in languages.offered(GAME)
    assert "python" in languages.offered(GAME)
    prove("c")
    assert "c" in languages.offered(GAME)


@pytest.mark.django_db
def test_one_machine_that_can_is_enough() -> None:
    prove("c", host="another")
    prove("c", "It does not answer.")
    assert "c" in languages.offered(GAME)


@pytest.mark.django_db
def test_a_failure_counts_until_its_machine_is_gone_or_the_program_changes() -> None:
    prove("c", "It does not answer.")
    Proof.objects.update(seen_at=timezone.now() - REMEMBERED + timedelta(hours=1))
    assert "c" not in languages.offered(GAME)
    Proof.objects.update(seen_at=timezone.now() - REMEMBERED)
    assert "c" in languages.offered(GAME)
    tidy()
    assert "c" not in languages.offered(GAME), "it has come back"
    Proof.objects.update(digest="of a program that has changed since")
    assert "c" in languages.offered(GAME)


@pytest.mark.django_db
def test_what_only_a_worker_has_is_offered_once_it_runs_there(monkeypatch: pytest.MonkeyPatch) -> None:
    prove("python", host="another")
    monkeypatch.setattr("submissions.languages.SYSTEM_PATH", "/nonexistent")
    assert languages.offered(GAME) == ["python"]
    assert "Debian package perl" in languages.refusals(GAME)["perl"].sentence


def test_a_match_that_fails_takes_nothing_away_and_is_told(cast: Cast, broker: Any) -> None:
    prove("c", "The kit: It made a fault.", game=GAME)
    assert "c" in languages.offered(GAME)
    (said,) = languages.doubts(GAME, ["c", "python"])
    assert "It made a fault" in said
    assert languages.doubts(games.get("hearts"), ["c"]) == []


@pytest.mark.django_db
def test_hello_bots_run_first_and_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def greet(language: Language) -> str:
        if language.slug == "tcl":
            raise MachineryError("others had the processor")
        return "It does not answer."

    monkeypatch.setattr("submissions.proving.greet", greet)
    monkeypatch.setattr("submissions.proving.prove", lambda cell: Outcome({}, 0.0))
    call_command("prove", "perl", "tcl", "tricky_eights", stdout=StringIO())
    hello = Proof.objects.filter(game_slug="").values_list("language", "problem")
    assert dict(hello) == {"perl": "It does not answer."}, "a busy machine says nothing about Tcl"
    first = Proof.objects.order_by("pk").values_list("game_slug", flat=True)
    assert list(first) == ["", GAME.slug, GAME.slug]


def test_organisers_cannot_choose_what_fails(cast: Cast) -> None:
    prove("pascal", "It does not answer.")
    page = visitor(cast.root).get(reverse("contest-new"), {"preset": "tricky_eights:open"})
    form = page.context["form"]
    assert "pascal" not in form["languages"].value()
    boxes = {box.data["value"]: box.data["attrs"].get("disabled", False) for box in form["languages"].subwidgets}
    assert boxes["pascal"]
    assert not boxes["c"]
    data = typed_contest(languages=["c", "pascal"])
    form = ContestForm(data, initial=presets.defaults(GAME, GAME.preset("open"), cast.contest.opens_at))
    assert form.errors["languages"] == [languages.refusals(GAME)["pascal"].sentence]


def test_languages_of_a_preset_come_when_they_are_installed(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the page and by the API, with what the desk says until then."""
    preset, key = games.get("even_steven").preset("bospre-2009"), "even_steven:bospre-2009"
    there = {"c", "cpp"}
    monkeypatch.setattr(Language, "installed", lambda self: self.slug in there)
    workers.confines(Confinement("full", "", True, ()))
    try:
        workers.sign_of_life("one", ("builds",))
        root = visitor(cast.root)
        page = root.get(reverse("contest-new"), {"preset": key})
        (said,) = page.context["lacking"]
        assert "./run languages python java" in said
        chosen = page.context["form"]["languages"].value()
        typed = dict(typed_contest(name="By page", languages=chosen, memory_mb="256").lists())
        data = {**typed, "preset": key, "option-time_limit": "5"}
        assert root.post(reverse("contest-new"), data).status_code == 302
        answer = root.post(reverse("api-contests"), {"preset": key, "name": "By API"}, content_type="application/json")
        assert answer.status_code == 201, answer.content
        for contest in Contest.objects.filter(preset="bospre-2009"):
            assert contest.languages == list(preset.languages)
            known, why = language_of(contest, "bot.py", "", b"")
            assert known is None
            assert "not installed" in why
            (said,) = lacking(contest.game, contest.languages)
            assert said.count("./run languages") == 1
        there |= set(preset.languages)
        assert lacking(contest.game, contest.languages) == []
        assert language_of(contest, "bot.py", "", b"")[0] is LANGUAGES["python"]
    finally:
        workers.confines(None)


def test_a_contest_keeps_what_it_has_with_a_warning(cast: Cast, broker: Any) -> None:
    prove("pascal", "It does not answer.")
    prove("python", "It does not answer.")
    form = ContestForm(typed_contest(languages=["c", "pascal"]), instance=cast.contest)
    assert "languages" not in form.errors
    form = ContestForm(typed_contest(languages=["c", "python"]), instance=Contest.objects.get())
    assert "Python cannot be offered" in form.errors["languages"][0]
    workers.confines(Confinement("full", "", True, (), languages=tuple(languages.table())))
    try:
        workers.sign_of_life("one", ("builds",))
        assert lacking(GAME, ["c", "pascal"]) == [languages.refusals(GAME)["pascal"].sentence]
    finally:
        workers.confines(None)


def test_programs_are_told_the_same(cast: Cast, django_assert_num_queries: Any) -> None:
    prove("pascal", "It does not answer.")
    answer = visitor(cast.ada).get(reverse("api-games"))
    body = next(it for it in answer.json() if it["slug"] == GAME.slug)
    assert "c" in body["languages"]
    assert body["not_offered"]["pascal"] == languages.refusals(GAME)["pascal"].sentence
    with django_assert_num_queries(1):
        languages.refusals(GAME)
