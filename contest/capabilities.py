"""What a contest asks of the machines that build and play, and what of it their workers cannot give.

The organisers are told before their teams find out. It is asked of the workers' own signs of life: the one that shows
the page may be another machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import redis

from contest import languages as tongues
from contest.server import workers
from contest.server.workers import Confinement, Worker
from games.engine import Game


def lacking(game: Game, slugs: Sequence[str]) -> list[str]:
    """What is missing for a contest of that game in those languages, a sentence each.

    Nothing where nobody can tell: that the broker does not answer is said elsewhere.
    """
    try:
        present = [(worker, worker.confinement) for worker in workers.alive() if worker.confinement]
    except redis.RedisError:
        return []
    if not present:
        return ["No worker builds or plays at the moment: what teams upload waits until there is one."]
    able = [(worker, it) for worker, it in present if it.acceptable]
    if not able:
        reasons = dict.fromkeys(reason for _, it in present for reason in it.reasons)
        return [f"No bot can be confined here, so none would be built or played: {'; '.join(reasons)}."]
    return [*_without_port(game, able), *_without_languages(slugs, able)]


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
            yield f"{language.name} is not installed for {_and(missing)}: no entry in it is built or played there."
    if nowhere:
        yield f"No worker can build or play entries in {_and(nowhere)}: not installed."


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
