"""What a contest needs from the workers that build and play, and what they lack.

Organisers learn about it before their teams do. The answer comes from the workers' rows, because the web server
may run on another machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contest import languages as tongues
from contest import proofs, workers
from contest.workers import Confinement, Worker
from games.engine import Game


def lacking(game: Game, slugs: Sequence[str]) -> list[str]:
    """What workers lack for a contest of this game in these languages, one sentence each."""
    present = [(worker, worker.confinement) for worker in workers.alive() if worker.confinement]
    if not present:
        return ["No worker is running. Uploads and matches wait until one starts."]
    able = [(worker, it) for worker, it in present if it.acceptable]
    if not able:
        reasons = dict.fromkeys(reason for _, it in present for reason in it.reasons)
        return [f"Bots cannot be sandboxed here, so none will be built or played: {'; '.join(reasons)}."]
    return [*_without_port(game, able), *_without_languages(slugs, able), *proofs.doubts(game, slugs)]


def _without_port(game: Game, able: Sequence[tuple[Worker, Confinement]]) -> Iterator[str]:
    closed = {worker.name: it.no_port for worker, it in able if it.no_port}
    if game.protocol == "socket" and closed:
        where = "no worker" if len(closed) == len(able) else f"the sandbox of {_and(list(closed))}"
        why = "; ".join(dict.fromkeys(closed.values()))
        verb = "can" if len(closed) == len(able) else "cannot"
        yield f"Bots of {game.title} are TCP clients, and {where} {verb} give them a port: {why}."


def _without_languages(slugs: Sequence[str], able: Sequence[tuple[Worker, Confinement]]) -> Iterator[str]:
    here = tongues.installed() if any(it.languages is None for _, it in able) else []
    nowhere = []
    for language in tongues.known(list(slugs)):
        missing = [
            worker.name for worker, it in able if language.slug not in (here if it.languages is None else it.languages)
        ]
        if len(missing) == len(able):
            nowhere.append(language.name)
        elif missing:
            yield f"{language.name} is not installed for {_and(missing)}, so no bot in it is built or played there."
    if nowhere:
        yield f"No worker can build or play bots in {_and(nowhere)}: not installed."


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
