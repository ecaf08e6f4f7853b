"""What the API tells of practice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from contest.api.forms import as_serializer
from contest.api.views import ContestView
from contest.models import Contest
from tournaments.models import PracticeGame, PracticeOrder
from tournaments.practice.forms import PracticeForm
from tournaments.view_models.practice import GameLine, OrderSeen


class PracticePlayerBody(serializers.Serializer):
    player = serializers.CharField(help_text="The name, as in the records.")
    key = serializers.CharField(help_text="As in a request: `house:NAME`, `version:NUMBER` or `team:ID`.")
    version = serializers.IntegerField(allow_null=True, help_text="Of your own versions.")
    team_id = serializers.IntegerField(allow_null=True)


class FiguresLine(serializers.Serializer):
    title = serializers.CharField()
    key = serializers.CharField(help_text="The number of the seat, or the key of the opponent.")
    games = serializers.IntegerField()
    win_rate = serializers.FloatField(
        source="won",
        allow_null=True,
        help_text="A shared first place counts as a part. Against an opponent: the better place.",
    )
    win_low = serializers.FloatField(
        source="low", allow_null=True, help_text="95 % interval (Wilson); from four games on."
    )
    win_high = serializers.FloatField(source="high", allow_null=True)
    points = serializers.FloatField(
        allow_null=True, help_text="The average of a game. Against an opponent: the difference."
    )
    points_margin = serializers.FloatField(
        source="margin", allow_null=True, help_text="Half of its 95 % interval (Student's t)."
    )


class PracticeFigures(FiguresLine):
    faults = serializers.IntegerField()
    by_seat = FiguresLine(many=True)
    by_opponent = FiguresLine(many=True)


class PracticeLine(serializers.Serializer):
    id = serializers.IntegerField()
    team = serializers.IntegerField()
    state = serializers.ChoiceField(PracticeOrder.State.choices)
    why = serializers.CharField(allow_blank=True, help_text="Why it ended early.")
    version = serializers.IntegerField()
    follows_newest = serializers.BooleanField(help_text="Whether a newer version takes over.")
    opponents = PracticePlayerBody(many=True)
    seat = serializers.IntegerField(allow_null=True, help_text="None: another one from game to game.")
    seed = serializers.IntegerField(allow_null=True, help_text="Of the first game. None: fresh deals.")
    again = serializers.IntegerField(allow_null=True, help_text="The match whose deals are played.")
    games = serializers.IntegerField(help_text="Ordered.")
    played = serializers.IntegerField()
    running = serializers.IntegerField()
    waiting = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="Those that the portal failed to play.")
    win_rate = serializers.FloatField(allow_null=True)
    points = serializers.FloatField(allow_null=True, help_text="The average of a game.")
    faults = serializers.IntegerField()
    made_by = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    replaced_by = serializers.IntegerField(allow_null=True, help_text="The order for a newer version.")
    page = serializers.URLField(help_text="The page for people.")


class PracticeSeat(serializers.Serializer):
    player = serializers.CharField()
    points = serializers.FloatField(allow_null=True)
    penalty = serializers.FloatField(help_text="For processor time; the place includes it.")
    place = serializers.IntegerField(allow_null=True)
    disqualified = serializers.BooleanField()
    faults = serializers.IntegerField()
    first_fault = serializers.CharField(allow_blank=True)
    fault_detail = serializers.CharField(allow_blank=True)
    slowest_ms = serializers.FloatField(allow_null=True)
    total_ms = serializers.FloatField(allow_null=True)
    cpu_ms = serializers.FloatField(allow_null=True)


class PracticeGameBody(serializers.Serializer):
    number = serializers.IntegerField(help_text="1, 2, 3 … within the order.")
    state = serializers.ChoiceField(PracticeGame.State.choices)
    seed = serializers.IntegerField()
    seat = serializers.IntegerField(help_text="Where your version sits at the table.")
    seat_name = serializers.CharField()
    won = serializers.FloatField(allow_null=True, help_text="1, 0, or a part for a shared first place.")
    points = serializers.FloatField(allow_null=True, help_text="With the penalty for processor time.")
    place = serializers.IntegerField(allow_null=True)
    faults = serializers.IntegerField()
    results = PracticeSeat(many=True, help_text="In the order of the record's seats.")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    replay = serializers.URLField(allow_null=True, help_text="The page for people. None: not played, or deleted.")
    record = serializers.URLField(allow_null=True)
    log = serializers.URLField(allow_null=True)
    stderr = serializers.URLField(allow_null=True)


class PracticeBody(PracticeLine):
    options = serializers.DictField(help_text="The rules' options.")
    figures = PracticeFigures()
    game_list = PracticeGameBody(many=True)


class OpponentsBody(serializers.Serializer):
    """What can be ordered now."""

    practice = serializers.ChoiceField(Contest.Practice.choices, help_text="What the organisers allow.")
    why_not = serializers.CharField(allow_blank=True, help_text="Why your team cannot practise now.")
    seats = serializers.ListField(child=serializers.CharField(), help_text="The names of the seats.")
    games_left = serializers.IntegerField(help_text="That your team may order now.")
    games_per_hour = serializers.IntegerField()
    orders_at_once = serializers.IntegerField()
    most_games = serializers.IntegerField(help_text="Of one order.")
    accepts_practice = serializers.BooleanField(help_text="Whether other teams may practise against yours.")
    games_against = serializers.IntegerField(help_text="That other teams have practised against yours.")
    opponents = PracticePlayerBody(many=True)


AskedBody = as_serializer(PracticeForm, "PracticeRequest")


class AcceptanceBody(serializers.Serializer):
    accepts_practice = serializers.BooleanField()


COUNTED = ("played", "running", "waiting", "failed", "faults")


def line(order: PracticeOrder, counts: Mapping[str, Any], at: ContestView) -> dict[str, Any]:
    """An order with its players. `counts`: as of `with_counts`."""
    own, *others = order.players.all()
    return {
        "id": order.pk,
        "team": order.team_id,
        **{name: getattr(order, name) for name in ("state", "why", "seat", "seed", "made_at", "ended_at")},
        "version": own.submission.number if own.submission else 0,
        "follows_newest": order.newest,
        "opponents": [player(other.name, other.key) for other in others],
        "again": order.again_id,
        "games": order.wanted,
        **{name: counts[name] for name in COUNTED},
        "win_rate": counts["average_won"],
        "points": counts["average_points"],
        "made_by": str(order.made_by or ""),
        "replaced_by": order.replaced_by_id,
        "page": at.address("practice-order", order.pk),
    }


def player(name: str, key: str) -> dict[str, Any]:
    kind, _, which = key.partition(":")
    return {
        "player": name,
        "key": key,
        "version": int(which) if kind == "version" else None,
        "team_id": int(which) if kind == "team" else None,
    }


def order_body(seen: OrderSeen, at: ContestView) -> dict[str, Any]:
    found = seen.figures
    counts = {name: getattr(seen, name) for name in ("played", "running", "waiting", "failed")}
    counts |= {"faults": found.faults, "average_won": found.all.won, "average_points": found.all.points}
    return {
        **line(seen.order, counts, at),
        "options": seen.order.options,
        "figures": {
            **FiguresLine(found.all).data,
            "faults": found.faults,
            "by_seat": FiguresLine(found.seats, many=True).data,
            "by_opponent": FiguresLine(found.opponents, many=True).data,
        },
        "game_list": [_game(each, seen, at) for each in seen.games],
    }


def _game(found: GameLine, seen: OrderSeen, at: ContestView) -> dict[str, Any]:
    game, names = found.game, {player.number: player.name for player in seen.players}

    def api(name: str) -> str | None:
        return at.address(name, seen.order.pk, game.number) if found.href else None

    return {
        **{name: getattr(game, name) for name in ("number", "state", "seed", "won", "points", "place", "faults")},
        "seat": game.seat,
        "seat_name": found.seat,
        "results": [_seat(names[number], it) for number, it in zip(game.lineup, game.results, strict=False)],
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "replay": at.whole(found.href) if found.href else None,
        "record": api("api-practice-record"),
        "log": api("api-practice-log"),
        "stderr": api("api-practice-stderr"),
    }


def _seat(name: str, result: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("penalty", "place", "disqualified", "faults", "fault_detail", "slowest_ms", "total_ms", "cpu_ms")
    return {
        "player": name,
        "points": result["score"],
        "first_fault": result["fault_kind"],
        **{key: result[key] for key in kept},
    }
