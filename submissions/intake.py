"""Receive an upload, or explain all of its problems at once, each in one sentence.

An upload is stored only if everything is valid. A refusal returns the valid parts, so that the form can keep them: a
problem with the text about the strategy does not lose the source.
"""

from __future__ import annotations

import hashlib
import logging
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format

from contest.ledger import hold
from contest.models import Act, Phase, Team, User
from contest.refusal import Refused
from games import folders
from games.options import PLACE
from submissions import lifecycle
from submissions.models import Submission, stored_folder
from submissions.sources import Program, Reading, understand
from submissions.uploads import STRATEGY_KB, Upload, readable, safe_name

logger = logging.getLogger(__name__)


@dataclass
class Receipt:
    """An upload that was accepted, with notices for its sender."""

    submission: Submission
    notices: list[str] = field(default_factory=list)


class UploadRefused(Refused):
    """`problems` has a sentence for each field (source, entry, language, arguments, strategy; "" for the whole upload).
    `good` has the valid parts by the same names: (file name, text). `reading` is what was understood of the source, if
    anything."""

    def __init__(
        self,
        problems: dict[str, str],
        good: dict[str, tuple[str, str]] | None = None,
        reading: Reading | None = None,
    ) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems
        self.good = good or {}
        self.reading = reading or Reading()


def receive(
    team: Team | None,
    user: User,
    sources: Sequence[Upload],
    strategy: Upload | None = None,
    *,
    language: str = "",
    entry: str = "",
    arguments: str = "",
    activate: bool = True,
    for_team: bool = False,
    now: datetime | None = None,
) -> Receipt:
    """Store a new version from a member of the team and tell the workers. Raises UploadRefused.

    `language` is a slug, or blank to recognise it by the file's extension. `entry` names the file of several that
    starts the program, or is blank to find it. `arguments` are those of a TCP client (`games.options.placed`). With
    `for_team` an organiser uploads in the team's place: the audit log records it, and the deadline does not apply.
    """
    now = now or timezone.now()
    upload = _IncomingUpload(team, now, late=for_team)
    upload.read_source(sources, strategy, language, entry)
    upload.read_strategy(upload.reading.strategy)
    upload.read_arguments(arguments)
    upload.raise_problems()
    with transaction.atomic():
        if for_team:  # the audit log is the contest's, whose row is locked before the team's
            hold(upload.team.contest_id)
        # Lock the team: two simultaneous uploads must not get the same number or slip past the limit.
        held = Team.objects.select_for_update(of=("self",), no_key=True)
        team = held.select_related("contest").get(pk=upload.team.pk)
        upload.stay_within(team)
        upload.raise_problems()
        upload.compare_with_earlier(team)
        upload.raise_problems()
        submission = upload.store(team, user, activate)
        upload.tell_superseded(lifecycle.supersede(submission))
        if for_team:
            Act.record(team.contest, user, "upload version for team", submission, team=team.pk)
        transaction.on_commit(partial(lifecycle.enqueue, submission.pk))
    logger.info("%s was uploaded", submission, extra={"submission": submission.pk})
    return Receipt(submission, upload.notices)


def closed(team: Team | None, now: datetime, *, late: bool = False) -> str:
    """Why this team cannot upload now, blank if it can. `late` ignores the deadline."""
    if team is None:
        return "You are not in a team of this contest. Create a team or join one first."
    match team.state:
        case Team.State.PENDING:
            return "Your team is waiting for approval. You can upload once an organiser has approved it."
        case Team.State.APPROVED:
            return _deadline_passed(team, now, late=late)
    reason = f" Reason: {team.state_reason}" if team.state_reason else ""
    return f"Your team cannot upload: {team.get_state_display().lower()}.{reason}"


def _deadline_passed(team: Team, now: datetime, *, late: bool) -> str:
    if team.uploads_open(now):
        return ""
    match team.contest.phase(now):
        case Phase.ENDED:
            return "The contest has ended."
        case Phase.ANNOUNCED:
            return f"The contest has not opened yet. Uploads start on {_when(team.contest.opens_at)}."
    return "" if late else f"Uploads closed on {_when(team.upload_deadline)}."


def next_upload_at(team: Team, now: datetime) -> datetime | None:
    """When the team can upload again, None if it can now."""
    limit = team.contest.uploads_per_hour
    recent = team.submissions.filter(uploaded_at__gt=now - timedelta(hours=1)).order_by("-uploaded_at")
    times = list(recent.values_list("uploaded_at", flat=True)[:limit])
    return times[-1] + timedelta(hours=1) if len(times) >= limit else None


