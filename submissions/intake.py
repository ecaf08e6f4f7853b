"""Receive an upload, or explain all of its problems at once, each in one sentence.

An upload is stored only if everything is valid. A refusal returns the valid parts, so that the form can keep them: a
problem with the text about the strategy does not lose the source.
"""

from __future__ import annotations

import hashlib
import logging
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import PurePosixPath

from django.db import transaction
from django.db.models import Max
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.formats import date_format

from contest.ledger import hold
from contest.models import Act, Contest, Phase, Team, User
from contest.refusal import Refused
from submissions import languages, lifecycle
from submissions.languages import Language
from submissions.models import Submission

logger = logging.getLogger(__name__)

STRATEGY_KB = 256
# Larger files are not read at all. Far above every contest's limit, so that errors can name the true size.
READ_LIMIT = 8 * 1024 * 1024
NAME_LENGTH = 100
TEXT_ENDINGS = (".txt", ".md", ".text", ".readme")
# First bytes of executables, archives, pictures and documents, so that errors can say what was uploaded.
MAGIC = (
    (b"\x7fELF", "a compiled program"),
    (b"MZ", "a compiled program"),
    (b"\xca\xfe\xba\xbe", "a compiled program"),
    (b"PK\x03\x04", "an archive or an office document"),
    (b"\x1f\x8b", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
    (b"Rar!", "an archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
)


@dataclass(frozen=True)
class Upload:
    """An uploaded file, or pasted text with its name, which may be blank. A `skipped` file was too large to read."""

    name: str
    data: bytes
    pasted: bool = False
    skipped: bool = False


@dataclass
class Receipt:
    """An upload that was accepted, with notices for its sender."""

    submission: Submission
    notices: list[str] = field(default_factory=list)


class UploadRefused(Refused):
    """`problems` has a sentence per field (source, language, strategy; "" for the whole upload). `good` has the valid
    parts by the same names: (file name, text)."""

    def __init__(self, problems: dict[str, str], good: dict[str, tuple[str, str]] | None = None) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems
        self.good = good or {}


def receive(
    team: Team | None,
    user: User,
    sources: Sequence[Upload],
    strategy: Upload | None = None,
    *,
    language: str = "",
    activate: bool = True,
    for_team: bool = False,
    now: datetime | None = None,
) -> Receipt:
    """Store a new version from a member of the team and tell the workers. Raises UploadRefused.

    `language` is a slug, or blank to recognise it by the file's extension. With `for_team` an organiser uploads in the
    team's place: the audit log records it, and the deadline does not apply.
    """
    now = now or timezone.now()
    upload = _IncomingUpload(team, now, late=for_team)
    sources, strategy = upload.sort_out(sources, strategy)
    upload.read_source(sources, language)
    upload.read_strategy(strategy)
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
        if for_team:
            Act.record(team.contest, user, "upload version for team", submission, team=team.pk)
        transaction.on_commit(partial(lifecycle.enqueue, submission.pk))
    logger.info("%s was uploaded", submission, extra={"submission": submission.pk})
    return Receipt(submission, upload.notices)


def closed(team: Team | None, now: datetime, *, late: bool = False) -> str:
    """Why this team cannot upload now, blank if it can. `late` ignores the deadline."""
    if team is None:
        return "You are not in a team of this contest. Create a team or join one first."
    contest = team.contest
    match team.state:
        case Team.State.PENDING:
            return "Your team is waiting for approval. You can upload once an organiser has approved it."
        case Team.State.APPROVED:
            return closed_to_all(contest, now, late=late)
    reason = f" Reason: {team.state_reason}" if team.state_reason else ""
    return f"Your team cannot upload: {team.get_state_display().lower()}.{reason}"


def closed_to_all(contest: Contest, now: datetime, *, late: bool = False) -> str:
    if contest.uploads_open(now):
        return ""
    match contest.phase(now):
        case Phase.ENDED:
            return "The contest has ended."
        case Phase.ANNOUNCED:
            return f"The contest has not opened yet. Uploads start on {_when(contest.opens_at)}."
    return "" if late else f"Uploads closed on {_when(contest.upload_deadline)}."


def next_upload_at(team: Team, now: datetime) -> datetime | None:
    """When the team can upload again, None if it can now."""
    limit = team.contest.uploads_per_hour
    recent = team.submissions.filter(uploaded_at__gt=now - timedelta(hours=1)).order_by("-uploaded_at")
    times = list(recent.values_list("uploaded_at", flat=True)[:limit])
    return times[-1] + timedelta(hours=1) if len(times) >= limit else None


def safe_name(name: str) -> str:
    """A file name without folders, invisible characters or anything that a command could mistake for an option.

    Letters of all scripts are kept, and so is the extension when the name has to be cut.
    """
    name = unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]
    name = re.sub(r"[^\w.+-]+", "_", name, flags=re.UNICODE).strip("_").lstrip(".-")
    path = PurePosixPath(name or "bot")
    ending = path.suffix[:20]
    return path.name.removesuffix(path.suffix)[: NAME_LENGTH - len(ending)] + ending


class _IncomingUpload:
    """Validates one upload, collecting its problems, its valid parts and notices for its sender."""

    def __init__(self, team: Team | None, now: datetime, *, late: bool = False) -> None:
        self.now, self.late = now, late
        self.problems: dict[str, str] = {}
        self.good: dict[str, tuple[str, str]] = {}
        self.notices: list[str] = []
        if team is None:
            raise UploadRefused({"": closed(None, now)})
        self.team = team
        self.contest = team.contest
        self.stay_within(team)

    def raise_problems(self) -> None:
        if self.problems:
            raise UploadRefused(self.problems, self.good)

    def stay_within(self, team: Team) -> None:
        """Check again that the team may upload: it may have left since its page was shown."""
        if reason := closed(team, self.now, late=self.late):
            self.problems[""] = reason

    def sort_out(self, sources: Sequence[Upload], strategy: Upload | None) -> tuple[list[Upload], Upload | None]:
        """Drop copies of the kit's files, and take a text file beside the source as the strategy."""
        kit = kit_stems(self.contest)
        ours = [it for it in sources if not it.pasted and PurePosixPath(safe_name(it.name)).stem.lower() in kit]
        rest = [it for it in sources if it not in ours]
        if ours:
            names = " and ".join(safe_name(it.name) for it in ours)
            verb = "is part of the kit and was" if len(ours) == 1 else "are part of the kit and were"
            self.notices.append(f"{names} {verb} ignored: every bot is built with our own copy.")
        if ours and not rest:
            self.problems["source"] = f"{self.notices.pop()} Upload the file with your own code."
        texts = [it for it in rest if it.name.lower().endswith(TEXT_ENDINGS)]
        if len(rest) == 2 and len(texts) == 1 and strategy is None:
            strategy = texts[0]
            rest.remove(strategy)
        return rest, strategy

    def read_source(self, sources: Sequence[Upload], language: str) -> None:
        if "source" in self.problems:
            return
        if not sources:
            self.problems["source"] = "Choose a source file or paste its text."
            return
        if len(sources) > 1:
            names = ", ".join(safe_name(it.name) if it.name else "the pasted text" for it in sources)
            self.problems["source"] = f"Send exactly one source file, not several: {names}."
            return
        upload = sources[0]
        name = safe_name(upload.name) if upload.name.strip() else ""
        if upload.pasted and language in languages.LANGUAGES and not PurePosixPath(name).suffix:
            name = (name or "bot") + languages.LANGUAGES[language].extensions[0]
        chosen = self._language(name, language, upload.data)
        what = "The pasted text" if upload.pasted else name
        problem, text = readable(upload, what, self.contest.source_kb)
        if problem:
            self.problems["source"] = problem
            self.problems.pop("language", None)  # a language error would be misleading
            return
        self.good["source"] = (name if upload.name.strip() else "", text)
        if chosen is not None:
            self.source, self.filename, self.language = upload.data, name, chosen

    def _language(self, name: str, slug: str, source: bytes) -> Language | None:
        """The language of the upload. Adds a problem and returns None if the contest cannot use it."""
        ending = PurePosixPath(name).suffix
        if slug and slug not in languages.LANGUAGES:
            problem = f"This portal has no language “{slug}”. {self._allowed()}"
        elif not slug and not name:
            problem = "Choose the language of the pasted text, or give it a file name with an extension."
        elif not (known := languages.LANGUAGES[slug] if slug else languages.recognise(name, source)):
            what = f"the extension “{ending}”" if ending else "a file name without an extension"
            problem = f"No language uses {what}. {self._allowed()}"
        elif known not in languages_of(self.contest):
            problem = f"{known.name} is not allowed in this contest. {self._allowed()}"
        elif not known.installed():
            problem = (
                f"{known.name} is allowed in this contest, but not installed on this portal yet (Debian package "
                f"{known.package}). Please tell the organisers."
            )
        elif known.memory_floor > self.contest.memory_mb << 20:
            problem = (
                f"An empty {known.name} program already needs {filesizeformat(known.memory_floor)} of memory, and this "
                f"contest allows {self.contest.memory_mb} MB. Use another language."
            )
        elif ending and ending.lower() not in known.extensions:
            problem = (
                f"{known.name} sources have the extension {' or '.join(known.extensions)}, but yours is called {name}."
            )
        else:
            return known
        self.problems["language"] = problem
        return None

    def _allowed(self) -> str:
        """The languages that are allowed, for the end of an error."""
        allowed = (f"{it.name} ({' '.join(it.extensions)})" for it in languages_of(self.contest))
        return f"Allowed here: {', '.join(allowed)}."

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

    def compare_with_earlier(self, team: Team) -> None:
        """Checks that need the team's other versions."""
        self.sha256 = hashlib.sha256(self.source).hexdigest()
        last = team.submissions.first()
        if last and last.same_upload(self.sha256, self.language.slug, self.strategy):
            state = "active" if last.is_active else last.get_state_display().lower()
            self.problems[""] = (
                f"This upload is identical to your version {last.number} ({state}), so there is nothing new to build. "
                "Change something and upload again."
            )
        elif at := next_upload_at(team, self.now):
            limit = self.contest.uploads_per_hour
            uploads = "1 upload" if limit == 1 else f"{limit} uploads"
            self.problems[""] = f"Your team has used its {uploads} for this hour. You can upload again at {_clock(at)}."

    def store(self, team: Team, user: User, activate: bool) -> Submission:
        highest = team.submissions.aggregate(highest=Max("number"))["highest"] or 0
        return Submission.objects.create(
            team=team,
            number=highest + 1,
            language=self.language.slug,
            filename=self.filename,
            source=self.source,
            size=len(self.source),
            sha256=self.sha256,
            strategy=self.strategy,
            strategy_filename=self.strategy_filename,
            uploaded_by=user,
            uploaded_at=self.now,
            due_at=self.now,
            activate_when_ready=activate,
        )


def languages_of(contest: Contest) -> list[Language]:
    """The languages the contest allows, installed here or not. A contest that names none allows all."""
    return [it for it in languages.LANGUAGES.values() if not contest.languages or it.slug in contest.languages]


def kit_stems(contest: Contest) -> set[str]:
    """The names without extensions of the kit files that every bot is built with: {"acm98"}."""
    files = [name for names in contest.game.kit_sources.values() for name in names]
    return {PurePosixPath(name).stem.lower() for name in files}


def readable(upload: Upload, what: str, limit_kb: int) -> tuple[str, str]:
    """(problem, text) of an upload that must be a text of at most this many kB. One of them is blank."""
    limit = limit_kb * 1024
    if upload.skipped or len(upload.data) > limit:
        size = f"more than {READ_LIMIT:,}" if upload.skipped else f"{len(upload.data):,}"
        return f"{what} is too large: it has {size} bytes, and the limit is {limit:,}.", ""
    if not upload.data.strip():
        return f"{what} is empty.", ""
    for magic, kind in MAGIC:
        if upload.data.startswith(magic) and (b"\0" in upload.data or kind != "a compiled program"):
            return f"{what} is {kind}, not a text.", ""
    if upload.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"{what} is UTF-16 text. Save it as UTF-8 and upload it again.", ""
    try:
        text = upload.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = upload.data.count(b"\n", 0, error.start) + 1
        if b"\0" in upload.data:
            return f"{what} is a binary file, not a text.", ""
        place = f"line {line} contains the byte 0x{upload.data[error.start]:02X}"
        return f"{what} is not UTF-8 text: {place}. Save it as UTF-8 and upload it again.", ""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return f"{what} is not a text: line {line} contains a NUL character.", ""
    return "", text.removeprefix("\ufeff")


def _when(at: datetime) -> str:
    return f"{date_format(timezone.localtime(at), 'j F Y, H:i')} {timezone.localtime(at).tzname()}"


def _clock(at: datetime) -> str:
    """The time of day rounded up to a full minute, so that waiting until then is enough."""
    at = timezone.localtime(at + timedelta(seconds=59))
    return f"{date_format(at, 'H:i')} {at.tzname()}"
