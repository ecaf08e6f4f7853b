"""Contests, the people in them, and the ledger of what happened."""

from contest.models.contests import CODE_ALPHABET, Contest, Membership, Phase, Role, Team, new_code
from contest.models.ledger import Audience, Follower, Kind, LedgerEntry
from contest.models.news import Act, Announcement, Question
from contest.models.people import AnyUser, User
from contest.models.tokens import AnsweredRequest, ApiToken, Scope
from contest.models.workers import Alarm, Confinement, Letter, Proof, Worker

__all__ = [
    "CODE_ALPHABET",
    "Act",
    "Alarm",
    "Announcement",
    "AnsweredRequest",
    "AnyUser",
    "ApiToken",
    "Audience",
    "Confinement",
    "Contest",
    "Follower",
    "Kind",
    "LedgerEntry",
    "Letter",
    "Membership",
    "Phase",
    "Proof",
    "Question",
    "Role",
    "Scope",
    "Team",
    "User",
    "Worker",
    "new_code",
]
