"""Receiving an upload: everything that can be wrong with it is said in a clear sentence, all of it at once.

Nothing is stored unless everything is right, and what was right is handed back with the refusal, so that the form can
keep it: a wrong text about the strategy does not cost anybody their source.
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

from contest.models import Act, Contest, Phase, Team, User
from contest.refusal import Refused
from submissions import languages, lifecycle
from submissions.languages import Language
from submissions.models import Submission

logger = logging.getLogger(__name__)

STRATEGY_KB = 256
# No file beyond this is read at all. Far above every contest's own limit, which can then name the file's true size.
READ_LIMIT = 8 * 1024 * 1024
NAME_LENGTH = 100
TEXT_ENDINGS = (".txt", ".md", ".text", ".readme")
# What executables, archives, pictures and documents begin with, so that the sentence can say what was uploaded.
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
    """A file as it came, or pasted text with the name given to it (blank when none was given).

    `skipped` says that the file was too large to be read at all.
    """

    name: str
    data: bytes
    pasted: bool = False
    skipped: bool = False


@dataclass
class Receipt:
    """What became of an upload that was taken, and what its sender should know besides."""

    submission: Submission
    notices: list[str] = field(default_factory=list)


class UploadRefused(Refused):
    """`problems` has a sentence for each field of the form (source, language, strategy; "" is the whole upload).
    `good` holds by the same names what was right in itself, as text, with its file name."""

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
    """Take a new version from a member of the team, store it and tell the workers. Raises UploadRefused.

    `language` is a slug, or blank to go by the file's ending. `for_team`: an organiser sends it in the team's place,
    which the trail tells, and which is possible after the deadline, too.
    """
    now = now or timezone.now()
    entry = _Entry(team, now, late=for_team)
    sources, strategy = entry.sort_out(sources, strategy)
    entry.read_source(sources, language)
    entry.read_strategy(strategy)
    entry.raise_problems()
    with transaction.atomic():
        if for_team:  # the trail is the contest's, and its row comes before the team's
            entry.team.contest.hold()
        # Lock the team: two uploads at once must not get the same number or slip through the limit together.
        held = Team.objects.select_for_update(of=("self",), no_key=True)
        team = held.select_related("contest").get(pk=entry.team.pk)
        entry.stay_within(team)
        entry.raise_problems()
        entry.compare_with_earlier(team)
        entry.raise_problems()
        submission = entry.store(team, user, activate)
        if for_team:
            Act.record(team.contest, user, "upload version for team", submission, team=team.pk)
        transaction.on_commit(partial(lifecycle.enqueue, submission.pk))
    logger.info("%s was uploaded", submission, extra={"submission": submission.pk})
    return Receipt(submission, entry.notices)


def closed(team: Team | None, now: datetime, *, late: bool = False) -> str:
    """Why this team may not upload now, or nothing. `late`: the deadline is no reason."""
    if team is None:
        return "You are not in a team of this contest: create a team or join one first."
    contest = team.contest
    match team.state:
        case Team.State.PENDING:
            return "Your team waits for the organisers' approval; you can upload as soon as they have approved it."
        case Team.State.APPROVED:
            return closed_to_all(contest, now, late=late)
    reason = f" The organisers say: {team.state_reason}" if team.state_reason else ""
    return f"Your team cannot upload: {team.get_state_display().lower()}.{reason}"


def closed_to_all(contest: Contest, now: datetime, *, late: bool = False) -> str:
    if contest.uploads_open(now):
        return ""
    match contest.phase(now):
        case Phase.ENDED:
            return "The contest has ended."
        case Phase.ANNOUNCED:
            return f"The contest is not open yet: uploads begin on {_when(contest.opens_at)}."
    return "" if late else f"The deadline for uploads has passed: it was {_when(contest.upload_deadline)}."


def next_upload_at(team: Team, now: datetime) -> datetime | None:
    """When the team may upload again, or None when it may now."""
    limit = team.contest.uploads_per_hour
    recent = team.submissions.filter(uploaded_at__gt=now - timedelta(hours=1)).order_by("-uploaded_at")
    times = list(recent.values_list("uploaded_at", flat=True)[:limit])
    return times[-1] + timedelta(hours=1) if len(times) >= limit else None


def safe_name(name: str) -> str:
    """A file name without folders, invisible characters or anything that a command could take for an option.

    Letters of all scripts stay; the ending stays even when the name has to be cut.
    """
    name = unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]
    name = re.sub(r"[^\w.+-]+", "_", name, flags=re.UNICODE).strip("_").lstrip(".-")
    path = PurePosixPath(name or "bot")
    ending = path.suffix[:20]
    return path.name.removesuffix(path.suffix)[: NAME_LENGTH - len(ending)] + ending


class _Entry:
    """One upload on its way in: collects what is wrong, what is right and what its sender should know."""

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
        """The team may have been put out since its page was shown."""
        if reason := closed(team, self.now, late=self.late):
            self.problems[""] = reason

    def sort_out(self, sources: Sequence[Upload], strategy: Upload | None) -> tuple[list[Upload], Upload | None]:
        """Leave the contest's own files aside, and take a text that came with the source for the strategy."""
        kit = kit_stems(self.contest)
        ours = [it for it in sources if not it.pasted and PurePosixPath(safe_name(it.name)).stem.lower() in kit]
        rest = [it for it in sources if it not in ours]
        if ours:
            names = " and ".join(safe_name(it.name) for it in ours)
            verb = "is part of the kit and was" if len(ours) == 1 else "are part of the kit and were"
            self.notices.append(f"{names} {verb} ignored: every entry is built with our own copy.")
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
            self.problems["source"] = "Choose your source file, or paste its text."
            return
        if len(sources) > 1:
            names = ", ".join(safe_name(it.name) if it.name else "the pasted text" for it in sources)
            self.problems["source"] = f"Exactly one source file is needed, and these came: {names}."
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
            self.problems.pop("language", None)  # says nothing about what cannot be read
            return
        self.good["source"] = (name if upload.name.strip() else "", text)
        if chosen is not None:
            self.source, self.filename, self.language = upload.data, name, chosen

    def _language(self, name: str, slug: str, source: bytes) -> Language | None:
        """The language of the upload; says what is wrong when there is none that may be used here."""
        ending = PurePosixPath(name).suffix
        if slug and slug not in languages.LANGUAGES:
            problem = f"There is no language “{slug}” here. {self._allowed()}"
        elif not slug and not name:
            problem = "Choose the language of the pasted text, or give it a file name with an ending."
        elif not (known := languages.LANGUAGES[slug] if slug else languages.recognise(name, source)):
            what = f"the ending “{ending}”" if ending else "a file name without an ending"
            problem = f"No language goes with {what}. {self._allowed()}"
        elif known not in languages_of(self.contest):
            problem = f"{known.name} is not allowed in this contest. {self._allowed()}"
        elif not known.installed():
            problem = (
                f"{known.name} is allowed in this contest, but what it needs is not installed on this portal yet "
                f"(Debian package {known.package}). Tell the organisers."
            )
        elif known.memory_floor > self.contest.memory_mb << 20:
            problem = (
                f"{known.name} needs {filesizeformat(known.memory_floor)} of memory before it does anything, and this "
                f"contest gives {self.contest.memory_mb} MB. Use another language."
            )
        elif ending and ending.lower() not in known.extensions:
            problem = f"A {known.name} source ends in {' or '.join(known.extensions)}, and {name} does not."
        else:
            return known
        self.problems["language"] = problem
        return None

    def _allowed(self) -> str:
        """What may be sent, for the end of a refusal."""
        allowed = (f"{it.name} ({' '.join(it.extensions)})" for it in languages_of(self.contest))
        return f"Allowed here: {', '.join(allowed)}."

    def read_strategy(self, upload: Upload | None) -> None:
        self.strategy, self.strategy_filename = "", ""
        if upload is None:
            if self.contest.needs_strategy:
                self.problems["strategy"] = "This contest asks for a text about your strategy along with the source."
            return
        name = safe_name(upload.name) if upload.name else ""
        what = "The text about the strategy" if upload.pasted else name
        problem, text = readable(upload, what, STRATEGY_KB)
        if problem:
            self.problems["strategy"] = problem
            return
        self.good["strategy"] = (name, text)
        self.strategy, self.strategy_filename = text, name

    def compare_with_earlier(self, team: Team) -> None:
        """What can only be known with the team's other versions at hand."""
        self.sha256 = hashlib.sha256(self.source).hexdigest()
        last = team.submissions.first()
        if last and last.same_upload(self.sha256, self.language.slug, self.strategy):
            state = "active" if last.is_active else last.get_state_display().lower()
            self.problems[""] = (
                f"This is exactly your version {last.number} ({state}), so there is nothing new to build. "
                "Change something and upload again."
            )
        elif at := next_upload_at(team, self.now):
            limit = self.contest.uploads_per_hour
            uploads = "1 upload" if limit == 1 else f"{limit} uploads"
            self.problems[""] = f"Your team has used its {uploads} for this hour. The next is possible at {_clock(at)}."

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
    """The languages in which entries may be written, installed here or not. A contest that names none allows all."""
    return [it for it in languages.LANGUAGES.values() if not contest.languages or it.slug in contest.languages]


