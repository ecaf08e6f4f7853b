"""The libraries of the languages: each is used by a program in the jail, and what is installed is told."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import libraries
from games.libraries import Library
from submissions.languages import LANGUAGES, Language
from submissions.management.commands import doctor
from submissions.proving import prove_library
from tests.cast import make_contest
from tests.contest.test_views import text_of
from tests.sandbox.sandboxes import needs, needs_jail
from tests.tournaments.visitors import visitor

ALL = [pytest.param(LANGUAGES[slug], it, id=it.package) for slug, some in libraries.LIBRARIES.items() for it in some]
UNKNOWN = Library("Unknown", "no-such-package", "import nothing")


@pytest.mark.long("kits")
@needs_jail
@pytest.mark.parametrize(("language", "library"), ALL)
def test_a_program_with_a_library_runs_in_the_jail(language: Language, library: Library) -> None:
    needs(language.slug)
    version = library.version()
    if not version:
        pytest.skip(f"{library.title} for {language.name} is not installed (./run languages --install {language.slug})")
    assert prove_library(language, library, version) == ""


@needs_jail
def test_a_library_that_does_not_work_is_bad() -> None:
    assert "No module named 'nothing'" in prove_library(needs("python"), UNKNOWN, "1")


@pytest.mark.django_db
def test_the_rules_page_lists_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = make_contest(game="hearts", preset="open", languages=["python", "tcl"])
    page = visitor().get(reverse("rules", args=[contest.slug]))
    versions = {it.title: it.version() for slug in ("python", "tcl") for it in libraries.LIBRARIES[slug]}
    for title, version in versions.items():
        assert (f"{title} {version}" in text_of(page)) == bool(version)
    monkeypatch.setattr(Library, "version", lambda self: "")
    assert "Libraries" not in text_of(visitor().get(reverse("rules", args=[contest.slug])))


@needs_jail
def test_doctor_names_packages_of_those_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("python")
    monkeypatch.setattr(Library, "version", lambda self: "")
    said = [finding.detail for finding in doctor.libraries()]
    assert "Python: no numpy, which contestants may want (python3-numpy)" in said
