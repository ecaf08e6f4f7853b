"""What the front page tells of play: champions, what is played now and was played last, the position of the day.

It is what everybody may see of public contests, whoever reads it, so it is computed once for all until one of them has
news for the public.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from django.db.models import F
from django.urls import reverse

from contest.cards import face
from contest.models import Contest
from games.engine import Card, Event, Face, Game
from games.record import Record, game_events, game_seating, games_played, positions
from tournaments.kinds import champions, secrecy
from tournaments.models import Match
from tournaments.results.cache import Cache
from tournaments.results.visibility import Sight, public
from tournaments.view_models.queries import with_players
from tournaments.view_models.records import record_of

CONTESTS = 12  # those that are looked at: under way, and the latest that ended
CROWNED = 3
AT_PLAY = 4  # contests of which matches are shown
MATCHES = 4  # of each
LATEST = 6  # results
LATEST_OF_ONE = 3  # of them of one contest
TO_CHOOSE = 40  # matches from which the position of the day is chosen


@dataclass(frozen=True, slots=True)
class Crowned:
    """A champion, with the match that decided it."""

    contest: int
    contest_name: str
    stage_url: str
    team: str
    team_url: str
    school: str
    final_url: str  # blank where no single match decided
    is_over: bool  # no other stage goes on


@dataclass(frozen=True, slots=True)
class Playing:
    """A contest in which matches are being played now."""

    name: str
    url: str
    matches: Sequence[tuple[str, str, str, str]]  # title, who plays, address, and where it can be followed
    more: int


@dataclass(frozen=True, slots=True)
class Result:
    """A match that was played lately."""

    contest_name: str
    title: str
    url: str
    players: Sequence[tuple[str, bool]]  # names in the order of their places, and whether first
    at: datetime


@dataclass(frozen=True, slots=True)
class Front:
    crowned: Sequence[Crowned]  # the latest champions, the newest first
    champions: Mapping[int, Crowned]  # of all contests that were looked at, by their ids
    playing: Sequence[Playing]
    latest: Sequence[Result]
    position: DailyPosition | None

    @property
    def revision(self) -> str:
        """Changes with what is played now and was played last, and its names. No number: it tells no order."""
        return f"n{zlib.crc32(repr((self.playing, self.latest)).encode()):08x}"


NOTHING = Front((), {}, (), (), None)
CACHE: Cache[Front] = Cache(4)


def front_of(now: datetime) -> Front:
    """Two queries while nothing has changed for the public."""
    public = Contest.objects.filter(visibility=Contest.Visibility.PUBLIC, play_started_at__isnull=False)
    begun = public.order_by(F("ended_at").desc(nulls_first=True), "-play_started_at", "-pk")
    contests = list(begun[:CONTESTS])
    if not contests:
        return NOTHING
    day = now.astimezone(UTC).date().isoformat()
    key = (day, *((each.pk, each.name, each.public_revision, each.is_frozen(now)) for each in contests))
    return CACHE.get(key, lambda: _read(contests, day, now))


def _read(contests: Sequence[Contest], day: str, now: datetime) -> Front:
    sights = {each.pk: public(each) for each in contests}
    champions: dict[int, Crowned] = {}
    playing: list[Playing] = []
    latest: list[Result] = []
    for sight in sights.values():  # states of stages and matches may be hidden, so only a sight is asked
        if champion := _crowned(sight):
            champions[sight.contest.pk] = champion
        if len(playing) < AT_PLAY and (at_play := _playing(sight)):
            playing.append(at_play)
        latest += _latest(sight)
    latest.sort(key=lambda each: each.at, reverse=True)
    position = _position(list(sights.values()), day, now)
    return Front(list(champions.values())[:CROWNED], champions, playing, latest[:LATEST], position)


def _crowned(sight: Sight) -> Crowned | None:
    champion = champions.of(sight)
    if champion is None:
        return None
    final = champions.final_of(champion.stage, sight)
    contest = sight.contest
    champion.team.contest = contest
    return Crowned(
        contest.pk,
        contest.name,
        champion.stage.get_absolute_url(),
        champion.team.name,
        champion.team.get_absolute_url(),
        champion.team.school,
        reverse("replay", args=[final.pk, 1]) if final else "",
        champions.is_over(sight),
    )


def _playing(sight: Sight) -> Playing | None:
    running = sight.in_state(Match.State.RUNNING)
    count = running.count()
    shown = running.select_related("table").prefetch_related("stage", "seats__team").order_by("started_at", "pk")
    matches = [
        (
            match.title,
            " – ".join(format(seat.name) for seat in match.seats.all()),
            match.get_absolute_url(),
            match.live_url if match.is_on_air else "",
        )
        for match in shown[:MATCHES]
    ]
    contest = sight.contest
    return Playing(contest.name, contest.get_absolute_url(), matches, count - len(matches)) if matches else None


def _latest(sight: Sight) -> list[Result]:
    found = with_players(sight.done()).prefetch_related("stage").order_by("-resulted", "-pk")
    return [
        Result(
            sight.contest.name,
            match.title,
            match.get_absolute_url(),
            [(seat.name, match.ranks.get(seat.index) == 1) for seat in match.by_place],
            match.finished_at,
        )
        for match in found[:LATEST_OF_ONE]
        if match.finished_at and len(match.by_place) > 1
    ]


def _position(sights: Sequence[Sight], day: str, now: datetime) -> DailyPosition | None:
    """The same all day long and for everybody, unless a result that it was chosen from does not count any more."""
    pick = int.from_bytes(sha256(day.encode()).digest()[:4], "big")
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    in_order = sorted(sights, key=lambda sight: sight.contest.play_started_at or now)
    sights = [sight for sight in in_order if (sight.contest.play_started_at or now) < midnight] or in_order[:1]
    for turn in range(min(2, len(sights))):
        sight = sights[(pick + turn) % len(sights)]
        played = sight.done().select_related("table").prefetch_related("stage", "contest").order_by("-resulted", "-pk")
        matches = list(played.filter(finished_at__lt=midnight)[:TO_CHOOSE]) or list(played.reverse()[:1])
        matches = [match for match in matches if secrecy.shows_all(match, sight)]
        if not matches:
            continue
        match = matches[pick % len(matches)]
        record = record_of(match, sight)
        if record and (found := hardest(match, record, pick)):
            return found
    return None


TRIED = 8  # how many of the longest decisions are looked at
LEAST = 3  # legal cards that make a decision worth a thought


@dataclass(frozen=True, slots=True)
class DailySeat:
    label: str
    name: str
    suits: Sequence[Sequence[Face]]  # the hand as people hold it
    spoken: str  # the hand for screen readers
    played: Face | None
    is_turn: bool


@dataclass(frozen=True, slots=True)
class DailyPosition:
    """The position before a decision, with all hands open."""

    game: Game
    title: str
    seats: Sequence[DailySeat]
    legal: int
    ms: float
    url: str  # of the replay, just before it

    @property
    def decides(self) -> DailySeat:
        return next(seat for seat in self.seats if seat.is_turn)


def hardest(match: Match, record: Record, pick: int) -> DailyPosition | None:
    """The team's decision that took longest, of those with a choice, in one game of the match: `pick` says which game.

    None where no position shows hands and legal cards.
    """
    game = match.contest.game
    number = 1 + pick % max(1, games_played(record))
    events = game_events(record, number)
    house = [str(seat["bot"]).startswith("house:") for seat in record["seats"]]
    seating = game_seating(record, number)
    timed = [
        (house[seating[event["seat"]]], -event["ms"], ply)
        for ply, event in enumerate(events)
        if event["event"] in game.decisions and event.get("ms") is not None and "by" not in event and ply
    ]
    for _, minus, ply in sorted(timed)[:TRIED]:
        (position,) = positions(record, number, "table", plies=range(ply - 1, ply))
        table = position.table
        legal = table.get("legal") or ()
        hands: Sequence[Any] = table.get("hands") or (None,)
        # Cards to take from a pool are in no hand, so the picture would not show what it asks about.
        if len(legal) >= LEAST and None not in hands and set(legal) <= set(hands[events[ply]["seat"]]):
            url = f"{reverse('replay', args=[match.pk, number])}?ply={ply - 1}"
            seats = _seats(game, record, number, table, events[ply])
            return DailyPosition(game, match.title, seats, len(legal), -minus, url)
    return None


def _seats(game: Game, record: Record, number: int, table: Mapping[str, Any], decision: Event) -> list[DailySeat]:
    played = {each["seat"]: each["card"] for each in table.get("current") or ()}
    return [
        DailySeat(
            game.seat_names[seat].capitalize(),
            record["seats"][player]["name"],
            held := _held(game, table["hands"][seat]),
            ", ".join(card.words for suit in held for card in suit) or "no cards",
            face(game, played[seat]) if seat in played else None,
            seat == decision["seat"],
        )
        for seat, player in enumerate(game_seating(record, number))
    ]


def _held(game: Game, cards: Sequence[Card]) -> list[list[Face]]:
    """By suit in the order spades, hearts, clubs, diamonds, so that the colours alternate; highest first."""
    groups: dict[str, list[Face]] = {}
    for each in sorted((face(game, card) for card in cards), key=lambda it: -it.strength):
        groups.setdefault(each.group, []).append(each)
    return sorted(groups.values(), key=lambda group: ("shcd".find(group[0].suit), -group[0].strength))
