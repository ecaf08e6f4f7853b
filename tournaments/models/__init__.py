"""Stages, tables and matches; who played what, when and with which version; and the results."""

from tournaments.models.matches import BotLog, EarlierSpan, Match, MatchSeat, Record
from tournaments.models.programs import Client
from tournaments.models.stages import Stage, Table
from tournaments.models.totals import Arrears, Rating, Tally
from tournaments.models.work import Duty, Rehearsal, Review

__all__ = [
    "Arrears",
    "BotLog",
    "Client",
    "Duty",
    "EarlierSpan",
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
