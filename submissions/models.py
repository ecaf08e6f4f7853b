"""Bots: every version of every team, its build and its check."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import zstandard
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from contest.models import AnyUser, Contest, Team, User
from games.options import Server
from games.phrases import counted
from games.toolchains import recognise
from submissions.lease import LeaseQuerySet
from submissions.sandbox import Parcel
from submissions.sandbox.roots import pack as pack_files
from submissions.sandbox.roots import unpack as unpack_files

ASIDE = re.compile(rb"//[^\n]*|/\*.*?\*/|(?:#|--)[^\n]*|\s+", re.DOTALL)  # comments and blanks, in most languages
# A message to the workers is sent again if nobody takes it in this time. A second delivery does no harm.
MESSAGE_LIFE = timedelta(minutes=5)


def pack(text: str) -> bytes:
    return zstandard.compress(text.encode())


def unpack(data: bytes | memoryview) -> str:
    return zstandard.decompress(bytes(data)).decode() if data else ""


def stored_folder(files: Mapping[str, bytes]) -> dict[str, Any]:
    """The columns of a version that hold the files of a folder."""
    listed = [
        {"path": path, "size": len(files[path]), "sha256": hashlib.sha256(files[path]).hexdigest()}
        for path in sorted(files)
    ]
    return {"files": listed, "folder": zstandard.compress(pack_files(files))}


LONG = ("source", "folder", "strategy", "build_log")  # columns of which lists and pages of matches show nothing
LONG_OF_SUBMISSION = tuple(f"submission__{name}" for name in LONG)


class SubmissionQuerySet(LeaseQuerySet["Submission"]):
    WORKING = ("building", "checking")

    def visible_to(self, user: AnyUser) -> SubmissionQuerySet:
        """Versions of the user's teams and of contests where the user has a role."""
        if not user.is_authenticated:
            return self.none()
        if user.is_superuser:
            return self
        mine = Q(team__memberships__user=user) | Q(team__contest__roles__user=user)
        return self.filter(mine).distinct()

    def in_progress(self) -> SubmissionQuerySet:
        return self.filter(state__in=Submission.IN_PROGRESS)

    def claimable(self, at: datetime) -> SubmissionQuerySet:
        return self.filter(state=Submission.State.QUEUED, due_at__lte=at)

    def unannounced(self, at: datetime) -> SubmissionQuerySet:
        """Claimable versions that workers may not know about: put back, or their message may be lost."""
        lost = Q(enqueued_at__isnull=True) | Q(enqueued_at__lt=F("due_at")) | Q(enqueued_at__lt=at - MESSAGE_LIFE)
        return self.claimable(at).filter(lost)

    def newest_of_each_team(self) -> SubmissionQuerySet:
        newer = Submission.objects.filter(team=models.OuterRef("team"), number__gt=models.OuterRef("number"))
        return self.filter(~models.Exists(newer))

    def in_order_of_concern(self) -> SubmissionQuerySet:
        """In the order that interests organisers: trouble of the portal, failures, work in progress, the rest."""
        State = Submission.State
        concern = Case(
            When(failures__gt=0, state__in=Submission.IN_PROGRESS, then=0),
            When(state=State.REJECTED, built_at__isnull=True, then=1),
            When(state=State.REJECTED, then=2),
            When(state__in=Submission.IN_PROGRESS, then=3),
            When(is_active=False, then=4),
            default=5,
        )
        return self.annotate(concern=concern).order_by("concern", "-uploaded_at", "pk")

    def counts(self) -> dict[str, int]:
        """The number of versions in each state."""
        rows = self.order_by().values_list("state").annotate(count=models.Count("pk"))
        return {state.value: 0 for state in Submission.State} | dict(rows)

    def with_games_played(self) -> SubmissionQuerySet:
        """Annotate the games of the check: `games_played`, and totals as `check_faults` and `check_fine`.

        Uses subqueries, because grouping would lose the order.
        """
        games = CheckGame.objects.filter(submission=models.OuterRef("pk")).order_by().values("submission")
        sums = {
            "games_played": models.Count("pk"),
            "check_faults": models.Sum("faults"),
            "check_fine": models.Sum("fine"),
        }
        found = {name: games.annotate(found=it).values("found") for name, it in sums.items()}
        return self.annotate(**{name: Coalesce(models.Subquery(it), 0) for name, it in found.items()})

    def with_active_number(self) -> SubmissionQuerySet:
        """Annotate `active_number`: the team's active version, or None."""
        active = Submission.objects.active().filter(team=models.OuterRef("team"))
        return self.annotate(active_number=models.Subquery(active.values("number")[:1]))

    def without_source(self) -> SubmissionQuerySet:
        """Without the long columns, for lists."""
        return self.defer(*LONG)

    def ready(self) -> SubmissionQuerySet:
        return self.filter(state=Submission.State.READY)

    def active(self) -> SubmissionQuerySet:
        return self.filter(is_active=True)


