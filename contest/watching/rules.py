"""When an alarm is raised. Each rule looks at one `Sight` of the portal and says what is wrong, in one line.

A condition must hold for `after` seconds until it is raised, and must be gone for `calm` seconds until it is over.
Thresholds differ while it is raised, so that a figure at the limit does not make a series of messages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from contest import counting
from contest.counting import Key
from contest.server import figures
from contest.server.figures import Figure
from contest.server.health import Finding

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
WINDOW = 10 * MINUTE  # in which events are counted


@dataclass(frozen=True, slots=True)
class Sight:
    """What the watchman saw. `now` is Unix time; `recent` are counts of the last `WINDOW` seconds, None: unknown."""

    now: float
    findings: list[Finding]
    figures: list[Figure]
    recent: Mapping[Key, float] | None

    def value(self, name: str, **labels: str) -> float | None:
        return figures.value(self.figures, name, **labels)

    def count(self, name: str, **labels: str) -> float | None:
        if self.recent is None:
            return None
        return sum(
            n for (other, has), n in self.recent.items() if other == name and labels.items() <= dict(has).items()
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule says: `bad` in one line; blank: all is well; None: nobody can tell, so everything stays as it is."""

    bad: str | None
    remember: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """`judge(sight, raised, remembered)` says what is wrong. `means`: what that means for a contest, in words for its
    organisers; blank if it is none of their business."""

    key: str
    title: str
    judge: Callable[[Sight, bool, dict[str, Any]], str | Verdict | None]
    means: str = ""
    after: float = MINUTE
    calm: float = 2 * MINUTE

    def verdict(self, sight: Sight, raised: bool, remembered: dict[str, Any]) -> Verdict:
        said = self.judge(sight, raised, remembered)
        return said if isinstance(said, Verdict) else Verdict(said, remembered)


# What health.findings() say: one alarm for each part -----------------------------------------------------------------

PARTS: Mapping[str, tuple[str, str]] = {
    "database": ("Database", "Pages and results may fail until the database is back. Nothing that was stored is lost."),
    "broker": ("Broker", "Matches start late, and live pages move slowly. Nothing is lost."),
    "workers": ("Workers", "Some matches or builds wait because no worker takes them. They are done later."),
    "disk": ("Disk", "The disk is nearly full. Results may wait until there is room."),
    "casual": ("Casual games", ""),
    "backup": ("Backup", ""),
    "parts": ("Processes", "A part of the portal fails again and again. The operators are told."),
}


