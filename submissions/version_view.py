"""View models of a version's page: the steps of its life, and the games of its check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from contest.replay import FAULTS
from games.engine import FaultKind, Game
from games.phrases import counted
from submissions.models import CheckGame, Submission

State = Submission.State


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the timeline. `state` is done, now, failed or blank; `moment` and `note` follow the title."""

    title: str
    state: str = ""
    moment: datetime | None = None
    note: str = ""


def timeline(version: Submission, played: int, planned: int) -> list[Step]:
    """The life of a version, of whose check `played` of `planned` games are done."""
    by = f"by {version.uploaded_by}" if version.uploaded_by else ""
    return [
        Step("Uploaded", "done", version.uploaded_at, by),
        _queued(version),
        _built(version),
        _checked(version, played, planned),
        Step("Rejected", "failed")
        if version.state == State.REJECTED
        else Step("Ready", "done" if version.is_ready else ""),
        _active(version),
    ]


def _queued(version: Submission) -> Step:
    if version.state == State.SUPERSEDED:
        return Step("Queued", "done", note=f"superseded by version {version.superseded_by}")
    if version.state == State.CANCELLED:
        return Step("Queued", "failed", version.finished_at, "cancelled by an organiser")
    state = "now" if version.state == State.QUEUED else "done" if version.started_at else ""
    failed = version.failures and version.in_progress
    return Step("Queued", state, note="The portal failed and is trying again." if failed else "")


def _built(version: Submission) -> Step:
    if version.state == State.BUILDING:
        return Step("Built", "now")
    if version.failed_to_build:
        return Step("Built", "failed", note="failed")
    return Step("Built", "done" if version.built_at else "", version.built_at)


def _checked(version: Submission, played: int, planned: int) -> Step:
    if version.state == State.CHECKING:
        return Step("Checked", "now", note=f"{played} of {planned} games")
    if version.is_ready:
        return Step("Checked", "done", version.finished_at)
    if version.state == State.REJECTED and not version.failed_to_build:
        return Step("Checked", "failed", note="failed")
    return Step("Checked")


def _active(version: Submission) -> Step:
    if version.is_active:
        return Step("Active", "done", version.activated_at)
    if version.in_progress and version.activate_when_ready:
        return Step("Active", note="once it is ready")
    return Step("Active", note="not active" if version.is_ready else "")


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A game of the check. `tone` is ok, warn or bad; the link leads to the replay, at the fault if there is one."""

    game: CheckGame
    tone: str
    verdict: str
    text: str
    has_score: bool
    href: str
    link: str
    link_of: str  # what the link leads to, for screen readers


def check_rows(games: Iterable[CheckGame], base: str, rules: Game) -> list[CheckRow]:
    """Rows for a version's check. `base` is the address of the version's page."""
    return [_row(game, base, rules) for game in games]


def _row(game: CheckGame, base: str, rules: Game) -> CheckRow:
    link, of = _link(game)
    return CheckRow(
        game=game,
        tone="bad" if not game.passed else "warn" if game.faults else "ok",
        verdict=_verdict(game),
        text=fault_text(game),
        has_score=game.passed or rules.seats[1] > 1,
        href=base + game.fault_address,
        link=link,
        link_of=of,
    )


def _verdict(game: CheckGame) -> str:
    if not game.passed:
        return FAULTS[FaultKind(game.fault_kind)][0] if game.fault_kind else "Judged wrong"
    return f"Passed with {counted(game.faults, 'fault')}" if game.faults else "Passed"


def fault_text(game: CheckGame) -> str:
    """What went wrong, where and at what cost; blank for a game without faults."""
    if game.passed and not game.faults:
        return ""
    place = f" ({game.fault_place})" if game.fault_place else ""
    cost = f" Faults cost it {counted(game.fine, 'point')} in this game." if game.fine else ""
    advice = f" {game.fault_advice}" if game.fault_advice else ""
    return f"{game.fault_detail}{place}.{advice}{cost}"


def _link(game: CheckGame) -> tuple[str, str]:
    if game.fault_ply is None:
        return "Replay", f"of game {game.number}"
    if game.fault_kind:
        return "Replay at the fault", f"of game {game.number}"
    return f"Replay of game {game.fault_game}", f"of check game {game.number}"