class _IncomingUpload:
    """Validates one upload, collecting its problems, its valid parts and notices for its sender."""

    def __init__(self, team: Team | None, now: datetime, *, late: bool = False) -> None:
        self.now, self.late = now, late
        self.problems: dict[str, str] = {}
        self.good: dict[str, tuple[str, str]] = {}
        self.notices: list[str] = []
        self.reading = Reading()
        if team is None:
            raise UploadRefused({"": closed(None, now)})
        self.team = team
        self.contest = team.contest
        self.stay_within(team)

    def raise_problems(self) -> None:
        if self.problems:
            raise UploadRefused(self.problems, self.good, self.reading)

    def stay_within(self, team: Team) -> None:
        """Check again that the team may upload: it may have left since its page was shown."""
        if reason := closed(team, self.now, late=self.late):
            self.problems[""] = reason

    @property
    def program(self) -> Program:
        assert self.reading.program is not None, "there are no problems, so there is a program"
        return self.reading.program

    def read_source(self, sources: Sequence[Upload], strategy: Upload | None, language: str, entry: str) -> None:
        self.reading = reading = understand(self.contest, sources, strategy, language=language, entry=entry)
        self.problems |= reading.problems
        self.good |= reading.good
        self.notices += reading.notices

    def read_strategy(self, upload: Upload | None) -> None:
        self.strategy, self.strategy_filename = "", ""
        if upload is None:
            if self.contest.needs_strategy:
                self.problems["strategy"] = "This contest requires a strategy text with the source."
            return
        name = safe_name(upload.name) if upload.name else ""
        what = "The strategy text" if upload.pasted else name
        problem, text = readable(upload, what, STRATEGY_KB)
        if problem:
            self.problems["strategy"] = problem
            return
        self.good["strategy"] = (name, text)
        self.strategy, self.strategy_filename = text, name

    def read_arguments(self, arguments: str) -> None:
        self.arguments = arguments.strip()
        if self.arguments and self.contest.server is None:
            self.problems["arguments"] = "Programs of this contest are started without arguments."
            return
        try:
            words = shlex.split(self.arguments)
        except ValueError:  # a quotation mark without its partner
            words = ["HOST"]
        places = {place for word in words for place in PLACE.findall(word)}
        if len(places) == 1 or not self.arguments.isprintable():
            example = "--host HOST --port PORT, where HOST and PORT stand for the place of the server"
            self.problems["arguments"] = f"Write the arguments in one line, such as {example}."

    def compare_with_earlier(self, team: Team) -> None:
        """Checks that need the team's other versions."""
        program = self.program
        one = hashlib.sha256(program.source).hexdigest
        self.sha256 = folders.digest(program.files, program.entry) if program.is_folder else one()
        last = team.submissions.first()
        if last and last.same_upload(self.sha256, program.language.slug, program.entry, self.arguments, self.strategy):
            state = "active" if last.is_active else last.get_state_display().lower()
            self.problems[""] = (
                f"This upload is identical to your version {last.number} ({state}), so there is nothing new to build. "
                "Change something and upload again."
            )
        elif at := next_upload_at(team, self.now):
            limit = self.contest.uploads_per_hour
            uploads = "1 upload" if limit == 1 else f"{limit} uploads"
            self.problems[""] = f"Your team has used its {uploads} for this hour. You can upload again at {_clock(at)}."

    def tell_superseded(self, numbers: list[int]) -> None:
        if numbers:
            names = f"version {numbers[0]}" if len(numbers) == 1 else f"versions {', '.join(map(str, sorted(numbers)))}"
            self.notices.append(f"It takes the place of {names} in the queue, whose turn had not come.")

    def store(self, team: Team, user: User, activate: bool) -> Submission:
        highest = team.submissions.aggregate(highest=Max("number"))["highest"] or 0
        program = self.program
        return Submission.objects.create(
            team=team,
            number=highest + 1,
            language=program.language.slug,
            filename=program.entry,
            arguments=self.arguments,
            source=program.source,
            **(stored_folder(program.files) if program.is_folder else {}),
            size=program.size,
            sha256=self.sha256,
            strategy=self.strategy,
            strategy_filename=self.strategy_filename,
            uploaded_by=user,
            uploaded_at=self.now,
            due_at=self.now,
            activate_when_ready=activate,
        )


def _when(at: datetime) -> str:
    return f"{date_format(timezone.localtime(at), 'j F Y, H:i')} {timezone.localtime(at).tzname()}"


def _clock(at: datetime) -> str:
    """The time of day rounded up to a full minute, so that waiting until then is enough."""
    at = timezone.localtime(at + timedelta(seconds=59))
    return f"{date_format(at, 'H:i')} {at.tzname()}"
