"""Setting a table, and who sits at it: joining, leaving, coming back."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from contest.models import User
from contest.names import one_line
from contest.refusal import Refused
from games.coach import Lesson, coach_of
from games.engine import Event, Game, House
from submissions.models import Submission
from tournaments.casual import limits, news
from tournaments.casual.limits import PACES, Who
from tournaments.models import CasualGame, CasualSeat, Duty
from tournaments.models.casual import new_key

SETTING = "casual tables"  # the row that is locked while a table is set
SEED_BITS = 53
LONGEST_NAME = 32
GUEST = "Guest"

State, Kind = CasualGame.State, CasualSeat.Kind


@dataclass(frozen=True)
class Place:
    """Who shall sit somewhere: a person (whoever asks, or whoever comes), a house player, or a version."""

    kind: CasualSeat.Kind
    house: str = ""
    submission: Submission | None = None
    kept_for: CasualSeat | None = None  # a person's seat at another table: only that person may sit here


@dataclass(frozen=True)
class Wish:
    """A table that somebody wants. `options` are complete; `seat` is where they sit themselves."""

    game: Game
    preset: str
    options: Mapping[str, Any]
    places: Sequence[Place]
    seat: int
    seed: int | None = None  # None: a fresh deal
    how: Mapping[str, Any] = field(default_factory=dict)
    past: Sequence[Sequence[Event]] = ()
    source: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    pace: str = CasualGame.Pace.RELAXED
    coached: bool = False
    lesson: bool = False
    listed: bool = False
    private: bool = False


def lesson_of(game: Game) -> Lesson | None:
    """Return the lesson of a game (games/coach.py), if it has one and people may play here."""
    coach = coach_of(game) if settings.CASUAL_GAMES else None
    return coach.lesson if coach else None


def with_lesson(game: Game, lesson: Lesson) -> Wish:
    """Return the table of a lesson. Nobody else can sit down at it, and the time is generous."""
    seats = game.seats[1]
    places = [Place(CasualSeat.Kind.PERSON)] * seats
    for step, house in enumerate(lesson.house, 1):
        places[(lesson.seat + step) % seats] = Place(CasualSeat.Kind.HOUSE, house=house)
    return Wish(
        game=game,
        preset=game.preset().name,
        options=game.options(lesson.options),
        places=places,
        seat=lesson.seat,
        seed=lesson.seed,
        how={"openings": [dict(lesson.opening)]} if lesson.opening else {},
        lesson=True,
    )


def stand_in(game: Game) -> str:
    """The house player that plays on for a person who has left."""
    return game.fillers[0] if game.fillers else game.house[len(game.house) // 2].name


def may_use(version: Submission, user: User | None) -> bool:
    """Whether somebody may play with a version: it is ready, and they are a member of its team."""
    return user is not None and version.is_ready and version.team.memberships.filter(user=user).exists()


def set_up(wish: Wish, who: Who, name: str = "") -> tuple[CasualGame, CasualSeat]:
    """Set a table, and seat the person who asks. Without free seats the game begins. Raises Refused."""
    _check(wish, who)
    versions = [place.submission for place in wish.places if place.submission is not None]
    with transaction.atomic():
        Duty.objects.get_or_create(name=SETTING, defaults={"until": timezone.now()})
        Duty.objects.select_for_update().get(name=SETTING)
        if who.form and (mine := CasualSeat.objects.filter(key=who.form).select_related("game").first()):
            return mine.game, mine
        limits.check_room(who)
        if versions:
            limits.check_versions(who)
        game = CasualGame.objects.create(
            game_slug=wish.game.slug,
            preset=wish.preset,
            options=dict(wish.options),
            seed=secrets.randbits(SEED_BITS) if wish.seed is None else wish.seed,
            how={"games": 1} | dict(wish.how),
            past=[list(each) for each in wish.past],
            source=dict(wish.source),
            limits=dict(wish.limits) or _limits(versions),
            pace=wish.pace,
            coached=wish.coached or wish.lesson,
            lesson=wish.lesson,
            listed=wish.listed,
            private=wish.private or bool(versions),
            made_by=who.user,
            made_from=who.address,
        )
        CasualSeat.objects.bulk_create(_seat(game, index, place) for index, place in enumerate(wish.places))
        seat = _take(game, game.seats.get(index=wish.seat), who, name)
        _begin_if_full(game)
    return game, seat


def _limits(versions: Sequence[Submission]) -> dict[str, Any]:
    """What the jails of these versions get: as much as their contests allow."""
    contests = [version.team.contest for version in versions]
    if not contests:
        return {}
    return {
        "memory_mb": max(contest.memory_mb for contest in contests),
        "startup_seconds": max(contest.startup_seconds for contest in contests),
    }


def _check(wish: Wish, who: Who) -> None:
    fewest, most = wish.game.seats
    if not fewest <= len(wish.places) <= most:
        raise Refused(f"{wish.game.title} is not played by {len(wish.places)}.")
    if not 0 <= wish.seat < len(wish.places) or wish.places[wish.seat].kind != Kind.PERSON:
        raise Refused("Choose a seat for yourself.")
    for place in wish.places:
        if place.kind == Kind.VERSION and (place.submission is None or not may_use(place.submission, who.user)):
            raise Refused("You can only seat versions of your own teams that are ready.")
        if place.submission is not None and place.submission.team.contest.game_slug != wish.game.slug:
            raise Refused("This version plays another game.")


def _seat(game: CasualGame, index: int, place: Place) -> CasualSeat:
    seat = CasualSeat(game=game, index=index, kind=place.kind, house=place.house, submission=place.submission)
    seat.kept_for = place.kept_for
    if place.kind == Kind.PERSON:
        seat.house = stand_in(game.game)
        seat.bank_ms = round(1000 * PACES[game.pace][1].total_seconds())
    elif place.submission is not None:
        seat.name = f"{place.submission.team.name}, version {place.submission.number}"[:80]
    else:
        seat.name = house_name(place.house)
    return seat


def house_name(house: str) -> str:
    """How a house player is called at a table, where names are short."""
    return house.replace("_", " ").capitalize()


def is_telling(name: str, house: House) -> bool:
    """Whether a house player's name says how it plays: `Pseudo random` is pseudo-random."""
    return house.skill.replace("-", " ").startswith(name.lower())


