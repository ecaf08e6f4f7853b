"""The languages that a contest can allow for bots, which of them organisers may offer, and what workers lack.

The submissions app, a layer above, has the table of how they are built and run, and proves them. Only the settings name
it here. A worker builds and runs a hello bot of each language in its sandbox when it starts (submissions.proving). If
that fails wherever it was tried, the language is withdrawn, with the reason. What workers prove beyond that, two
programs of each game that play a match, takes nothing away: organisers are warned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from contest import workers
from contest.models import Proof
from contest.workers import Confinement, Worker
from games import GAMES
from games.engine import Game
from games.phrases import listed

MEGABYTE = 1 << 20


class Language(Protocol):
    slug: str
    name: str
    extensions: tuple[str, ...]
    package: str
    """The Debian packages that provide it."""
    memory_floor: int
    """Bytes. With less, not even an empty program runs."""

    def installed(self) -> bool:
        """Whether this machine can build and run bots in it."""

    def toolchain(self) -> str:
        """The version of its compiler or interpreter, empty if there is none."""


def table() -> Mapping[str, Language]:
    """Every language by its slug."""
    languages: Mapping[str, Any] = import_string(settings.LANGUAGES_TABLE)
    return languages


def installed() -> list[str]:
    """The slugs of the languages this machine can build and run."""
    return [slug for slug, language in table().items() if language.installed()]


def choices() -> list[tuple[str, str]]:
    """Choices for a form. Languages that are not installed are labelled, but can be chosen."""
    return [(slug, it.name if it.installed() else f"{it.name} (not installed here)") for slug, it in table().items()]


def known(slugs: list[str]) -> list[Language]:
    """The languages with these slugs, in the order of the table. Unknown slugs are skipped."""
    return [language for slug, language in table().items() if slug in slugs]


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
    found = _last_proofs("")
    return {
        slug: why
        for slug, language in table().items()
        if (why := _why(game, language, _programs(game, slug), found.get(slug)))
    }


def _programs(game: Game | None, slug: str) -> Programs:
    programs_of: Callable[[Game | None, str], Programs] = import_string(settings.PROOF_PROGRAMS)
    return programs_of(game, slug)


def _last_proofs(game_slug: str) -> dict[str, Proof]:
    """By language: a proof that succeeded on some machine, or else the last one that failed."""
    game = GAMES.get(game_slug)
    found: dict[str, Proof] = {}
    for proof in Proof.objects.of_machines_here().filter(game_slug=game_slug).order_by("proved_at"):
        slug = proof.language
        is_better = slug not in found or bool(found[slug].problem)
        if is_better and slug in table() and proof.digest == _programs(game, slug).digest:
            found[slug] = proof
    return found


def _why(game: Game, language: Language, programs: Programs, hello: Proof | None) -> Refusal | None:
    refused = f"{language.name} cannot be offered for {game.title}:"
    if programs.missing:
        return Refusal(f"no {programs.missing}", f"{refused} the game has no {programs.missing} for it.")
    if hello is not None and hello.problem:
        said = hello.problem.splitlines()[0].rstrip(".")
        return Refusal("fails", f"{refused} a small program in it failed on {hello.host}. {said}.")
    if hello is None and not language.installed():
        how = f"no worker has it, and it is not installed here (Debian package {language.package})."
        return Refusal(NOT_INSTALLED, f"{refused} {how}")
    return None


def offered(game: Game) -> list[str]:
    """The languages that can be offered for a game; those installed here, if nothing has to be proven."""
    refused = refusals(game)
    return [slug for slug in table() if slug not in refused] if refused else installed()


def doubts(game: Game, slugs: Sequence[str]) -> list[str]:
    """Warnings for organisers about languages that their contest allows but could not be offered now."""
    refused = refusals(game)
    proofs = _last_proofs(game.slug) if settings.PROOFS_REQUIRED else {}
    found = []
    for language in known(list(slugs)):
        proof, why = proofs.get(language.slug), refused.get(language.slug)
        if why is not None and why.short != NOT_INSTALLED:  # `lacking` warns of those
            found.append(why.sentence)
        elif proof is not None and proof.problem:
            said = proof.problem.splitlines()[0].rstrip(".")
            found.append(f"Bots in {language.name} may fail: on {proof.host}, a match did. {said}.")
    return found


def labels(refused: Mapping[str, Refusal]) -> list[tuple[str, str]]:
    """Choices for a form: each language, and what is wrong with it."""
    return [
        (slug, f"{language.name} ({refused[slug].short} here)" if slug in refused else language.name)
        for slug, language in table().items()
    ]


def lacking(game: Game, slugs: Sequence[str]) -> list[str]:
    """What workers lack for a contest of this game in these languages, one sentence each."""
    present = [(worker, worker.confinement) for worker in workers.alive() if worker.confinement]
    if not present:
        return ["No worker is running. Uploads and matches wait until one starts."]
    able = [(worker, it) for worker, it in present if it.acceptable]
    if not able:
        reasons = dict.fromkeys(reason for _, it in present for reason in it.reasons)
        return [f"Bots cannot be sandboxed here, so none will be built or played: {'; '.join(reasons)}."]
    return [*_without_port(game, able), *_without_languages(slugs, able), *doubts(game, slugs)]


def _without_port(game: Game, able: Sequence[tuple[Worker, Confinement]]) -> Iterator[str]:
    closed = {worker.name: it.no_port for worker, it in able if it.no_port}
    if game.protocol == "socket" and closed:
        where = "no worker" if len(closed) == len(able) else f"the sandbox of {listed(list(closed))}"
        why = "; ".join(dict.fromkeys(closed.values()))
        verb = "can" if len(closed) == len(able) else "cannot"
        yield f"Bots of {game.title} are TCP clients, and {where} {verb} give them a port: {why}."


def _without_languages(slugs: Sequence[str], able: Sequence[tuple[Worker, Confinement]]) -> Iterator[str]:
    here = installed() if any(it.languages is None for _, it in able) else []
    nowhere: list[Language] = []
    for language in known(list(slugs)):
        missing = [
            worker.name for worker, it in able if language.slug not in (here if it.languages is None else it.languages)
        ]
        if len(missing) == len(able):
            nowhere.append(language)
        elif missing:
            yield f"{language.name} is not installed for {listed(missing)}, so no bot in it is built or played there."
    if nowhere:
        names, command = [it.name for it in nowhere], " ".join(["./run languages", *(it.slug for it in nowhere)])
        yield f"No worker can build or play bots in {listed(names)}: not installed. “{command}” installs them."
