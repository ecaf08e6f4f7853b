"""What a team should do next, in a sentence or two. Its page starts with this in every state of its bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from contest.models import Contest, Phase, Team
from submissions import intake, turns
from submissions.models import CheckGame, Submission

State = Submission.State
FIRST = "Take the random player from the starter kit, improve it and upload it below. It works even unchanged."
FIRST_JUDGED = (
    "Begin with the player from the starter kit, and play the published games at home until it is right. A version "
    "that fails them here costs nothing, but every other one is judged, and a wrong run costs penalty time."
)
SUPERSEDED = "Your team uploaded a newer version before the turn of this one came, so this one is not built."
COMES_BACK = " If the newer one is rejected or cancelled, this one gets its turn after all."


@dataclass(frozen=True)
class Advice:
    """`tone` is ok, info, warn or bad. `title` says how things stand, `text` what to do.

    If `version` has been judged, its judgement is shown instead. `updates`: the page follows by itself. `about`: the
    version whose page says more. `rejected`: the version that this is about, if its check failed.
    """

    tone: str
    title: str
    text: str
    version: Submission | None = None
    updates: bool = False
    about: Submission | None = None
    rejected: Submission | None = None

    @cached_property
    def fault(self) -> CheckGame | None:
        """The check game that shows why it was rejected. Only pages ask."""
        games = self.rejected.check_games.filter(passed=False) if self.rejected else CheckGame.objects.none()
        return games.exclude(fault_kind="").first()


def for_team(team: Team, versions: Sequence[Submission], now: datetime) -> Advice:
    """Advice for a team with these versions, newest first."""
    closed = intake.closed(team, now)
    active = next((it for it in versions if it.is_active), None)
    if not team.is_competing:
        return Advice("warn", "Your team is not taking part.", closed)
    if not versions:
        if closed:
            return Advice("warn", "You have not uploaded a bot.", closed)
        return Advice("info", "Upload your first bot.", FIRST_JUDGED if team.contest.game.sample else FIRST)
    newest = versions[0]
    if newest.in_progress:
        return _in_progress(newest, active)
    if newest.state == State.REJECTED:
        return _rejected(newest, active, closed)
    if newest.state == State.CANCELLED:
        kept = f"Version {active.number} stays active." if active else "No version is active."
        return Advice("warn", f"The build of version {newest.number} was cancelled.", f"{newest.verdict} {kept}")
    if active is None and not team.contest.game.sample:
        text = f"{closed} Ask an organiser." if closed else "Activate a ready version, or your team will not play."
        return Advice("bad", "No version is active.", text)
    if active is None or team.contest.game.sample:
        return _judged(newest, closed)
    return _active(active, newest, closed)


def _in_progress(newest: Submission, active: Submission | None) -> Advice:
    text = {
        State.QUEUED: _waiting,
        State.BUILDING: lambda version: "It is being built in the sandbox.",
        State.CHECKING: lambda version: (
            "It is playing the published games."
            if version.contest.game.sample
            else "It is playing a full game in every seat against house players."
        ),
    }[State(newest.state)](newest)
    if newest.failures:
        text += " The portal had a problem and is trying again. This is not your bot’s fault."
    if active:
        text += f" Until it is ready, version {active.number} stays active."
    return Advice("info", f"Version {newest.number} is in progress.", text, updates=True)


def _waiting(version: Submission) -> str:
    """The place in the queue, and whether any worker is running."""
    if not turns.slots():
        return "No worker is running at the moment. Your version will be built as soon as one is back."
    place = turns.place_of(version)
    return place.words() if place else "Its turn has come."


def _rejected(newest: Submission, active: Submission | None, closed: str) -> Advice:
    kept = f"Version {active.number} stays active." if active else "No version is active, so your team would not play."
    text = f"{_sentence(newest.verdict)} {closed or 'Fix it and upload again.'} {kept}"
    tone, title = "warn" if active else "bad", f"Version {newest.number} was rejected."
    return Advice(tone, title, text, about=newest, rejected=newest)


def _active(active: Submission, newest: Submission, closed: str) -> Advice:
    text = f"Version {active.number} {_future(active.contest)}"
    if newest.number != active.number:
        text += f" Version {newest.number} is ready too. Activate it if you want it to play instead."
    if not closed:
        text += f"{_better(active.contest)} The newest one that is ready becomes active."
    return _passed(active, "Your bot is ready and active.", text)


def _judged(newest: Submission, closed: str) -> Advice:
    more = "" if closed else _better(newest.contest)
    return _passed(newest, "Your bot is ready.", f"Version {newest.number} {_future(newest.contest)}{more}")


def _better(contest: Contest) -> str:
    until = "at any time" if contest.endless else "until the deadline"
    return f" You can upload better versions {until}."


def _passed(version: Submission, title: str, text: str) -> Advice:
    """Advice for a ready version: green, unless its check produced warnings."""
    if warnings := version.warnings():
        return Advice("warn", f"{title} It passed with warnings: {warnings}.", text, version)
    return Advice("ok", title, text, version)


def _future(contest: Contest) -> str:
    """What will happen to a ready version, as the end of a sentence."""
    if contest.phase() == Phase.ENDED:
        return "passed its check. The contest has ended."
    if contest.game.sample:
        return f"is judged in {contest.name} once judging has started, like every version that passes its check."
    return f"plays in every stage of {contest.name} that has not fixed its versions yet."


def for_version(version: Submission, now: datetime) -> Advice:
    """Advice on the page of one version."""
    closed = intake.closed(version.team, now)
    match State(version.state):
        case State.READY if version.is_active or version.contest.game.sample:
            title = "Ready and active." if version.is_active else "Ready."
            return _passed(version, title, f"This version {_future(version.contest)}")
        case State.READY:
            text = closed or "It plays only if you activate it."
            warnings = version.warnings()
            passed = f" It passed with warnings: {warnings}." if warnings else ""
            return Advice("warn" if warnings else "info", f"Ready, but not active.{passed}", text)
        case State.REJECTED:
            text = f"{_sentence(version.verdict)} {closed or _again(version)}"
            return Advice("bad", "Rejected.", text, rejected=version)
        case State.CANCELLED:
            return Advice("warn", "Cancelled.", f"{_sentence(version.verdict)} {closed or 'You can upload it again.'}")
        case State.SUPERSEDED:
            text = SUPERSEDED + (COMES_BACK if version.activate_when_ready else "")
            return Advice("info", f"Superseded by version {version.superseded_by}.", text)
    return _in_progress(version, version.team.submissions.active().without_source().first())


def _again(version: Submission) -> str:
    active = version.team.submissions.active().without_source().first()
    return "Fix it and upload again." + (f" Version {active.number} stays active until then." if active else "")


def _sentence(text: str) -> str:
    """Add a full stop, which compilers leave out."""
    return text if text.endswith((".", "!", "?", "…", "”")) else f"{text}."