def _take(game: CasualGame, seat: CasualSeat, who: Who, name: str) -> CasualSeat:
    """Seat somebody. Raises Refused if somebody else was faster."""
    now = timezone.now()
    name = name or (seat.kept_for.name if seat.kept_for else "")
    taken = CasualSeat.objects.filter(pk=seat.pk, kind=Kind.PERSON, key="").update(
        key=who.form or new_key(),
        user=who.user,
        name=_name(game, who.user, name),
        joined_at=now,
        seen_at=now,
        left_at=None,
    )
    if not taken:
        raise Refused("Somebody has just taken this seat.")
    seat.refresh_from_db()
    return seat


def _name(game: CasualGame, user: User | None, name: str) -> str:
    """How a person is called at this table: like nobody else there."""
    wanted = one_line(name)[:LONGEST_NAME] or (user.get_username() if user else GUEST)
    wanted = wanted[:LONGEST_NAME]
    taken = set(game.seats.exclude(name="").values_list("name", flat=True))
    found, number = wanted, 1
    while found in taken:
        number += 1
        found = f"{wanted} {number}"
    return found


def _begin_if_full(game: CasualGame) -> None:
    if not game.seats.filter(kind=Kind.PERSON, key="").exists():
        _begin(game)


def _begin(game: CasualGame) -> None:
    if CasualGame.objects.filter(pk=game.pk, state=State.OPEN).update(state=State.PLAYING, started_at=timezone.now()):
        game.refresh_from_db(fields=["state", "started_at"])
        news.wake(game.pk)


def _hold(game: CasualGame) -> None:
    """Lock the table until the transaction ends, and read it and its seats anew: it may have begun since."""
    game.refresh_from_db(from_queryset=CasualGame.objects.select_for_update())


def seat_of(game: CasualGame, who: Who) -> CasualSeat | None:
    """The seat that this person holds: by the key in their browser, or by their account."""
    seats = game.seats.all()
    by_key = (seat for seat in seats if _has_key(who, seat))
    by_user = (seat for seat in seats if _is_theirs(who, seat))
    return next(by_key, None) or next(by_user, None)


def _has_key(who: Who, seat: CasualSeat) -> bool:
    keys = filter(None, (who.keys.get(str(seat.game_id)), who.form))
    return seat.is_person and bool(seat.key) and any(constant_time_compare(seat.key, key) for key in keys)


def _is_theirs(who: Who, seat: CasualSeat) -> bool:
    return seat.is_person and bool(seat.key) and who.user is not None and seat.user_id == who.user.pk


def kept_seat(game: CasualGame, who: Who) -> CasualSeat | None:
    """The free seat at an open table that is kept for this person."""
    for seat in game.seats.all() if game.is_open else ():
        before = seat.kept_for
        if seat.is_free and before is not None and (_has_key(who, before) or _is_theirs(who, before)):
            return seat
    return None


def next_table(game: CasualGame) -> CasualGame | None:
    """The table at which people from this one want to play again, while it is open."""
    return CasualGame.objects.filter(state=State.OPEN, seats__kept_for__game=game).order_by("pk").first()


