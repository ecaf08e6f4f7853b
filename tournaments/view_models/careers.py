"""What a team did in a contest, as everybody may know it at this moment: for pages that look across contests.

A person or a club may have played in hundreds of contests, so what each of them costs to compute is kept in the cache
until the contest's public revision changes. A page gets all of it at once and computes at most `SECONDS` of what is
missing; the rest is `pending` until the page is opened again. Names are never kept: they come from their rows.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from time import monotonic
from typing import Any

from django.core.cache import cache
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from contest.models import Club, Contest, Team
from submissions.languages import LANGUAGES
from tournaments import kinds
from tournaments.kinds import champions
from tournaments.models import MatchSeat
from tournaments.results.standings import skills_of, totals_of
from tournaments.results.visibility import Sight, public
from tournaments.view_models.pairs import Balance, balance, met
from tournaments.view_models.rating_history import history_of
from tournaments.view_models.rating_words import words_of

logger = logging.getLogger(__name__)

SECONDS = 1.5
KEPT = 60 * 60 * 24 * 30
VERSION = 1  # of what is kept
POINTS = 60  # of a rating's history
NUMBERS = tuple[int, float, float]


@dataclass(frozen=True, slots=True)
class Figures:
    """What is computed of a team in a contest."""

    place: int | None = None  # in the deciding stage of a contest that has ended
    is_shared: bool = False
    of: int = 0
    is_champion: bool = False
    matches: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    rating: float | None = None
    languages: Sequence[str] = ()  # slugs, of versions that played
    versions: int = 0
    history: Sequence[NUMBERS] = ()  # match, rating, its deviation
    rated: int = 0  # how many matches that is


@dataclass(frozen=True, slots=True)
class Career:
    """A team in a contest. `figures` is None while they are being computed."""

    team: Team
    figures: Figures | None
    languages: Sequence[str] = field(default=())

    @property
    def contest(self) -> Contest:
        return self.team.contest

    @property
    def has_trophy(self) -> bool:
        place = self.figures.place if self.figures else None
        return place is not None and place <= 3

    @property
    def rating(self) -> str:
        if self.figures is None or self.figures.rating is None:
            return ""
        return f"{self.figures.rating:,.{words_of(self.contest.game).digits}f}"


def shown(teams: Iterable[Team]) -> list[Team]:
    """Those of these teams, with their contests, of which pages for everybody may speak."""
    hidden = (Team.State.PENDING, Team.State.REFUSED)
    return [team for team in teams if team.contest.visibility == Contest.Visibility.PUBLIC and team.state not in hidden]


def careers_of(teams: Sequence[Team]) -> list[Career]:
    """Of teams that may be shown, the contest that opened last first. No query while nothing is new."""
    ordered = sorted(teams, key=lambda team: (team.contest.opens_at, team.pk), reverse=True)
    keys = {team.pk: _key("career", team.contest, team.pk) for team in ordered}
    known = _kept(keys.values())
    until = monotonic() + SECONDS
    found = []
    for team in ordered:
        told = known.get(keys[team.pk])
        if told is None and (team.contest.play_started_at is None or monotonic() < until):
            told = asdict(_figures(team))
            if team.contest.play_started_at is not None:
                _keep(keys[team.pk], told)
        figures = Figures(**told) if told is not None else None
        found.append(Career(team, figures, _names(figures)))
    return found


def _names(figures: Figures | None) -> list[str]:
    slugs = figures.languages if figures else ()
    return [LANGUAGES[slug].name if slug in LANGUAGES else slug for slug in slugs]


def _figures(team: Team) -> Figures:
    """Nothing has been played in a contest that has not begun, and saying so costs nothing."""
    if team.contest.play_started_at is None:
        return Figures()
    sight = public(team.contest)
    totals = totals_of(team, sight)
    used = MatchSeat.objects.filter(team=team, match__in=sight.done().values("pk"), submission__isnull=False)
    versions = set(used.order_by().values_list("submission__number", "submission__language").distinct())
    skill = skills_of(sight).get(team.pk)
    rows = history_of(sight, team.pk)
    step = max(1, ceil(len(rows) / POINTS))
    chosen = sorted({*range(len(rows) - 1, -1, -step), 0}) if rows else []
    place, is_shared, of, is_champion = _place(team, sight)
    return Figures(
        place,
        is_shared,
        of,
        is_champion,
        totals.matches,
        totals.won,
        totals.tied,
        totals.lost,
        skill.mu if skill else None,
        sorted({language for _, language in versions}),
        len(versions),
        [(rows[index].match, rows[index].mu_after, rows[index].sigma_after) for index in chosen],
        len(rows),
    )


def _place(team: Team, sight: Sight) -> tuple[int | None, bool, int, bool]:
    """Its place in the deciding stage, whether others share it, among how many, and whether it is the champion."""
    contest = sight.contest
    if contest.ended_at is None or contest.ended_at > timezone.now():
        return None, False, 0, False
    key = _key("places", contest, contest.pk)
    told = _kept([key]).get(key)
    if told is None:
        told = _keep(key, _places(sight))
    rank = told["ranks"].get(str(team.pk))
    shared = sum(other == rank for other in told["ranks"].values()) > 1
    return rank, rank is not None and shared, len(told["ranks"]), told["champion"] == team.pk


def _places(sight: Sight) -> dict[str, Any]:
    stage, champion = champions.decided(sight), champions.of(sight)
    lines = kinds.of(stage).export(stage, sight) if stage else ()
    ranks = {str(line["team_id"]): line["rank"] for line in lines if line["rank"]}
    return {"champion": champion.team.pk if champion else None, "ranks": ranks}


# Two clubs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Met:
    """Two teams in a contest, and their balance. None while it is being computed."""

    team: Team
    other: Team
    balance: Balance | None


def meetings(pairs: Sequence[tuple[Team, Team]]) -> list[Met]:
    """Pairs of teams of the same contest that may be shown; only those that have met, or that nobody knows yet."""
    keys = {team.pk: _key("pair", team.contest, team.pk, other.pk) for team, other in pairs}
    known = _kept(keys.values())
    until = monotonic() + SECONDS
    found = []
    for team, other in pairs:
        told = known.get(keys[team.pk])
        if told is None and monotonic() < until:
            sight = public(team.contest)
            done = sight.done()
            told = _keep(keys[team.pk], asdict(balance(done.filter(pk__in=met(done, team, other)), team, other)))
        result = Balance(**told) if told is not None else None
        if result is None or result.matches:
            found.append(Met(team, other, result))
    return found


# What is kept ---------------------------------------------------------------------------------------------------------


def _key(what: str, contest: Contest, *numbers: int) -> str:
    """Another one whenever the public may know something else of the contest."""
    ended = contest.ended_at is not None and contest.ended_at <= timezone.now()
    marks = (*numbers, contest.public_revision, int(contest.is_frozen()), int(ended))
    return f"{what}:{VERSION}:{contest.pk}:" + ":".join(map(str, marks))


def _kept(keys: Collection[str]) -> dict[str, Any]:
    try:
        return cache.get_many(list(keys))
    except Exception:  # a cache that does not answer is an empty one
        logger.warning("the cache does not answer", exc_info=True)
        return {}


def _keep(key: str, value: dict[str, Any]) -> dict[str, Any]:
    try:
        cache.set(key, value, KEPT)
    except Exception:
        logger.warning("the cache does not answer", exc_info=True)
    return value


def open_club(club_id: int) -> tuple[Club, list[Team]]:
    """A club with a page, and its teams that everybody may see, the newest first. Raises Http404."""
    club = get_object_or_404(Club, pk=club_id, is_public=True)
    found = shown(Team.objects.filter(club=club).select_related("contest"))
    if not found:
        raise Http404("nobody may see any of its teams")
    return club, sorted(found, key=lambda team: (team.contest.opens_at, team.pk), reverse=True)
