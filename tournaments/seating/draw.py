"""Creating matches: who sits where, with which version, on which deals. schedule and ladder decide which are wanted."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from contest import ledger
from contest.ledger import Fact, Held
from contest.models import Contest, Kind, Team
from games.engine import Opening
from submissions.models import Submission
from tournaments.formats.plan import TableKey, WantedMatch
from tournaments.models import Client, Match, MatchSeat, Stage, Table
from tournaments.seating.player_numbers import house_names

T = TypeVar("T")


Versions = Mapping[int, int]
"""The version with which each team plays."""


def matches(
    held: Held,
    stage: Stage,
    wanted: Sequence[tuple[Table, WantedMatch]],
    versions: Callable[[WantedMatch], Versions],
    void_before: Mapping[tuple[int, int], Sequence[int]] = MappingProxyType({}),
) -> list[Match]:
    """Create matches that do not exist yet, queued, with everybody's version pinned. Call inside a transaction.

    `void_before`: by table and number, the void matches that these replace.
    """
    connected = connected_teams(stage.contest)
    options, limits = stage.contest.full_options(), limits_of(stage.contest)
    openings = stage.played_in.openings(stage.options, stage.contest.game)
    shared = _shared_seeds(wanted, void_before)
    created, seats = [], []
    for table, match_wanted in wanted:
        earlier = void_before.get((table.pk, match_wanted.number), [])
        match = Match(
            contest=stage.contest,
            stage=stage,
            table=table,
            kind=Match.Kind.PLAYOFF if match_wanted.playoff else Match.Kind.REGULAR,
            number=match_wanted.number,
            replay_of_id=max(earlier, default=None),
            why=match_wanted.why[:300],
            seed=shared.get(max(earlier, default=0))
            or seed_of(stage, (table.round, table.number), match_wanted, len(earlier)),
            options=options,
            limits=limits,
            openings=_with_deals(openings, stage, match_wanted),
            priority=10 * table.round - 5 * match_wanted.playoff,
        )
        may_connect = connected if match_wanted.deal is None else frozenset()  # deals.py says why
        own = _seats(stage, match, match_wanted, versions(match_wanted), may_connect)
        match.live = any(seat.is_live for seat in own)
        created.append(match)
        seats += own
    Match.objects.bulk_create(created, batch_size=500)
    for seat in seats:
        seat.match_id = seat.match.pk
    MatchSeat.objects.bulk_create(seats, batch_size=1000)
    drawn = [match.pk for match in created]
    by_rounds = stage.release == Stage.Release.ROUNDS
    number = ledger.write(held, Fact(Kind.MATCHES_DRAWN, stage.pk, data={"matches": drawn}, withheld=by_rounds))
    Match.objects.filter(pk__in=drawn).update(counts_from=number)
    for match in created:
        match.counts_from = number
    return created


def void_matches(stage: Stage) -> dict[tuple[int, int], list[int]]:
    """The void matches of a stage, by table and number."""
    found: dict[tuple[int, int], list[int]] = {}
    void = stage.matches.filter(state=Match.State.VOID, pending=False)
    for table_id, number, pk in void.values_list("table_id", "number", "pk"):
        found.setdefault((table_id, number), []).append(pk)
    return found


def seed_of(stage: Stage, place: TableKey, wanted: WantedMatch, tries: int = 0) -> int:
    """The seed of a match, a new one for each replay. Matches on shared deals have one seed, which stays in replays."""
    which = f"{wanted.number}/{tries}" if wanted.deal is None else f"deal {wanted.deal}"
    return seed_from(f"{stage.chance}/{place[0]}/{place[1]}/{which}", short=stage.has_short_seed)


def _shared_seeds(
    wanted: Sequence[tuple[Table, WantedMatch]], void: Mapping[tuple[int, int], Sequence[int]]
) -> dict[int, int]:
    """By id, the seeds of void matches on shared deals that are replaced. After a review they may not be as drawn."""
    places = ((table.pk, each.number) for table, each in wanted if each.deal is not None)
    replaced = [max(void[place]) for place in places if void.get(place)]
    return dict(Match.objects.filter(pk__in=replaced).values_list("pk", "seed")) if replaced else {}


def openings_of(stage: Stage, wanted: WantedMatch) -> list[Opening]:
    """The games as the format sets them. On shared deals each game has a deal number."""
    return _with_deals(stage.played_in.openings(stage.options, stage.contest.game), stage, wanted)


def _with_deals(openings: list[Opening], stage: Stage, wanted: WantedMatch) -> list[Opening]:
    if wanted.deal is None:
        return openings
    openings = openings or [{} for _ in range(stage.options.get("games") or 1)]
    return [{**opening, "deal": number} for number, opening in enumerate(openings, start=1)]


def _seats(
    stage: Stage, match: Match, wanted: WantedMatch, versions: Versions, connected: frozenset[int]
) -> list[MatchSeat]:
    """The players, in the wanted order or shuffled by the match's seed, so that no team always deals first.

    Connected teams play through their connection. A team without a version is expected to connect.
    """
    players = [
        MatchSeat(match=match, team_id=team, submission_id=None if team in connected else versions.get(team))
        for team in wanted.teams
    ]
    count = max(wanted.seats, stage.contest.game.seats[0])
    players += [MatchSeat(match=match, house=name) for name in house_names(stage, count - len(wanted.teams))]
    players = seated(players, match.seed, wanted.rotation)
    for index, seat in enumerate(players):
        seat.index = index
    return players


def seated(players: Sequence[T], seed: int, rotation: int | None) -> list[T]:
    """The players in the order of the seats: rotated by this many or (None) shuffled by the match's seed."""
    seats = list(players)
    if rotation is None:
        Random(seed).shuffle(seats)
        return seats
    by = rotation % len(seats)
    return seats[-by:] + seats[:-by] if by else seats


def unseated(players: Sequence[T], seed: int, rotation: int | None) -> list[T]:
    """The players in the order of the draw, given the order of the seats: undoes `seated`."""
    at = seated(range(len(players)), seed, rotation)
    return [player for _, player in sorted(zip(at, players, strict=True), key=lambda pair: pair[0])]


def connected_teams(contest: Contest) -> frozenset[int]:
    """The teams that are now connected to the contest server."""
    if not contest.live:
        return frozenset()
    connected = Client.objects.connected(timezone.now()).filter(team__contest=contest)
    return frozenset(connected.values_list("team", flat=True))


def seed_from(name: str, *, short: bool = False) -> int:
    """1 … 2^53 - 1, which JavaScript reads exactly. `short`: up to 2^31 - 1, as seeds once were.

    The name must begin with a secret, because whoever knows all of it knows every card. The range is too large to try
    all seeds for one that deals a known hand.
    """
    size, most = (4, 2**31 - 1) if short else (8, 2**53 - 1)
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:size]) % most + 1


def any_seed() -> int:
    """A random seed, for matches that share it with no other."""
    return seed_from(secrets.token_hex())


def limits_of(contest: Contest) -> dict[str, float]:
    """The limits for bots in a match created now, beside the game's options."""
    return {"memory_mb": contest.memory_mb, "startup_seconds": contest.startup_seconds}


def active_versions(teams: Collection[int] | QuerySet[Team]) -> dict[int, int]:
    """The version of each of these teams that would play now."""
    active = Submission.objects.active().filter(team__in=teams)
    return dict(active.values_list("team", "pk"))