def may_join(game: CasualGame, key: str) -> bool:
    """Whether somebody who knows this key may sit down where no seat is kept. Listed tables need none."""
    return game.is_open and (constant_time_compare(key, game.key) or (game.listed and not game.private))


@transaction.atomic
def join(game: CasualGame, who: Who, *, key: str = "", index: int | None = None, name: str = "") -> CasualSeat:
    """Sit down at a free seat (the first, unless it is named), or come back to one's own. Raises Refused."""
    limits.check_allowed(who)
    _hold(game)
    if (mine := seat_of(game, who)) is not None:
        return come_back(game, mine)
    kept = kept_seat(game, who)
    if kept is None and not may_join(game, key):
        raise Refused("This table is not open to you." if game.is_open else "This game has already begun.")
    open_to_all = (seat for seat in game.seats.all() if seat.is_free and seat.kept_for_id is None)
    free = [kept] if kept else [seat for seat in open_to_all if index in (None, seat.index)]
    if not free:
        raise Refused("This seat is taken." if index is not None else "All seats are taken or kept for somebody.")
    seat = _take(game, free[0], who, name)
    _begin_if_full(game)
    return seat


@transaction.atomic
def play_again(game: CasualGame, seat: CasualSeat, who: Who, *, same: bool) -> tuple[CasualGame, CasualSeat]:
    """Set the same table once more, and keep the seats of the other people; whoever asks later joins them there.
    `same`: the same cards, and everybody one seat further. Raises Refused."""
    _hold(game)
    table = next_table(game)
    if table is not None and (kept_seat(table, who) or seat_of(table, who)):
        return table, join(table, who, name=seat.name)
    return set_up(_once_more(game, seat, same=same), who, seat.name)


def _once_more(game: CasualGame, mine: CasualSeat, *, same: bool) -> Wish:
    """The wish behind a table, as far as everybody can still play: the house plays for people who have left, and for
    versions that were deleted."""
    seats = list(game.seats.select_related("submission__team__contest"))
    places = [_place_again(game, seat, mine) for seat in seats]
    at = mine.index
    if same and not game.past:
        places, at = [*places[-1:], *places[:-1]], (at + 1) % len(places)
    return Wish(
        game=game.game,
        preset=game.preset,
        options=game.options,
        places=places,
        seat=at,
        seed=game.seed if same else None,
        how=game.how if same else {"games": 1},
        past=game.past if same else (),
        source=game.source if same else {},
        limits=game.limits,
        pace=game.pace,
        coached=game.coached,
        private=game.private,
    )


def _place_again(game: CasualGame, seat: CasualSeat, mine: CasualSeat) -> Place:
    if seat == mine:
        return Place(Kind.PERSON)
    if seat.is_here:
        return Place(Kind.PERSON, kept_for=seat)
    if seat.submission is not None:
        return Place(Kind.VERSION, submission=seat.submission)
    return Place(Kind.HOUSE, house=seat.house or stand_in(game.game))


@transaction.atomic
def begin_now(game: CasualGame, seat: CasualSeat) -> None:
    """Give the free seats to house players, and begin. Raises Refused."""
    _hold(game)
    if not game.is_open:
        raise Refused("This game has already begun.")
    for free in game.seats.filter(kind=Kind.PERSON, key=""):
        house = free.house or stand_in(game.game)
        CasualSeat.objects.filter(pk=free.pk, key="").update(kind=Kind.HOUSE, house=house, name=house_name(house))
    _begin_if_full(game)


@transaction.atomic
def leave(game: CasualGame, seat: CasualSeat) -> None:
    """Stand up. The house plays on; a table that has not begun is given up when nobody is left at it."""
    now = timezone.now()
    _hold(game)
    if game.is_open:
        CasualSeat.objects.filter(pk=seat.pk).update(key="", user=None, name="", joined_at=None)
        if not game.seats.filter(kind=Kind.PERSON).exclude(key="").exists():
            abandon(game, "Everybody left before it began.")
        return
    CasualSeat.objects.filter(pk=seat.pk, left_at=None).update(left_at=now, away=False)
    news.wake(game.pk)


def come_back(game: CasualGame, seat: CasualSeat) -> CasualSeat:
    """Decide for oneself again after having left."""
    if CasualSeat.objects.filter(pk=seat.pk, left_at__isnull=False).update(left_at=None, away=False):
        news.wake(game.pk)
    seat.refresh_from_db()
    return seat


def abandon(game: CasualGame, why: str) -> bool:
    """End a game without a result."""
    done = (
        CasualGame.objects.going_on()
        .filter(pk=game.pk)
        .update(state=State.ABANDONED, why=why, ended_at=timezone.now(), due_at=None)
    )
    news.wake(game.pk)
    return bool(done)
