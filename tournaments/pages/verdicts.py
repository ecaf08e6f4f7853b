"""The verdict on a version in words for its team, for pages of submissions that know nothing of matches."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from contest.models import Phase
from submissions.models import Submission
from tournaments.kinds import secrecy
from tournaments.kinds.judged import CORRECT
from tournaments.models import Match, MatchSeat
from tournaments.pages.stages import face_of
from tournaments.results.visibility import Sight
from tournaments.view_models.records import failure_of, record_of

Runs = dict[int, list[MatchSeat]]


@dataclass(frozen=True, slots=True)
class Notice:
    """`tone` is ok, info or bad. `look` links to the first failed game, if the reader may see it."""

    tone: str
    title: str
    text: str
    match: Match
    look: str = ""


def runs_of(sight: Sight) -> Runs:
    """The runs that this reader may see, by version, ordered by stage."""
    contest = sight.contest
    seats = MatchSeat.objects.filter(match__in=sight.valid().values("pk"), submission__isnull=False)
    found: Runs = {}
    for seat in seats.select_related("match__stage").defer("match__openings").order_by("match__stage_id", "match_id"):
        if seat.submission_id is not None and face_of(seat.match.stage).is_run:
            seat.match.contest = seat.match.stage.contest = contest
            found.setdefault(seat.submission_id, []).append(seat)
    return found


def notice_of(version: Submission, run: MatchSeat, sight: Sight) -> Notice:
    """The notice at the top of the page of a judged version."""
    match, title = run.match, f"Version {version.number}, {run.match.stage}: "
    ended = match.contest.phase(timezone.now()) == Phase.ENDED
    over = " The contest has ended." if ended else ""
    if not run.verdict:
        if match.status == Match.State.RUNNING:
            return Notice(
                "info", f"{title}being judged.", "The page of the run shows the verdict when it is done.", match
            )
        return Notice("info", f"{title}waiting to be judged.", f"It passed its check.{over}", match)
    if run.verdict == CORRECT:
        return Notice("ok", f"{title}correct.", f"Your team has solved the problem.{over}", match)
    failure = failure_of(match, record_of(match, sight))
    look = failure["first_failure"] if failure["failed"] else ""
    if look:
        text = "See what happened in the first failed game."
    elif secrecy.hides_games_of(match, sight):
        text = "It failed on a hidden game. Hidden games become public when the contest ends."
    else:
        text = "The page of the run shows all games."
    todo = over or (" Upload a better version." if version.team.uploads_open() else "")
    return Notice("bad", f"{title}judged wrong, {run.verdict}.", f"{text}{todo}", match, look)