class Submission(models.Model):
    """One version of a team's bot."""

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        BUILDING = "building", "Building"
        CHECKING = "checking", "Checking"
        READY = "ready", "Ready"
        REJECTED = "rejected", "Rejected"
        SUPERSEDED = "superseded", "Superseded"  # a newer version came before its turn (lifecycle.supersede)
        CANCELLED = "cancelled", "Cancelled"  # by an organiser

    WORKING = SubmissionQuerySet.WORKING
    IN_PROGRESS = (State.QUEUED, State.BUILDING, State.CHECKING)
    REPEATABLE = (State.REJECTED, State.SUPERSEDED, State.CANCELLED)

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="submissions")
    number = models.PositiveIntegerField()  # 1, 2, 3 … within the team
    language = models.CharField(max_length=20)  # a slug of submissions.languages
    filename = models.CharField(max_length=150)  # of several files, the path of the entry
    source = models.BinaryField()  # of several files, the entry
    files = models.JSONField(default=list, blank=True)  # of several: [{path, size, sha256}, …]; of one it is empty
    folder = models.BinaryField(default=b"")  # of several files, all of them: a tar (sandbox.roots), as zstd
    arguments = models.CharField(max_length=200, blank=True)  # of a TCP client: Server.arguments
    size = models.PositiveIntegerField()  # of all files
    sha256 = models.CharField(max_length=64, db_index=True)  # of the source, or of entry, paths and contents
    strategy_filename = models.CharField(max_length=100, blank=True)
    strategy = models.TextField(blank=True)
    uploaded_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    uploaded_at = models.DateTimeField(default=timezone.now)

    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    verdict = models.TextField(blank=True)  # why it was rejected, in one sentence
    check_note = models.TextField(blank=True)  # what the check left out
    check_warning = models.TextField(blank=True)  # faults that it forgave, and what they cost
    findings = models.JSONField(default=list, blank=True)  # of extra tests: [{title, text, bad}, …]
    own_name = models.CharField(max_length=60, blank=True)  # the bot's name for itself, if its game asks
    is_active = models.BooleanField(default=False)
    activate_when_ready = models.BooleanField(default=True)

    build_command = models.TextField(blank=True)
    run_command = models.TextField(blank=True)
    toolchain = models.CharField(max_length=200, blank=True)
    build_log = models.TextField(blank=True)  # kept on success too
    build_seconds = models.FloatField(null=True)
    artifact = models.ForeignKey("Artifact", on_delete=models.SET_NULL, null=True, related_name="+")

    worker = models.CharField(max_length=100, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(default=timezone.now)  # earliest time to take it from the queue
    turn_at = models.DateTimeField(null=True, blank=True)  # when its last turn began, whatever came of it
    turns = models.PositiveIntegerField(default=0)  # in which its check has given way; its games so far are kept
    ahead_at = models.DateTimeField(null=True, blank=True)  # when organisers moved it to the front of the queue
    ordered = models.BooleanField(default=False)  # organisers want it built: a newer upload does not supersede it
    superseded_by = models.PositiveIntegerField(null=True, blank=True)  # the number of a newer version
    enqueued_at = models.DateTimeField(null=True, blank=True)  # when the workers were last told
    failures = models.PositiveIntegerField(default=0)  # of the portal, never of the bot
    last_error = models.TextField(blank=True)  # of the portal
    started_at = models.DateTimeField(null=True, blank=True)  # of the current attempt
    built_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    activated_at = models.DateTimeField(null=True, blank=True)

    place: int = 0  # in the queue, roughly; set by turns.mark for revisions

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["team", "number"], name="version_numbers_are_unique"),
            models.UniqueConstraint(fields=["team"], condition=Q(is_active=True), name="one_active_version_per_team"),
            models.UniqueConstraint(
                fields=["team"], condition=Q(state__in=("building", "checking")), name="one_build_at_a_time"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "lease_until"]),
            models.Index(fields=["team", "uploaded_at"]),
            # For turns.py, which every page of a waiting team asks. A row of SQLite's has the source before its times,
            # so without these each question reads all sources.
            models.Index(fields=["team", "state"]),
            models.Index(fields=["team", "turn_at"]),
            models.Index(fields=["finished_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.team} version {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("version", args=[self.team.contest.slug, self.number])

    @property
    def contest(self) -> Contest:
        return self.team.contest

    @property
    def in_progress(self) -> bool:
        return self.state in self.IN_PROGRESS

    @property
    def is_repeatable(self) -> bool:
        """Whether organisers can have it built and checked again."""
        return self.state in self.REPEATABLE

    @property
    def is_ready(self) -> bool:
        return self.state == self.State.READY

    @property
    def failed_to_build(self) -> bool:
        return self.state == self.State.REJECTED and self.built_at is None

    def warnings(self) -> str:
        """Warnings of its check in a few words: "13 faults, 65 points; memory error found". Blank if there are none.

        The counts need `with_games_played`.
        """
        if not self.is_ready:
            return ""
        found = [each.get("short", "see its check") for each in self.findings if each["bad"]]
        if self.check_warning:
            faults, fine = getattr(self, "check_faults", 0), getattr(self, "check_fine", 0)
            what = counted(faults, "fault") if faults else "faults"
            found.insert(0, f"{what}, {fine} points" if fine else what)
        return "; ".join(found)

    @property
    def is_folder(self) -> bool:
        """Whether its program has several files."""
        return bool(self.files)

    @property
    def file_count(self) -> int:
        return len(self.files) or 1

    def source_bytes(self) -> bytes:
        return bytes(self.source)

    def all_files(self) -> dict[str, bytes]:
        """Its files by their paths, byte for byte as they were uploaded."""
        if not self.is_folder:
            return {self.filename: self.source_bytes()}
        return unpack_files(zstandard.decompress(bytes(self.folder)))

    def words(self) -> str:
        """A digest of its sources without comments, blanks, case and names of files."""
        sources = [data for path, data in self.all_files().items() if recognise(path, data)]
        return hashlib.sha256(b"\0".join(sorted(ASIDE.sub(b"", data).lower() for data in sources))).hexdigest()

    def listed_files(self) -> list[dict[str, Any]]:
        """Path, size and sha256 of each file, in the order of their paths. Reads no contents."""
        return self.files or [{"path": self.filename, "size": self.size, "sha256": self.sha256}]

    @property
    def server(self) -> Server | None:
        """Where it finds the contest's server, if it is a TCP client."""
        server = self.contest.server
        return replace(server, arguments=self.arguments) if server else None

    def same_upload(self, sha256: str, language: str, filename: str, arguments: str, strategy: str) -> bool:
        """Whether that would be built and judged as this version was. After a rejection, its author may try again."""
        mine = (self.sha256, self.language, self.filename, self.arguments, self.strategy)
        return mine == (sha256, language, filename, arguments, strategy) and self.state != self.State.REJECTED


def revision_of(versions: Iterable[Submission], *more: object) -> str:
    """A token that changes whenever pages about these versions change."""
    shown = [
        (
            *(it.pk, it.state, it.is_active, it.attempt, it.failures, it.activate_when_ready, it.place),
            getattr(it, "games_played", 0),
        )
        for it in versions
    ]
    return f"{zlib.crc32(repr((shown, more)).encode()):08x}"


class ArtifactQuerySet(models.QuerySet["Artifact"]):
    def idle(self, before: datetime) -> ArtifactQuerySet:
        """Artifacts from before then that no active or unfinished version needs. They can be built again."""
        needed = Submission.objects.filter(Q(is_active=True) | Q(state__in=Submission.IN_PROGRESS))
        kept = needed.filter(artifact__isnull=False).values("artifact")
        return self.filter(created_at__lt=before).exclude(pk__in=kept)


class Artifact(models.Model):
    """The output of a build, stored by its inputs, so that all workers share one build."""

    key = models.CharField(max_length=64, unique=True)  # sha-256 over language, source, kit files, toolchain, command
    data = models.BinaryField()  # zstd
    command = models.TextField()
    toolchain = models.CharField(max_length=200, blank=True)
    log = models.TextField(blank=True)  # the compiler's output, for versions that reuse the artifact
    seconds = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ArtifactQuerySet.as_manager()

    def __str__(self) -> str:
        return self.key[:12]

    def content(self) -> bytes:
        return zstandard.decompress(bytes(self.data))

    def parcel(self) -> Parcel:
        """For a jail, which reads the content only if it has not unpacked this row before."""
        return Parcel(f"{self.key} {self.created_at.isoformat()}", self.content)

    @staticmethod
    def key_of(*parts: bytes | str) -> str:
        digest = hashlib.sha256()
        for part in parts:
            raw = part.encode() if isinstance(part, str) else part
            digest.update(len(raw).to_bytes(8, "big") + raw)
        return digest.hexdigest()


class CheckGame(models.Model):
    """A game of a version's check against house players, visible only to its team and organisers."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="check_games")
    number = models.PositiveIntegerField()
    seat = models.PositiveIntegerField()
    passed = models.BooleanField()
    fault_kind = models.CharField(max_length=12, blank=True)
    fault_detail = models.TextField(blank=True)
    fault_advice = models.TextField(blank=True)  # what to do about a crash whose message is understood
    fault_ply = models.PositiveIntegerField(null=True)  # its position in the replay
    fault_game = models.PositiveIntegerField(default=1)  # its game within the record
    faults = models.PositiveIntegerField(default=0)  # including those that were forgiven
    fine = models.PositiveIntegerField(default=0)  # points that the faults cost
    fault_place = models.CharField(max_length=200, blank=True)  # in words: "round 2, trick 3"
    opponents = models.JSONField(default=list)  # names of house players, in seat order
    seed = models.BigIntegerField(default=0)
    score = models.FloatField(null=True)
    place = models.PositiveIntegerField(null=True)  # with the cost of processor time
    slowest_ms = models.FloatField(null=True)  # for a bot that was too slow, the limit it exceeded
    cpu_ms = models.FloatField(null=True)  # total processor time, if the game measures it
    record = models.BinaryField()  # zstd of the canonical JSON
    stderr = models.BinaryField(default=b"")  # zstd of JSON: [[event index, text], …]

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["submission", "number"], name="check_game_numbers_are_unique")]

    def __str__(self) -> str:
        return f"{self.submission}, check game {self.number}"

    @property
    def seat_name(self) -> str:
        return self.submission.contest.game.seat_names[self.seat].capitalize()

    @property
    def penalty(self) -> float:
        """Points for processor time, which `score` does not include."""
        contest = self.submission.contest
        return contest.game.penalty(contest.full_options(), self.cpu_ms or 0.0)

    @property
    def fault_address(self) -> str:
        """The address of its fault, or its own, relative to that of its version."""
        number = f"{self.fault_game}/" if self.fault_game > 1 else ""
        return f"check/{self.number}/{number}" + (f"?ply={self.fault_ply}" if self.fault_ply is not None else "")

    @property
    def again_command(self) -> str:
        """Plays its deals at home once more, from its record."""
        seat = f" --seat {self.seat + 1}" if self.opponents else ""
        mine = "mine/" if self.submission.is_folder else shlex.quote(self.submission.filename)
        return f"python3 kibitz.pyz again record.json{seat} {mine}"

    def record_text(self) -> str:
        """The canonical JSON of docs/record.md."""
        return unpack(self.record)

    def record_data(self) -> dict[str, Any]:
        return json.loads(self.record_text())

    def stderr_pieces(self) -> list[list[Any]]:
        """The bot's standard error as pairs of event index and text."""
        return json.loads(unpack(self.stderr) or "[]")
