"""Stages, tables and matches; who played what, when, with which version; and what came of it."""

from tournaments.models.clients import Client
from tournaments.models.duties import Duty, Rehearsal, Review
from tournaments.models.matches import BotLog, Match, MatchSeat, Record
from tournaments.models.stages import Stage, Table
from tournaments.models.standings import Arrears, Rating, Tally

__all__ = [
    "Arrears",
    "BotLog",
    "Client",
    "Duty",
    "Match",
    "MatchSeat",
    "Rating",
    "Record",
    "Rehearsal",
    "Review",
    "Stage",
    "Table",
    "Tally",
]
