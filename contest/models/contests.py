"""Contests, the roles of people in them, and teams."""

from __future__ import annotations

import secrets
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import connection, models
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

import games
from contest.models.moments import MomentField
from contest.models.people import AnyUser, User
from contest.models.tokens import ApiToken
from contest.names import FoldedField, Name, Named, NameField, folded
from games.engine import Game
from games.options import Server

# Without letters and digits that are easily confused.
CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_code() -> str:
    """A joining code of 8 characters, about 39 bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(8))


class Phase(StrEnum):
    """Where a contest stands in time."""

    ANNOUNCED = "announced"  # entry is not open yet
    OPEN = "open"  # teams enter and upload
    CLOSED = "closed"  # uploads have closed; the tournament is coming or under way
    ENDED = "ended"


def _places_of(user: AnyUser, token: ApiToken | None) -> Q:
    """Contests where this user has a role or a team."""
    found = Q(pk__in=())
    if not user.is_authenticated:
        return found
    if token is None or token.at_desk:
        found |= Q(roles__user=user)
    if token is None or token.in_team:
        found |= Q(teams__memberships__user=user)
    return found


class ContestQuerySet(models.QuerySet["Contest"]):
    def visible_to(self, user: AnyUser, token: ApiToken | None = None) -> ContestQuerySet:
        """The contests that this user may see in a list: public ones and their own, as far as a token's scopes go."""
        if user.is_authenticated and user.is_superuser and (token is None or token.at_desk):
            return self
        return self.filter(Q(visibility=Contest.Visibility.PUBLIC) | _places_of(user, token)).distinct()

    def mine(self, user: AnyUser, token: ApiToken | None = None) -> ContestQuerySet:
        """Contests where the user has a role or a team, as far as a token's scopes go."""
        return self.filter(_places_of(user, token)).distinct()

    def organised_by(self, user: AnyUser) -> ContestQuerySet:
        """Contests that the user may change; all of them for a superuser."""
        if user.is_authenticated and user.is_superuser:
            return self
        return self.filter(roles__user=user, roles__role__in=Role.ACTING) if user.is_authenticated else self.none()

    def in_phase(self, phase: Phase, at: datetime) -> ContestQuerySet:
        """`Contest.phase` as a query."""
        ended, before = Q(ended_at__lte=at), Q(opens_at__gt=at)
        uploading = Q(entry_deadline__gt=at) | Q(upload_deadline__gt=at)
        if phase == Phase.ENDED:
            return self.filter(ended)
        if phase == Phase.ANNOUNCED:
            return self.exclude(ended).filter(before)
        running = self.exclude(ended).exclude(before)
        return running.filter(uploading) if phase == Phase.OPEN else running.exclude(uploading)

    def with_team_count(self) -> ContestQuerySet:
        competing = Team.objects.filter(contest=OuterRef("pk"), state=Team.State.APPROVED).order_by()
        counted = competing.values("contest").annotate(count=Count("pk")).values("count")
        return self.annotate(team_count=Coalesce(Subquery(counted), 0))


