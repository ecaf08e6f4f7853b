"""A team's totals in a stage: updated with every result, and computed again when results change.

The error bar uses units. A unit is one match. If everybody plays the same deals from every seat (`duplicate`), it is
all matches of a table on the same deals, because only their sum is free of the luck of the cards. Its value is points
per game, including penalties for processor time. Matches without any game do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import add
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Count, Exists, F, FloatField, OuterRef, Q, QuerySet, Sum, prefetch_related_objects
from django.db.models.expressions import Case, Combinable, When
from django.db.models.functions import Cast

from contest import bulk
from contest.ledger import hold
from contest.models import Contest
from games.engine import Game
from tournaments.models import Match, MatchSeat, Stage, Tally
from tournaments.results import ratings

PLACES = ("first", "second", "third", "fourth")
OUTCOMES = ("won", "tied", "lost")
COUNTED = ("matches", "games", "points", "penalty", "faults", *PLACES, *OUTCOMES, "units", "total", "squares")

Sums = dict[str, float]
"""The fields of a Tally listed in `COUNTED`."""

Gains = Sequence[tuple[int, Sequence[float]]]
"""What is added to the tallies of teams: for each its id and the fields in `COUNTED`."""

Number = TypeVar("Number", float, Combinable)

# Adding one of these to a smaller number drops its binary digits after the 30th and the 24th.
FINE, COARSE = 1.5 * 2**22, 1.5 * 2**28

WON = 10**9  # more than the matches of any team


def exact(value: Number, by: float = FINE) -> Number:
    """The value, rounded so that sums of such values lose no digit and are the same in any order.

    Otherwise thirds of points or penalties would add up differently with every result, all at once, and in each
    database. This rounds alike in Python, SQLite and PostgreSQL.
    """
    return (value + by) - by


def exact_square(value: Number) -> Number:
    return exact(value * value, COARSE)


# With every result ----------------------------------------------------------------------------------------------------


def count(gains: Mapping[Match, Gains]) -> None:
    """Update ratings and tallies for matches of one contest just written as done, the last ones, in the order of their
    results. The results are set in their seats, which are written here. Call in their transaction."""
    matches = list(gains)
    prefetch_related_objects(matches, "seats")
    if rated := [match for match in matches if match.stage.is_rated]:
        ratings.add(rated)
    write_seats(matches)
    for stage in dict.fromkeys(match.stage for match in matches):
        own = [match for match in matches if match.stage == stage]
        if stage.options.get("duplicate"):  # their units may have begun earlier
            add_up(stage, {seat.team_id for match in own for seat in match.seats.all() if seat.team_id is not None})
        else:
            _add(stage, [gain for match in own for gain in gains[match]])


RESULT = (
    *("score", "place", "disqualified", "faults", "fault_kind", "fault_detail", "slowest_ms", "total_ms"),
    *("grid_ms", "cpu_ms", "penalty", "own_name", "verdict", *ratings.LINK),
)


def write_seats(matches: Sequence[Match]) -> None:
    """Write the results that are set in the loaded seats."""
    seats = [seat for match in matches for seat in match.seats.all()]
    bulk.update(MatchSeat, RESULT, [(seat.pk, *(getattr(seat, name) for name in RESULT)) for seat in seats])


def count_again(matches: Collection[Match]) -> None:
    """Recalculate ratings and tallies after these matches of one contest became void or valid.

    Call inside a transaction that holds the contest.
    """
    if not matches:
        return
    prefetch_related_objects(list(matches), "seats", "stage__contest")
    teams: dict[Stage, set[int]] = {}
    for match in matches:
        ids = {seat.team_id for seat in match.seats.all() if seat.team_id is not None}
        teams.setdefault(match.stage, set()).update(ids)
    rated = [match for match in matches if match.stage.is_rated]
    if rated:
        ratings.recompute(rated[0].contest, rated)
    for stage, ids in teams.items():
        add_up(stage, ids)


def count_without(stage: Stage, first: int, teams: set[int]) -> None:
    """Like `count_again`, after many matches of a stage became void. `teams` played in them, and `first` is the number
    of the first result."""
    if stage.is_rated:
        ratings.recompute_from(stage.contest, first, teams)
    add_up(stage, teams)


def count_all(contest: Contest) -> int:
    """Recalculate everything from the results. Returns how many matches have changed ratings. Works in steps, so that
    others are not blocked: do not call it inside a transaction."""
    with transaction.atomic():
        hold(contest.pk)
        for stage in contest.stages.select_related("contest"):
            add_up(stage)
        ratings.start_over(contest)
    changed = 0
    while (more := ratings.catch_up(contest.pk)) is not None:
        changed += more
    return changed


def gains_of(match: Match) -> Gains:
    """What a result adds to the tallies of its teams. It is set in the seats, which are loaded; no other matters."""
    alone = match.contest.game.seats[1] == 1
    gains = []
    for seat in match.seats.all() if match.games else ():
        if seat.team_id is not None:
            value = exact(seat.counted / match.games)
            gain: Sums = dict.fromkeys(COUNTED, 0) | {
                "matches": 1, "games": match.games, "points": exact(seat.score or 0.0),
                "penalty": exact(seat.penalty), "faults": seat.faults, "units": 1, "total": value,
                "squares": exact_square(value), outcome_of(seat, match): 1,
            }  # fmt: skip
            if seat.place and seat.place <= len(PLACES) and (not alone or seat.score):
                gain[PLACES[seat.place - 1]] = 1
            gains.append((seat.team_id, list(gain.values())))
    return gains


def _add(stage: Stage, gains: Gains) -> None:
    """Sums of exact values do not depend on their order, so the database may add."""
    rows: dict[int, Sequence[float]] = {}
    for team, gain in gains:
        rows[team] = list(map(add, rows[team], gain)) if team in rows else gain
    added = [(stage.pk, team, *row) for team, row in sorted(rows.items())]
    bulk.put(Tally, ("stage", "team"), COUNTED, added, add=True)


def outcome_of(seat: MatchSeat, match: Match) -> str:
    """Return one of `OUTCOMES` for a team's seat. The seats of the match must be loaded.

    A team wins if it is first alone; teams that share first place tie. If only two teams meet, house players do not
    count. A team that the referee disqualified has lost.
    """
    alone = match.contest.game.seats[1] == 1
    if seat.disqualified or (alone and not seat.score):
        return "lost"
    places = [other.place or 0 for other in match.contenders if other.pk != seat.pk and not other.disqualified]
    own = seat.place or 0
    if any(place < own for place in places):
        return "lost"
    return "tied" if own in places else "won"


# From the results -----------------------------------------------------------------------------------------------------


def add_up(stage: Stage, teams: Collection[int] | None = None) -> None:
    """Write the tallies of a stage, or of some of its teams, from its results."""
    seats = MatchSeat.objects.filter(match__stage=stage, match__state=Match.State.DONE, match__pending=False)
    rows = Tally.objects.filter(stage=stage)
    if teams is not None:
        seats, rows = seats.filter(team__in=teams), rows.filter(team__in=teams)
    sums = summed(seats, stage.contest.game)
    rows.exclude(team__in=[team for _, team in sums]).delete()
    rows_now = [(stage.pk, team, *(found[name] for name in COUNTED)) for (_, team), found in sums.items()]
    bulk.put(Tally, ("stage", "team"), COUNTED, rows_now)


def summed(seats: QuerySet[MatchSeat], game: Game) -> dict[tuple[int, int], Sums]:
    """Return totals by stage and team for these seats, in matches that count. A constant number of queries."""
    won = Q() if game.seats[1] > 1 else Q(score__gt=0)  # a team that plays alone is first even with a wrong answer
    value = exact(Cast(F("score") + F("penalty"), FloatField()) / F("match__games"))
    done = seats.filter(match__games__gt=0, team__isnull=False)
    done = done.order_by()
    stages = Stage.objects.only("format", "options").in_bulk(done.values_list("match__stage", flat=True).distinct())
    house = {pk for pk, stage in stages.items() if stage.played_in.counts_house(stage.options)}
    found = {}
    for among, these in (("teams", stages.keys() - house), ("all", house)):
        rows: QuerySet[Any, Mapping[str, Any]] = done.filter(match__stage__in=these).values("match__stage", "team")
        for row in rows.annotate(
            matches=Count("pk"),
            games=Sum("match__games"),
            points=Sum(exact(F("score"))),
            fines=Sum(exact(F("penalty"))),
            faulty=Sum("faults"),
            total=Sum(value),
            squares=Sum(exact_square(value)),
            **{name: Count("pk", filter=Q(place=place) & won) for place, name in enumerate(PLACES, 1)},
            firsts=_firsts(won, among),
        ):
            sums: Sums = {name: row[name] or 0 for name in ("matches", "games", *PLACES)}
            sums |= {name: row[name] or 0.0 for name in ("points", "total", "squares")}
            sums |= {"penalty": row["fines"] or 0.0, "faults": row["faulty"] or 0, "units": row["matches"]}
            sums["won"], sums["tied"] = divmod(row["firsts"], WON)
            sums["lost"] = sums["matches"] - sums["won"] - sums["tied"]
            found[row["match__stage"], row["team"]] = sums
    if common := [stage.pk for stage in stages.values() if stage.options.get("duplicate")]:
        _put_together(done.filter(match__stage__in=common), found)
    return found


def _firsts(won: Q, among: str) -> Sum:
    """How often these seats won and tied (`outcome_of`), among the `teams` of their matches or among `all` players.
    One number, `WON` for each match won and 1 for each tied, so that the rivals of a seat are looked for once."""
    rivals = MatchSeat.objects.filter(match=OuterRef("match"), disqualified=False).exclude(pk=OuterRef("pk"))
    if among == "teams":
        rivals = rivals.filter(team__isnull=False)
    level = Exists(rivals.filter(place=OuterRef("place")))
    first = Q(disqualified=False) & won & (Q(place=1) | ~Exists(rivals.filter(place__lt=OuterRef("place"))))
    return Sum(Case(When(first, then=Case(When(level, then=1), default=WON)), default=0))


def _put_together(done: QuerySet[MatchSeat], found: Mapping[tuple[int, int], Sums]) -> None:
    """Combine units in stages with shared deals: all matches of a table with the same seed."""
    units: Iterable[Mapping[str, Any]] = done.values("match__stage", "team", "match__table", "match__seed").annotate(
        points=Sum(exact(F("score") + F("penalty"))), games=Sum("match__games")
    )
    values: dict[tuple[int, int], list[float]] = {}
    for unit in units:
        values.setdefault((unit["match__stage"], unit["team"]), []).append(
            exact((unit["points"] or 0.0) / unit["games"])
        )
    for key, each in values.items():
        found[key] |= {"units": len(each), "total": sum(each), "squares": sum(map(exact_square, each))}