def part(name: str) -> Rule:
    """The rule about a part of the portal. Parts that have no words here get their own name."""
    title, means = PARTS.get(name, (name.capitalize(), ""))

    def judge(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
        found = [it for it in sight.findings if it.part == name]
        if not found:
            return "" if sight.findings else None
        return "; ".join(it.detail for it in found if not it.ok)

    return Rule(name, title, judge, means)


# What figures say -----------------------------------------------------------------------------------------------------


def nothing_played(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    due, oldest = sight.value("matches_due"), sight.value("match_due_oldest_seconds")
    if due is None or oldest is None:
        return None
    if oldest < 5 * MINUTE or sight.value("results_per_minute") or sight.value("matches_running"):
        return ""
    return f"{many(due, 'match is', 'matches are')} due, the oldest for {minutes(oldest)}, and none is played"


def builds_wait(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    oldest = sight.value("build_due_oldest_seconds")
    if oldest is None:
        return None
    return (
        f"a version has waited {minutes(oldest)} for its build" if over(oldest, 15 * MINUTE, 5 * MINUTE, raised) else ""
    )


def stages_late(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    late = sight.value("stages_late")
    return None if late is None else f"{many(late, 'stage', 'stages')} should have started" if late else ""


def leases_lost(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    lost, again = sight.count("leases_lost"), sight.count("work_requeued")
    if lost is None or again is None:
        return None
    words = f"{many(lost + again, 'time', 'times')} in ten minutes, work lost its worker"
    return words if over(lost + again, 3, 1, raised) else ""


def machinery_fails(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    failed = sight.count("machinery_failures")
    if failed is None:
        return None
    return (
        f"{many(failed, 'time', 'times')} in ten minutes, the portal failed at a match or build"
        if over(failed, 5, 1, raised)
        else ""
    )


def pages_fail(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    failed = sight.count("answers", status="500")
    if failed is None:
        return None
    return f"{many(failed, 'page', 'pages')} failed in ten minutes" if over(failed, 10, 3, raised) else ""


def mail_fails(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    failed, sent = sight.count("mail", outcome="failed"), sight.count("mail", outcome="sent")
    if failed is None:
        return None
    if raised and not failed and not sent:
        return None  # nobody has tried since
    return f"the mail server failed {many(failed, 'time', 'times')} in ten minutes" if failed and not sent else ""


def webhooks_fail(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    failing, oldest = sight.value("webhooks_failing"), sight.value("webhook_delivery_oldest_seconds")
    if failing is None or oldest is None:
        return None
    if over(failing, 3, 2, raised):
        return f"messages to {many(failing, 'webhook', 'webhooks')} cannot be delivered"
    if not failing and oldest > 10 * MINUTE:
        return f"a message to a webhook has waited {minutes(oldest)}, and nobody sends it"
    return ""


def disk_fills(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    free, left = sight.value("disk_free_bytes"), sight.value("disk_full_in_seconds")
    if free is None:
        return None
    if left is None or left > (1.5 * DAY if raised else DAY):
        return ""
    return f"{free / 1e9:.1f} GB are free, and will be used up in {left / HOUR:.0f} hours"


def clocks_differ(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    skew = sight.value("clock_skew_seconds")
    if skew is None:
        return None
    return f"the clock of a worker differs by {skew:.0f} s from the broker's" if over(skew, 5, 2, raised) else ""


def locks_wait(sight: Sight, raised: bool, remembered: dict[str, Any]) -> str | None:
    longest = sight.value("lock_waiting_seconds") or 0.0
    return f"a session waits for a lock for {longest:.0f} s" if over(longest, 15, 5, raised) else ""


RANKS = {"none": 0, "landlock": 1, "limits": 2, "full": 3}


def sandbox_fell(sight: Sight, raised: bool, remembered: dict[str, Any]) -> Verdict | None:
    """Compares the weakest level of all workers with the strongest that the weakest ever had. After a week, operators
    have had time to look, and the new level is what is compared."""
    here = [level for level, rank in RANKS.items() if sight.value("sandbox_workers", level=level)]
    if not here:
        return None
    weakest, known = min(here, key=RANKS.__getitem__), str(remembered.get("level", "none"))
    if RANKS[weakest] >= RANKS.get(known, 0):
        return Verdict("", {"level": weakest})
    since = float(remembered.get("since", sight.now))
    if sight.now - since > 7 * DAY:
        return Verdict("", {"level": weakest})
    words = f"a worker confines bots at level {weakest}; the weakest was {known} before"
    return Verdict(words, {"level": known, "since": since})


def over(value: float, limit: float, below: float, raised: bool) -> bool:
    """Whether the limit is reached, or the value has not fallen to `below` since it was."""
    return value > below if raised else value >= limit


def many(number: float, one: str, more: str) -> str:
    """Such as "1 match is" or "7 matches are"."""
    return f"{number:.0f} {one if round(number) == 1 else more}"


def minutes(seconds: float) -> str:
    return f"{seconds / MINUTE:.0f} minutes" if seconds < 2 * HOUR else f"{seconds / HOUR:.0f} hours"


LATER = "They are done later; no result is lost."
RULES: tuple[Rule, ...] = (
    Rule("nothing-played", "Nothing is played", nothing_played, f"Matches are due, but none is played. {LATER}"),
    Rule("builds-wait", "Builds wait", builds_wait, f"Uploads wait for their build longer than usual. {LATER}"),
    # A stage may start when all bots are built: at the first start of a demo, and after a break, that takes minutes.
    Rule("stages-late", "Stages start late", stages_late, "A stage should have started and has not.", 5 * MINUTE),
    Rule("leases-lost", "Workers are lost", leases_lost, "Some matches are played again because a worker was lost.", 0),
    Rule("machinery", "Matches fail", machinery_fails, "Some matches or builds failed without fault of a bot. They are "
         "tried again.", 0),
    Rule("pages-fail", "Pages fail", pages_fail, after=0),
    Rule("mail", "Mail fails", mail_fails, "Messages by mail are late.", after=0),
    Rule("webhooks", "Webhooks fail", webhooks_fail, after=5 * MINUTE),
    Rule("disk-fills", "The disk fills", disk_fills, after=5 * MINUTE, calm=15 * MINUTE),
    Rule("clocks", "Clocks differ", clocks_differ, after=2 * MINUTE),
    Rule("locks", "Locks are held", locks_wait),
    Rule("sandbox", "The sandbox got weaker", sandbox_fell, after=2 * MINUTE),
)  # fmt: skip


def rules(findings: Iterable[Finding], raised: Iterable[str]) -> list[Rule]:
    """All rules: those about figures, and one for each part that there is or was."""
    own = {rule.key for rule in RULES}
    parts = dict.fromkeys([*PARTS, *(it.part for it in findings), *(key for key in raised if key not in own)])
    return [*(part(name) for name in parts), *RULES]


class Memory:
    """Counts of the last minutes, so that rules see what has just happened."""

    def __init__(self) -> None:
        self.looks: deque[tuple[float, Mapping[Key, float]]] = deque()

    def recent(self, now: float, sums: Mapping[Key, float] | None) -> Mapping[Key, float] | None:
        """What was counted in the last `WINDOW` seconds, or since the first look. None if nobody knows the sums."""
        if sums is None:
            return None
        # The last look before the window stays: what happened since then is news.
        while len(self.looks) > 1 and (self.looks[1][0] <= now - WINDOW or self.looks[0][0] > now):
            self.looks.popleft()
        before = self.looks[0][1] if self.looks else sums
        self.looks.append((now, dict(sums)))
        # A broker that lost its data counts from 0 again.
        return {
            key: value - before.get(key, 0.0) if value >= before.get(key, 0.0) else value for key, value in sums.items()
        }


def counted() -> Mapping[Key, float] | None:
    """All counts. None if the broker does not answer."""
    try:
        return counting.counted()
    except Exception:  # whatever is wrong with the broker is a finding, not the end of the watch
        return None
