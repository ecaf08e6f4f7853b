"""Which languages can be offered: those that a worker has proven, and for the others everybody is told why not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

import games
from contest import languages, presets, proofs
from contest.capabilities import lacking
from contest.models import Contest, Proof
from contest.models.proofs import REMEMBERED
from contest.server import workers
from contest.server.workers import Confinement
from contest.setup_forms import ContestForm
from submissions.languages import LANGUAGES
from submissions.proving import Cell, record, tidy
from tests.cast import Cast, make_cast
from tests.contest.test_forms import typed_contest
from tests.contest.test_views import as_user, text_of

GAME = games.get("tricky_eights")


@pytest.fixture(autouse=True)
def required(settings: Any) -> None:
    settings.PROOFS_REQUIRED = True


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(languages=["c", "pascal"])


def prove(slug: str, problem: str = "") -> Proof:
    return record(Cell(GAME, LANGUAGES[slug]), problem, 1.0)


@pytest.mark.django_db
def test_only_what_is_proven_is_offered() -> None:
    assert proofs.offered(GAME, ["c", "python"]) == []
    prove("c")
    assert proofs.offered(GAME, ["c", "python"]) == ["c"]
    assert proofs.refusals(GAME)["python"].sentence == (
        "Python cannot be offered for Tricky Eights: no worker has proven it yet (1 of 15 languages so far). "
        "Workers prove what they have in turn, the presets’ languages first."
    )
    Proof.objects.update(digest="of programs that have changed since")
    assert proofs.offered(GAME, ["c"]) == []


@pytest.mark.django_db
def test_what_a_machine_has_proven_counts_until_it_is_gone() -> None:
    prove("c")
    Proof.objects.update(seen_at=timezone.now() - REMEMBERED + timedelta(hours=1))
    assert proofs.offered(GAME, ["c"]) == ["c"]
    Proof.objects.update(seen_at=timezone.now() - REMEMBERED)
    assert proofs.offered(GAME, ["c"]) == []
    tidy()
    assert proofs.offered(GAME, ["c"]) == ["c"], "it has come back"
    Proof.objects.update(host="another", seen_at=timezone.now() - REMEMBERED)
    tidy()
    assert not Proof.objects.exists()


@pytest.mark.django_db
def test_the_reason_is_the_last_one_of_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = prove("c", "The kit: It does not build.\nlong log")
    refusal = proofs.refusals(GAME)["c"]
    assert refusal.short == "proof failed"
    assert refusal.sentence == (
        f"C cannot be offered for Tricky Eights: its proof failed on {failed.host}. The kit: It does not build."
    )
    Proof.objects.update(host="another")
    prove("c")
    assert "c" not in proofs.refusals(GAME), "one machine that can is enough"
    monkeypatch.setattr("submissions.languages.SYSTEM_PATH", "/nonexistent")
    assert proofs.refusals(GAME)["python"].short == "not installed"
    assert "Debian package python3" in proofs.refusals(GAME)["python"].sentence


@pytest.mark.django_db
def test_a_game_without_a_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = proofs.Programs("", "kit")
    monkeypatch.setattr("submissions.proving.programs", lambda game, slug: lacking)
    assert proofs.refusals(GAME)["tcl"] == proofs.Refusal(
        "no kit", "Tcl cannot be offered for Tricky Eights: the game has no kit for it."
    )
    assert list(proofs.refusals(GAME)) == list(languages.table())


def test_organisers_cannot_choose_what_is_not_proven(cast: Cast) -> None:
    prove("c")
    page = as_user(cast.root).get(reverse("contest-new"), {"preset": "tricky_eights:utah-1998"})
    form = page.context["form"]
    assert form["languages"].value() == ["c"]
    assert "Pascal (cannot be offered: not proven yet)" in text_of(page)
    boxes = {box.data["value"]: box.data["attrs"].get("disabled", False) for box in form["languages"].subwidgets}
    assert [slug for slug, closed in boxes.items() if not closed] == ["c"]
    data = typed_contest(languages=["c", "pascal"])
    form = ContestForm(data, initial=presets.suggested(GAME, GAME.preset("open"), cast.contest.opens_at))
    assert form.errors["languages"] == [proofs.refusals(GAME)["pascal"].sentence]


def test_a_contest_keeps_what_it_has_with_a_warning(cast: Cast, broker: Any) -> None:
    prove("c")
    form = ContestForm(typed_contest(languages=["c", "pascal"]), instance=cast.contest)
    assert "languages" not in form.errors
    form = ContestForm(typed_contest(languages=["c", "python"]), instance=Contest.objects.get())
    assert "Python cannot be offered" in form.errors["languages"][0]
    workers.confines(Confinement("full", "", True, (), languages=tuple(languages.table())))
    try:
        workers.sign_of_life("one", ("builds",))
        assert lacking(GAME, ["c", "pascal"]) == [
            "Tricky Eights is not proven in Pascal, so bots may fail: not proven yet."
        ]
    finally:
        workers.confines(None)


def test_programs_are_told_the_same(cast: Cast, django_assert_num_queries: Any) -> None:
    prove("c")
    answer = as_user(cast.ada).get(reverse("api-games"))
    body = next(it for it in answer.json() if it["slug"] == GAME.slug)
    assert body["languages"] == ["c"]
    assert body["not_offered"]["pascal"] == proofs.refusals(GAME)["pascal"].sentence
    with django_assert_num_queries(1):
        proofs.refusals(GAME)
