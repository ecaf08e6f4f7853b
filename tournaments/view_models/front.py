"""What the front page tells of play: champions, what is being played, the position of the day.

It is what everybody may see of public contests, whoever reads it, so it is computed once for all until one of them has
news for the public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from django.db.models import F
from django.urls import reverse

from contest.models import Contest
from tournaments.kinds import champions, secrecy
from tournaments.models import Match
from tournaments.results.cache import Cache
from tournaments.results.visibility import Sight, public
from tournaments.view_models.moments import Moment, hardest
from tournaments.view_models.records import record_of

CONTESTS = 12  # those that are looked at: under way, and the latest that ended
CROWNED = 3
AT_PLAY = 4  # contests of which matches are shown
MATCHES = 4  # of each
TO_CHOOSE = 40  # matches from which the position of the day is chosen


@dataclass(frozen=True, slots=True)
class Crowned:
    """A champion, with the match that decided it."""

    contest: int
    contest_name: str
    contest_url: str
    stage_url: str
    team: str
    team_url: str
    school: str
    final_url: str  # blank where no single match decided


@dataclass(frozen=True, slots=True)
class Playing:
    """A contest in which matches are being played now."""

    name: str
    url: str
    matches: Sequence[tuple[str, str, str]]  # title, who plays, address
    more: int


@dataclass(frozen=True, slots=True)
class Front:
    crowned: Sequence[Crowned]
    playing: Sequence[Playing]
    moment: Moment | None


NOTHING = Front((), (), None)
CACHE: Cache[Front] = Cache(4)


def front_of(now: datetime) -> Front:
    """One query while nothing has changed for the public."""
    begun = Contest.objects.filter(visibility=Contest.Visibility.PUBLIC, play_started_at__isnull=False)
    contests = list(begun.order_by(F("ended_at").desc(nulls_first=True), "-play_started_at", "-pk")[:CONTESTS])
    if not contests:
        return NOTHING
    day = now.astimezone(UTC).date().isoformat()
    key = (day, *((each.pk, each.name, each.public_revision, each.is_frozen(now)) for each in contests))
    return CACHE.get(key, lambda: _read(contests, day, now))


def _read(contests: Sequence[Contest], day: str, now: datetime) -> Front:
    sights = {each.pk: public(each) for each in contests}
    crowned: list[Crowned] = []
    playing: list[Playing] = []
    for sight in sights.values():  # states of stages and matches may be hidden, so only a sight is asked
        if len(crowned) < CROWNED and (champion := _crowned(sight)):
            crowned.append(champion)
        if len(playing) < AT_PLAY and (at_play := _playing(sight)):
            playing.append(at_play)
    return Front(crowned, playing, _moment(list(sights.values()), day, now))


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
        contest.get_absolute_url(),
        champion.stage.get_absolute_url(),
        champion.team.name,
        champion.team.get_absolute_url(),
        champion.team.school,
        reverse("replay", args=[final.pk, 1]) if final else "",
    )


def _playing(sight: Sight) -> Playing | None:
    running = sight.in_state(Match.State.RUNNING)
    count = running.count()
    shown = running.select_related("stage", "table").prefetch_related("seats__team").order_by("started_at", "pk")
    matches = [
        (match.title, " – ".join(seat.name for seat in match.seats.all()), match.get_absolute_url())
        for match in shown[:MATCHES]
    ]
    contest = sight.contest
    return Playing(contest.name, contest.get_absolute_url(), matches, count - len(matches)) if matches else None


def _moment(sights: Sequence[Sight], day: str, now: datetime) -> Moment | None:
    """The same all day long and for everybody, unless a result that it was chosen from does not count any more."""
    pick = int.from_bytes(sha256(day.encode()).digest()[:4], "big")
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for turn in range(min(2, len(sights))):
        sight = sights[(pick + turn) % len(sights)]
        played = sight.done().select_related("stage", "table", "contest").order_by("-resulted", "-pk")
        matches = list(played.filter(finished_at__lt=midnight)[:TO_CHOOSE]) or list(played[:TO_CHOOSE])
        if not matches:
            continue
        match = matches[pick % len(matches)]
        record = None if secrecy.hides_games_of(match, sight) else record_of(match, sight)
        if record and (found := hardest(match, record, pick)):
            return found
    return None
