"""The audit log."""

from __future__ import annotations

from typing import Any

from django.db import models, transaction
from django.utils import timezone

from contest.models.contests import Contest
from contest.models.people import AnyUser, User


class Act(models.Model):
    """An entry of the audit log: who did what to what, when and why. Written with the action, never changed."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="acts")
    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")  # null: the portal itself
    verb = models.CharField(max_length=40)  # "void match", "approve team"
    target = models.CharField(max_length=200, blank=True)  # "Match 17", a team's name
    reason = models.TextField(blank=True)
    data = models.JSONField(default=dict, blank=True)  # before and after, ids

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.verb} {self.target}"

    @classmethod
    def record(
        cls, contest: Contest, user: AnyUser | None, verb: str, target: object = "", reason: str = "", **data: Any
    ) -> Act:
        """Add an entry to the audit log. Must run in the transaction of the action."""
        act = cls.of(contest, user, verb, target, reason, **data)
        act.save(force_insert=True)
        return act

    @classmethod
    def of(
        cls, contest: Contest, user: AnyUser | None, verb: str, target: object = "", reason: str = "", **data: Any
    ) -> Act:
        """The same, not saved yet: for actions that write many at once."""
        assert transaction.get_connection().in_atomic_block, "record an act in the transaction of its action"
        who = user if isinstance(user, User) else None
        return cls(contest=contest, user=who, verb=verb, target=str(target)[:200], reason=reason, data=data)
