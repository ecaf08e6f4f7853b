"""Which languages organisers may offer for a game: those that a worker has proven.

A proof is a fact about a game, a language and a machine: two programs that come with the game were built there and
played a match in the sandbox (submissions.proving). Only the settings name that module here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from contest import languages
from contest.languages import Language
from contest.models import Proof
from games.engine import Game
from games.phrases import listed

NOT_INSTALLED = "not installed"


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs that prove a game in a language: their digest, or the one that is missing, such as `kit`."""

    digest: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a language cannot be offered: in two or three words, and in a sentence."""

    short: str
    sentence: str


def refusals(game: Game) -> dict[str, Refusal]:
    """The languages that cannot be offered for a game, by slug, in the order of the table."""
    if not settings.PROOFS_REQUIRED:
        return {}
    programs_of: Callable[[Game, str], Programs] = import_string(settings.PROOF_PROGRAMS)
    attempts: dict[str, list[Proof]] = {}
    for proof in Proof.objects.of_machines_here().filter(game_slug=game.slug).order_by("proved_at"):
        attempts.setdefault(proof.language, []).append(proof)
    current = {}
    for slug in languages.table():
        programs = programs_of(game, slug)
        current[slug] = programs, [it for it in attempts.get(slug, []) if it.digest == programs.digest]
    proven = {
        slug
        for slug, (programs, some) in current.items()
        if not programs.missing and any(not it.problem for it in some)
    }
    so_far = f"{len(proven)} of {len(current)} languages so far"
    return {
        slug: _why(game, language, *current[slug], so_far)
        for slug, language in languages.table().items()
        if slug not in proven
    }


def _why(game: Game, language: Language, programs: Programs, failed: Sequence[Proof], so_far: str) -> Refusal:
    refused = f"{language.name} cannot be offered for {game.title}:"
    if programs.missing:
        return Refusal(f"no {programs.missing}", f"{refused} the game has no {programs.missing} for it.")
    if failed:
        last = failed[-1]
        said = last.problem.splitlines()[0].rstrip(".")
        return Refusal("proof failed", f"{refused} its proof failed on {last.host}. {said}.")
    if not language.installed():
        how = f"no worker has proven it, and it is not installed here (Debian package {language.package})."
        return Refusal(NOT_INSTALLED, f"{refused} {how}")
    how = f"no worker has proven it yet ({so_far}). Workers prove what they have in turn, the presets’ languages first."
    return Refusal("not proven yet", f"{refused} {how}")


def offered(game: Game, slugs: Sequence[str]) -> list[str]:
    """The languages among `slugs` that can be offered."""
    refused = refusals(game)
    return [slug for slug in slugs if slug not in refused]


def doubts(game: Game, slugs: Sequence[str]) -> list[str]:
    """Warnings for organisers about languages that their contest allows but could not be offered now."""
    refused = refusals(game)
    names: dict[str, list[str]] = {}
    for language in languages.known(list(slugs)):
        why = refused.get(language.slug)
        if why is not None and why.short != NOT_INSTALLED:  # contest.capabilities warns of those
            names.setdefault(why.short, []).append(language.name)
    return [
        f"{game.title} is not proven in {listed(them)}, so bots may fail: {short}." for short, them in names.items()
    ]


def labels(refused: Mapping[str, Refusal]) -> list[tuple[str, str]]:
    """Choices for a form: each language, and why it cannot be offered."""
    return [
        (slug, f"{language.name} (cannot be offered: {refused[slug].short})" if slug in refused else language.name)
        for slug, language in languages.table().items()
    ]
