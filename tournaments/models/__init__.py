"""Stages, tables and matches; who played what, when and with which version; and the results."""

from tournaments.models.casual import CasualGame, CasualMove, CasualSeat
from tournaments.models.feeds import FeedPlace, Follow, FollowSettings, LadderTold, NewsItem, Played
from tournaments.models.matches import EarlierSpan, Match, MatchSeat
from tournaments.models.notes import Note
from tournaments.models.practice import FromHere, PracticeGame, PracticeOrder, PracticePlayer, PracticeRecord
from tournaments.models.programs import Client
from tournaments.models.records import BotLog, PrunedRecord, Record
from tournaments.models.rounds import Round
from tournaments.models.stages import Stage, Table
from tournaments.models.totals import Arrears, Rating, Tally
from tournaments.models.trials import Trial, TrialPair
from tournaments.models.webhooks import Delivery, Webhook
from tournaments.models.work import Duty, Rehearsal, Review

__all__ = [
    "Arrears",
    "BotLog",
    "CasualGame",
    "CasualMove",
    "CasualSeat",
    "Client",
    "Delivery",
    "Duty",
    "EarlierSpan",
    "FeedPlace",
    "Follow",
    "FollowSettings",
    "FromHere",
    "LadderTold",
    "Match",
    "MatchSeat",
    "NewsItem",
    "Note",
    "Played",
    "PracticeGame",
    "PracticeOrder",
    "PracticePlayer",
    "PracticeRecord",
    "PrunedRecord",
    "Rating",
    "Record",
    "Rehearsal",
    "Review",
    "Round",
    "Stage",
    "Table",
    "Tally",
    "Trial",
    "TrialPair",
    "Webhook",
]
