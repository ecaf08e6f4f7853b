"""Contests, the people in them, and the ledger of what happened."""

from contest.models.contests import (
    CODE_ALPHABET,
    Act,
    Announcement,
    AnyUser,
    Contest,
    Membership,
    Phase,
    Question,
    Role,
    Team,
    User,
    new_code,
)
from contest.models.ledger import Audience, Follower, Kind, LedgerEntry

__all__ = [
    "CODE_ALPHABET",
    "Act",
    "Announcement",
    "AnyUser",
    "Audience",
    "Contest",
    "Follower",
    "Kind",
    "LedgerEntry",
    "Membership",
    "Phase",
    "Question",
    "Role",
    "Team",
    "User",
    "new_code",
]
