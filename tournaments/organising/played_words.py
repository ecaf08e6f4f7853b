"""The words in which a team is told that its matches were played."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.urls import reverse

from contest.formatting import ordinal
from contest.models import Team
from tournaments import kinds
from tournaments.kinds import secrecy
from tournaments.models import LadderTold, Match, MatchSeat
from tournaments.results.visibility import Sight

MOST = 12  # matches that a notice lists


def of_matches(team: Team, matches: Sequence[Match], again: Collection[int], sight: Sight) -> tuple[str, str]:
    """Subject and text (Markdown) about matches of a stage."""
    first = matches[0]
    is_again = bool(again) and len(again) == len(matches)
    once_more = " again" if is_again else ""
    if first.contest.game.sample:
        subject = f"{first.stage.name}: your bot was judged{once_more}"
    elif len(matches) == 1:
        subject = f"{first.title} was played{once_more}"
    else:
        subject = f"{first.stage.name}: {len(matches)} of your matches were played{once_more}"
    lines = [_line(team, match, match.pk in again and not is_again, sight) for match in matches[:MOST]]
    if len(matches) > MOST:
        page = f"{reverse('matches', args=[first.contest.slug])}?team={team.pk}"
        lines.append(f"- [and {len(matches) - MOST} more]({settings.PORTAL_URL}{page})")
    return subject, "\n".join(lines)


def _line(team: Team, match: Match, again: bool, sight: Sight) -> str:
    seats = sorted(match.seats.all(), key=lambda seat: (seat.place or 99, seat.index))
    link = f"[{_escaped(match.title)}]({settings.PORTAL_URL}{match.get_absolute_url()})"
    more = " (played again)" if again else ""
    if secrecy.hides_games_of(match, sight) or match.contest.game.sample:
        return f"- {link}{more}: the verdict is on its page."
    mine = next(seat for seat in seats if seat.team_id == team.pk)
    all_told = ", ".join(f"{_escaped(seat.name)} {seat.counted:,.12g}" for seat in seats)
    return f"- {link}{more}: {_sentence(team, match, sight) or _came(mine, seats)} ({all_told})"


def _came(mine: MatchSeat, seats: Sequence[MatchSeat]) -> str:
    if mine.disqualified:
        return "The referee disqualified your bot."
    shared = sum(seat.place == mine.place for seat in seats) > 1
    if len(seats) == 2:
        return "A tie." if shared else "You won." if mine.place == 1 else "You lost."
    return f"You {'share' if shared else 'came'} {ordinal(mine.place or 0)}{' place' if shared else ''}."


def _sentence(team: Team, match: Match, sight: Sight) -> str:
    """What it means for the team: that it advances, for example."""
    stage = next((stage for stage in sight.stages if stage.pk == match.stage_id), None)
    if stage is None:
        return ""
    match.stage = stage
    told = next((told for seat, told in kinds.of(stage).seats_told(match, sight) if seat.team_id == team.pk), None)
    return _escaped(told.sentence) if told is not None else ""


def of_ladder(row: LadderTold, seats: QuerySet[MatchSeat], rating: float | None, sight: Sight) -> tuple[str, str]:
    """Subject and text about what a team has played in a ladder since it was told last."""
    counted = seats.aggregate(
        matches=Count("pk"), first=Count("pk", filter=Q(place=1, disqualified=False)), faults=Sum("faults")
    )
    count = counted["matches"]
    since = "since our last message" if row.told_at else "so far"
    subject = f"{row.stage.name}: {count:,} match{'es' if count != 1 else ''} {since}"
    page = f"{settings.PORTAL_URL}{reverse('team', args=[sight.contest.slug, row.team_id])}"
    text = [
        f"Your team came first in {counted['first']:,} of [its {count:,} match{'es' if count != 1 else ''}]({page})."
    ]
    if counted["faults"]:
        text.append(f"Your bot made {counted['faults']:,} fault{'s' if counted['faults'] != 1 else ''}.")
    if rating is not None:
        text.append(f"Your rating is {rating:,.1f}" + (f"; it was {row.rating:,.1f}." if row.rating else "."))
    return subject, " ".join(text)


def _escaped(text: str) -> str:
    """A name as Markdown that shows it as it is."""
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()<>#+-.!|~" else letter for letter in text)
