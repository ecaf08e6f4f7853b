"""What other sites show beside a link to the portal: words and a picture, as everybody may know them.

A link is read by the site to which it is posted, and shown to all of its readers. So nothing here depends on who asks.
"""

from __future__ import annotations

from django.http import Http404

from contest.models import Contest
from contest.pictures import HandLine, of_hands, of_words
from games.record import Record
from tournaments.kinds import champions, secrecy
from tournaments.models import Match
from tournaments.results.cache import Cache
from tournaments.results.visibility import Sight, public
from tournaments.view_models.moments import seats_at
from tournaments.view_models.records import record_or_why

PICTURES: Cache[bytes] = Cache(3_000_000, size=len)


def open_match(match_id: int) -> tuple[Match, Sight]:
    """A match that everybody with its link may see in full. Raises Http404."""
    match = Match.objects.select_related("contest", "stage", "table").filter(pk=match_id).first()
    if match is None:
        raise Http404("no such match")
    return match, open_sight(match.contest, match)


def open_sight(contest: Contest, match: Match | None = None) -> Sight:
    """The public's view of a contest that is not private. Raises Http404, also if they may not see this match."""
    sight = public(contest)
    if contest.visibility == Contest.Visibility.PRIVATE or (match is not None and not sight.sees(match)):
        raise Http404("not public")
    return sight


def match_words(match: Match, sight: Sight) -> tuple[str, str, list[tuple[str, str]]]:
    """Title, a line about it, and who played with what score; no score before the result."""
    (match,) = sight.as_known([match])
    seats = list(match.seats.select_related("team").order_by("place", "index"))
    done = match.status == Match.State.DONE and not secrecy.hides_games_of(match, sight)
    lines = [(seat.name, f"{seat.counted:,.12g}" if done and seat.score is not None else "") for seat in seats]
    contest = sight.contest
    return match.title, f"{contest.game.title} · {match.stage.name} · {contest.name}", lines


def match_picture(match: Match, sight: Sight) -> bytes:
    words = match_words(match, sight)
    return PICTURES.get(("match", *map(str, words)), lambda: of_words(*words))


def contest_picture(contest: Contest) -> bytes:
    sight = open_sight(contest)
    champion = champions.of(sight)
    lines = [("Champion", champion.team.name)] if champion else [(stage.name, "") for stage in sight.stages[:5]]
    words = (contest.name, contest.game.title, lines)
    return PICTURES.get(("contest", *map(str, words)), lambda: of_words(*words))


def position_picture(match: Match, sight: Sight, number: int, ply: int) -> bytes:
    """The position with all hands open; the match where there are none to see. Raises Http404."""
    record, _ = record_or_why(match, sight)
    if record is None or not secrecy.shows_all(match, sight):
        return match_picture(match, sight)
    key = ("position", match.pk, match.attempt, number, ply, match.title, sight.contest.name)
    return PICTURES.get(key, lambda: _position(match, sight, record, number, ply))


def _position(match: Match, sight: Sight, record: Record, number: int, ply: int) -> bytes:
    try:
        seats = seats_at(match, record, number, ply)
    except LookupError as error:
        raise Http404(str(error)) from error
    if not seats:
        return match_picture(match, sight)
    lines = [
        HandLine(seat.label, seat.name, [card for suit in seat.suits for card in suit], seat.played, seat.is_turn)
        for seat in seats
    ]
    about = f"{sight.contest.game.title} · {match.stage.name} · {sight.contest.name}"
    return of_hands(match.title, about, lines)