def kit_stems(contest: Contest) -> set[str]:
    """The names, without endings, of the files that every entry of this contest is built with: {"acm98"}."""
    files = [name for names in contest.game.kit_sources.values() for name in names]
    return {PurePosixPath(name).stem.lower() for name in files}


def readable(upload: Upload, what: str, limit_kb: int) -> tuple[str, str]:
    """What is wrong with an upload as a text of at most that many kB, and the text when nothing is."""
    limit = limit_kb * 1024
    if upload.skipped or len(upload.data) > limit:
        size = f"more than {READ_LIMIT:,}" if upload.skipped else f"{len(upload.data):,}"
        return f"{what} is too large: {size} bytes, and {limit:,} are allowed.", ""
    if not upload.data.strip():
        return f"{what} is empty.", ""
    for magic, kind in MAGIC:
        if upload.data.startswith(magic) and (b"\0" in upload.data or kind != "a compiled program"):
            return f"{what} is {kind}, not a text.", ""
    if upload.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"{what} is UTF-16 text. Save it as UTF-8 and send it again.", ""
    try:
        text = upload.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = upload.data.count(b"\n", 0, error.start) + 1
        if b"\0" in upload.data:
            return f"{what} is a binary file, not a text.", ""
        place = f"line {line} holds the byte 0x{upload.data[error.start]:02X}"
        return f"{what} is not UTF-8 text: {place}. Save it as UTF-8 and send it again.", ""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return f"{what} is not a text: line {line} holds a NUL character.", ""
    return "", text.removeprefix("\ufeff")


def _when(at: datetime) -> str:
    return f"{date_format(timezone.localtime(at), 'j F Y, H:i')} {timezone.localtime(at).tzname()}"


def _clock(at: datetime) -> str:
    """To the next full minute, so that waiting until then is enough."""
    at = timezone.localtime(at + timedelta(seconds=59))
    return f"{date_format(at, 'H:i')} {at.tzname()}"
