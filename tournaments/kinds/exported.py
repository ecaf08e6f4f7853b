"""Rankings of stages as JSON values, and so as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from contest.models import Team
from tournaments.formats.plan import Ranked
from tournaments.formats.wording import departure
from tournaments.kinds.statuses import Told
from tournaments.models import Stage
from tournaments.results.standings import StageRow, Totals, left_as
from tournaments.results.tallies import OUTCOMES, PLACES

DONE_COLUMNS = ("matches", "games", "points", "penalty", "average", "margin", *PLACES, "faults", *OUTCOMES)


class Line(Protocol):
    """A line of a stage's ranking, as made by pages or by standings.py."""

    @property
    def team(self) -> Team: ...
    @property
    def ranked(self) -> Ranked: ...
    @property
    def record(self) -> Totals: ...


def ranking(stage: Stage, found: Iterable[Line], told: Callable[[Any], Told | None]) -> Iterator[dict[str, Any]]:
    """Yield the ranking. `values` are the ranking criteria, named as in the format's columns; `told` gives statuses."""
    names = stage.played_in.columns(stage.options)
    for line in found:
        rated = {"rating": line.mu, "rating_margin": line.margin} if isinstance(line, StageRow) and line.mu else {}
        yield {
            **place(line.ranked.rank, line.team, line.ranked.is_out),
            "round": line.ranked.round,
            **rated,
            "values": dict(zip(names, line.ranked.values, strict=False)),
            **done(line.record),
            **status_of(told(line)),
        }


def status_of(told: Told | None) -> dict[str, Any]:
    """The status of a seat with its sentence, as on pages."""
    return {"status": told.status.value if told else "", "status_sentence": told.sentence if told else ""}


def left(team: Team, days: Mapping[int, str]) -> dict[str, Any]:
    """The same in a ranking without tables, which only says whether a team has left."""
    if team.is_competing:
        return status_of(None)
    status = left_as(team.state)
    return status_of(Told(status, departure(status, days.get(team.pk, ""))))


def place(rank: int | None, team: Team, is_out: bool) -> dict[str, Any]:
    return {"rank": rank, "team": team.name, "team_id": team.pk, "is_out": is_out}


def done(record: Totals) -> dict[str, Any]:
    """A team's totals in the matches that count."""
    counted = dict(zip(PLACES, record.places, strict=False))
    told = {name: counted.get(name, 0) for name in PLACES}
    plain = {name: getattr(record, name) for name in DONE_COLUMNS if name not in PLACES}
    return {name: (told | plain)[name] for name in DONE_COLUMNS}
