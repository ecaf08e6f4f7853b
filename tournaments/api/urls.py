"""Addresses of the API about stages, matches and results."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema_view

from tournaments.api import following, ledger, match, matches, notes, practice, stages, standings, trials, webhooks

PRACTICE = "contests/<slug:slug>/practice"
ORDER = f"{PRACTICE}/<int:order_id>"
TRIALS = "contests/<slug:slug>/trials"

ONE = "webhooks/<int:webhook_id>"
MESSAGE = f"{ONE}/deliveries/<int:delivery_id>"
VIEWS: dict[str, tuple[str, type[webhooks.Webhooks]]] = {
    "list": ("webhooks", webhooks.ListView),
    "one": (ONE, webhooks.OneView),
    "test": (f"{ONE}/test", webhooks.TestView),
    "secret": (f"{ONE}/secret", webhooks.SecretView),
    "off": (f"{ONE}/off", webhooks.OffView),
    "on": (f"{ONE}/on", webhooks.OnView),
    "redeliver": (f"{ONE}/redeliver", webhooks.RedeliverView),
    "skip": (f"{ONE}/skip", webhooks.SkipView),
    "deliveries": (f"{ONE}/deliveries", webhooks.DeliveriesView),
    "delivery": (MESSAGE, webhooks.DeliveryView),
    "delivery-again": (f"{MESSAGE}/redeliver", webhooks.DeliveryAgainView),
    "delivery-skip": (f"{MESSAGE}/skip", webhooks.DeliverySkipView),
}
"""By the last part of its name, such as `api-team-webhooks-one`."""
PLACES: dict[type[webhooks.Webhooks], str] = {
    webhooks.OfTeam: "contests/<slug:slug>/team",
    webhooks.OfDesk: "contests/<slug:slug>/desk",
    webhooks.OfFollower: "following",
}


def patterns() -> Iterator[URLPattern]:
    for name, (route, view) in VIEWS.items():
        for kind, place in PLACES.items():
            mine: Any = type(f"{kind.__name__}{view.__name__}", (kind, view), {"__doc__": None})
            if kind is webhooks.OfFollower:
                mine = extend_schema_view(**webhooks.OF_FOLLOWER.get(name, {}))(mine)
            yield path(f"{place}/{route}", mine.as_view(), name=f"api-{kind.of}-webhooks-{name}")


urlpatterns: list[URLPattern] = [
    path("contests/<slug:slug>/stages", stages.StagesView.as_view(), name="api-stages"),
    path("contests/<slug:slug>/stages/<int:stage_id>", stages.StageView.as_view(), name="api-stage"),
    path("contests/<slug:slug>/stages/<int:stage_id>/tables", stages.TablesView.as_view(), name="api-tables"),
    path(
        "contests/<slug:slug>/stages/<int:stage_id>/standings",
        standings.StageStandingsView.as_view(),
        name="api-stage-standings",
    ),
    path("contests/<slug:slug>/standings", standings.ContestStandingsView.as_view(), name="api-standings"),
    path("contests/<slug:slug>/ratings", standings.RatingsView.as_view(), name="api-ratings"),
    path("contests/<slug:slug>/matches", matches.MatchesView.as_view(), name="api-matches"),
    path("contests/<slug:slug>/ledger", ledger.LedgerView.as_view(), name="api-ledger"),
    path("matches/<int:match_id>", match.MatchView.as_view(), name="api-match"),
    path("matches/<int:match_id>/record", match.RecordView.as_view(), name="api-record"),
    path("matches/<int:match_id>/games/<int:game>/log", match.GameLogView.as_view(), name="api-game-log"),
    path("matches/<int:match_id>/stderr", match.OutputView.as_view(), name="api-stderr"),
    path("matches/<int:match_id>/games/<int:game>/notes", notes.MatchNotesView.as_view(), name="api-notes"),
    path(f"{ORDER}/games/<int:game>/notes", notes.PracticeNotesView.as_view(), name="api-practice-notes"),
    path("notes/<int:note_id>/remove", notes.RemoveNoteView.as_view(), name="api-note-remove"),
    path("following", following.FollowingView.as_view(), name="api-following"),
    path("following/stop", following.UnfollowView.as_view(), name="api-unfollow"),
    path("following/feed", following.FeedKeyView.as_view(), name="api-following-feed"),
    path("following/news", following.NewsView.as_view(), name="api-news"),
    path(TRIALS, trials.TrialsView.as_view(), name="api-trials"),
    path(f"{TRIALS}/<int:trial_id>", trials.TrialView.as_view(), name="api-trial"),
    path(f"{TRIALS}/<int:trial_id>/cancel", trials.TrialCancelView.as_view(), name="api-trial-cancel"),
    path(PRACTICE, practice.OrdersView.as_view(), name="api-practice"),
    path(f"{PRACTICE}/opponents", practice.OpponentsView.as_view(), name="api-practice-opponents"),
    path(f"{PRACTICE}/acceptance", practice.AcceptanceView.as_view(), name="api-practice-acceptance"),
    path(ORDER, practice.OrderView.as_view(), name="api-practice-order"),
    path(f"{ORDER}/cancel", practice.CancelView.as_view(), name="api-practice-cancel"),
    path(f"{ORDER}/games/<int:game>/record", practice.GameRecordView.as_view(), name="api-practice-record"),
    path(f"{ORDER}/games/<int:game>/log", practice.PracticeLogView.as_view(), name="api-practice-log"),
    path(f"{ORDER}/games/<int:game>/stderr", practice.PracticeErrorsView.as_view(), name="api-practice-stderr"),
    *patterns(),
]