class Contest(Named, models.Model):
    """One contest: a game of `games.GAMES`, its options, its dates and its limits."""

    class Visibility(models.TextChoices):
        PUBLIC = "public", "Public: listed and open to everybody"
        UNLISTED = "unlisted", "Unlisted: open to anyone who has the link"
        PRIVATE = "private", "Private: organisers and teams only"

    class Practice(models.TextChoices):
        OPEN = "open", "Against the house, own versions and other teams"
        OWN = "own", "Against the house and own versions"
        CLOSED = "closed", "Nobody practises"

    slug = models.SlugField(max_length=60, unique=True)
    name = NameField(max_length=120)
    game_slug = models.CharField("game", max_length=40)
    preset = models.CharField(max_length=40)
    options = models.JSONField(default=dict, blank=True)  # changes on top of the preset's options
    blurb = models.CharField(max_length=300, blank=True)
    description = models.TextField(blank=True)  # Markdown
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC)

    time_zone = models.CharField(max_length=64, default=timezone.get_default_timezone_name)
    """In which its dates are set and shown. Moments are stored, so another zone moves nothing by itself."""
    opens_at = MomentField(default=timezone.now)
    entry_deadline = MomentField()
    upload_deadline = MomentField()
    play_started_at = models.DateTimeField(null=True, blank=True, editable=False)  # the start of its first stage
    ended_at = models.DateTimeField(null=True, blank=True)

    languages = models.JSONField(default=list)  # slugs of submissions.languages
    memory_mb = models.PositiveIntegerField(default=256, validators=[MinValueValidator(1), MaxValueValidator(8192)])
    startup_seconds = models.FloatField(default=5.0, validators=[MinValueValidator(0.1), MaxValueValidator(120)])
    source_kb = models.PositiveIntegerField(default=256, validators=[MinValueValidator(1), MaxValueValidator(4096)])
    uploads_per_hour = models.PositiveIntegerField(default=12, validators=[MinValueValidator(1)])
    team_size = models.PositiveIntegerField(default=4, validators=[MinValueValidator(1), MaxValueValidator(50)])
    approval_required = models.BooleanField(default=False)
    one_file = models.BooleanField(default=False)  # a version is one source file, as the original contests wanted
    needs_strategy = models.BooleanField(default=False)  # uploads must include a text about the strategy
    sanitize = models.BooleanField(default=False)  # checks look for memory errors, in languages that support it
    practice = models.CharField(max_length=6, choices=Practice.choices, default=Practice.OPEN)
    practice_per_hour = models.PositiveIntegerField(
        default=400, validators=[MinValueValidator(1), MaxValueValidator(10_000)]
    )

    public_notes = models.BooleanField(default=False)  # teams may write notes at replays that everybody can read
    live = models.BooleanField(default=False)  # teams' own programs may connect to the contest server
    frozen_from = MomentField(null=True, blank=True)  # later results are visible only to people with a role
    spectator_code = models.CharField(max_length=40, blank=True)  # of the link for spectators; blank for no link

    # Counters of all changes, and of the changes that everyone may see.
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    public_revision = models.PositiveBigIntegerField(default=0, editable=False)
    is_clone = models.BooleanField(default=False, editable=False)  # copied from another contest
    endless = models.BooleanField(default=False, editable=False)
    """Never closes. Its ladder plays when no other contest needs the workers, and old records are deleted."""
    last_number = models.PositiveBigIntegerField(default=0, editable=False)  # of the ledger (contest/ledger.py)
    frozen_number = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    """While frozen: the last ledger entry that the public may know."""
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ContestQuerySet.as_manager()

    class Meta:
        ordering = ["-opens_at", "-id"]

    def __str__(self) -> str:
        return Name(self.name)

    def get_absolute_url(self) -> str:
        return reverse("contest", args=[self.slug])

    @property
    def game(self) -> Game:
        return games.get(self.game_slug)

    def full_options(self) -> dict[str, Any]:
        """The options of the contest's matches, preset included."""
        return self.game.options(self.options, self.preset)

    def rules_text(self) -> str:
        """The rules of its game as Markdown, with the contest's own numbers."""
        return self.game.rules_text(self.full_options(), self.memory_mb, self.startup_seconds)

    @property
    def server(self) -> Server | None:
        """Where its bots find the server, if they are TCP clients."""
        return self.game.preset(self.preset).server if self.game.protocol == "socket" else None

    def phase(self, now: datetime | None = None) -> Phase:
        now = now or timezone.now()
        if self.ended_at and self.ended_at <= now:
            return Phase.ENDED
        if now < self.opens_at:
            return Phase.ANNOUNCED
        return Phase.OPEN if now < max(self.entry_deadline, self.upload_deadline) else Phase.CLOSED

    def offers_practice(self) -> bool:
        """Whether pages lead to practice. Whether a team may practise now, tournaments.practice.rights says."""
        return self.practice != self.Practice.CLOSED and self.phase() != Phase.ENDED

    def entry_open(self, now: datetime | None = None) -> bool:
        now = now or timezone.now()
        return self.phase(now) == Phase.OPEN and now < self.entry_deadline

    def uploads_open(self, now: datetime | None = None) -> bool:
        now = now or timezone.now()
        return self.phase(now) == Phase.OPEN and now < self.upload_deadline

    def any_uploads_open(self, now: datetime | None = None) -> bool:
        """Whether any team can still upload."""
        now = now or timezone.now()
        late = self.teams.competing().filter(uploads_until__gt=now)
        return self.uploads_open(now) or (self.phase(now) == Phase.CLOSED and late.exists())

    def tells_of_start(self) -> bool:
        """Whether everybody may know that a stage has begun: not if that happened behind a freeze."""
        begun = self.play_started_at
        frozen_from = self.frozen_from if self.is_frozen() else None
        return begun is not None and (frozen_from is None or begun < frozen_from)

    def reentry_open(self, now: datetime | None = None) -> bool:
        """Whether a team that withdrew may return by itself. Not once play has begun, because others have moved up."""
        return self.entry_open(now) and self.play_started_at is None

    def is_frozen(self, now: datetime | None = None) -> bool:
        """Whether new results are hidden from everyone without a role.

        A freeze in the ledger holds until it is lifted, even if the clock is set back.
        """
        if self.frozen_number is not None:
            return True
        return self.frozen_from is not None and self.frozen_from <= (now or timezone.now())

    def touch(self, hidden: bool = False) -> None:
        """Make live pages fetch a change. If it is `hidden`, only pages of people with a role notice.

        Call this inside the transaction and before locking other rows: it locks the contest (see `ledger.hold`).
        """
        with connection.cursor() as cursor:
            cursor.execute(TOUCH, [0 if hidden else 1, self.pk])


TOUCH = "UPDATE contest_contest SET revision = revision + 1, public_revision = public_revision + %s WHERE id = %s"


class Role(models.Model):
    """What someone may do in one contest, apart from playing in it."""

    class Kind(models.TextChoices):
        OWNER = "owner", "Owner: full control, including roles and deletion"
        ORGANISER = "organiser", "Organiser: runs the contest"
        JUDGE = "judge", "Judge: can see everything, but change nothing"

    ACTING = (Kind.OWNER, Kind.ORGANISER)

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="roles")
    role = models.CharField(max_length=10, choices=Kind.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["contest", "user"], name="one_role_per_contest")]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


