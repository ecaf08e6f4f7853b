"""What the desks show of alarms: operators all of it, organisers what it means for their contest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from contest.models import Alarm
from contest.watching.rules import RULES, Rule, part


@dataclass(frozen=True, slots=True)
class Shown:
    alarm: Alarm
    rule: Rule


def rule_of(key: str) -> Rule:
    return next((rule for rule in RULES if rule.key == key), None) or part(key)


def raised() -> list[Shown]:
    """Alarms that are raised, the oldest first. One query."""
    rows = Alarm.objects.filter(raised_at__isnull=False).order_by("raised_at")
    return [Shown(alarm, rule_of(alarm.key)) for alarm in rows]


def over_since(moment: datetime) -> list[Shown]:
    """Those that ended since then, the latest first. One query."""
    rows = Alarm.objects.filter(raised_at=None, over_at__gte=moment).order_by("-over_at")
    return [Shown(alarm, rule_of(alarm.key)) for alarm in rows]