class TeamQuerySet(models.QuerySet["Team"]):
    def competing(self) -> TeamQuerySet:
        """Teams that take part: approved, and neither withdrawn nor disqualified."""
        return self.filter(state=Team.State.APPROVED)

    def listed(self) -> TeamQuerySet:
        """Teams that everyone may see: all but those that wait for approval or were refused."""
        return self.exclude(state__in=(Team.State.PENDING, Team.State.REFUSED))

    def called(self, text: str) -> TeamQuerySet:
        """Teams whose name or school contains the text."""
        text = folded(text)
        return self.filter(Q(key__contains=text) | Q(school_key__contains=text)) if text else self

    def with_code(self, code: str) -> TeamQuerySet:
        code = "".join(code.split()).lower()  # people write it in two halves
        return self.filter(code=code) if code.isalnum() else self.none()

    def with_member_count(self) -> TeamQuerySet:
        return self.annotate(member_count=Count("memberships"))

    def in_seed_order(self) -> TeamQuerySet:
        """By seed number; unseeded teams follow in the order in which they entered."""
        return self.order_by(F("seed").asc(nulls_last=True), "id")


class Team(Named, models.Model):
    """A team in one contest. A school that returns next year enters a new team."""

    class State(models.TextChoices):
        PENDING = "pending", "Waiting for approval"
        APPROVED = "approved", "Taking part"
        REFUSED = "refused", "Refused"
        WITHDRAWN = "withdrawn", "Withdrawn"
        DISQUALIFIED = "disqualified", "Disqualified"

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="teams")
    name = NameField(max_length=60)
    school = NameField("school or company", max_length=100, blank=True)
    key = FoldedField(of="name")
    school_key = FoldedField(of="school")
    code = models.CharField("joining code", max_length=12, default=new_code, unique=True, editable=False)
    state = models.CharField(max_length=12, choices=State.choices, default=State.APPROVED)
    state_reason = models.CharField(max_length=300, blank=True)
    seed = models.PositiveIntegerField("seed number", null=True, blank=True)
    accepts_practice = models.BooleanField(default=True)  # other teams may practise against its active version
    checked_in_at = models.DateTimeField(null=True, blank=True, editable=False)  # by an organiser; null: not present
    earlier_check_ins = models.JSONField(default=list, editable=False)  # undone: [[seconds since 1970, until], …]
    uploads_until = MomentField(null=True, blank=True)  # later than the contest's deadline; null: as everybody
    uploads_until_reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["key", "id"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "key"], name="team_name_is_unique_in_contest"),
            models.UniqueConstraint(
                fields=["contest", "seed"], condition=Q(seed__isnull=False), name="seed_is_unique_in_contest"
            ),
        ]

    def __str__(self) -> str:
        return Name(self.name)

    def get_absolute_url(self) -> str:
        return reverse("team", args=[self.contest.slug, self.pk])

    def people(self) -> models.QuerySet[Membership]:
        """Memberships with their users, captain first."""
        return self.memberships.select_related("user")

    def insiders(self) -> models.QuerySet[Role]:
        """Roles of its members in its contest, which let them see what other teams must not see."""
        return Role.objects.filter(contest=self.contest_id, user__memberships__team=self).select_related("user")

    def was_checked_in(self, at: datetime) -> bool:
        """Whether it is checked in and was, or will be, at that moment."""
        came, then = self.checked_in_at, at.timestamp()
        return came is not None and (came <= at or any(one <= then < until for one, until in self.earlier_check_ins))

    @property
    def has_later_deadline(self) -> bool:
        return self.uploads_until is not None and self.uploads_until > self.contest.upload_deadline

    @property
    def upload_deadline(self) -> datetime:
        return max(self.contest.upload_deadline, self.uploads_until or self.contest.upload_deadline)

    def uploads_open(self, now: datetime | None = None) -> bool:
        now = now or timezone.now()
        return self.contest.phase(now) in (Phase.OPEN, Phase.CLOSED) and now < self.upload_deadline

    @property
    def is_competing(self) -> bool:
        return self.state == self.State.APPROVED

    @property
    def is_out(self) -> bool:
        """Refused, withdrawn or disqualified."""
        return self.state in (self.State.REFUSED, self.State.WITHDRAWN, self.State.DISQUALIFIED)


class Membership(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    contest = models.ForeignKey(
        Contest, on_delete=models.CASCADE, related_name="+"
    )  # the team's, repeated for the constraint
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    is_captain = models.BooleanField(default=False)
    joined_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)  # when they last saw questions and announcements
    mailed_until = models.DateTimeField(null=True, blank=True)  # older news was sent by e-mail

    class Meta:
        ordering = ["-is_captain", "joined_at"]
        constraints = [models.UniqueConstraint(fields=["contest", "user"], name="one_team_per_person_and_contest")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"

    @property
    def knows_until(self) -> datetime:
        """Anything posted later is new to this person."""
        return self.read_at or self.joined_at
