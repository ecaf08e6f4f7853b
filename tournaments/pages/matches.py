"""The list of a contest's matches, and the page of one match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from contest.models import Contest, Team
from contest.paging import page_of
from contest.permissions import contest_page
from contest.replay import FAULTS, place_of
from contest.setup_forms import option_label
from games import kits
from games.engine import Event, FaultKind
from games.record import Record as GameRecord
from games.record import games, repeats, seating_of
from tournaments.kinds import secrecy
from tournaments.models import Match, MatchSeat, Stage
from tournaments.pages.replays import Withheld, visible_match
from tournaments.pages.stages import face_of
from tournaments.results.visibility import Sight, sight
from tournaments.view_models.fairness import duplicate_of, seats_in_words
from tournaments.view_models.queries import BY_PLACE
from tournaments.view_models.rating_words import words_of
from tournaments.view_models.records import failure_of, record_of, with_teams
from tournaments.view_models.seats import seats_told

MOST_FAULTS = 3  # of a player; the rest is folded away


class MatchFilter(django_filters.FilterSet):
    """The filters for the list of matches."""

    team = django_filters.ModelChoiceFilter(
        queryset=Team.objects.none(), field_name="seats__team", label="Team", empty_label="Any team"
    )
    stage = django_filters.ModelChoiceFilter(queryset=Stage.objects.none(), label="Stage", empty_label="Any stage")
    state = django_filters.ChoiceFilter(
        method="in_state", choices=Match.State.choices, label="State", empty_label="Any state"
    )
    faults = django_filters.ChoiceFilter(
        method="with_faults", label="Faults", empty_label="Any", choices=[("true", "With faults"), ("false", "Without")]
    )

    class Meta:
        model = Match
        fields = ("team", "stage", "state", "faults")

    def __init__(self, *args: Any, known: Sight, stages: QuerySet[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known, contest = known, known.contest
        self.filters["team"].queryset = contest.teams.listed().order_by("name")
        self.filters["stage"].queryset = stages
        self.form.label_suffix = ""

    def in_state(self, found: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        return found.filter(pk__in=self.known.in_state(value).values("pk"))

    def with_faults(self, found: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        faulty = Exists(MatchSeat.objects.filter(match=OuterRef("pk"), faults__gt=0))
        return found.filter(faulty if value == "true" else ~faulty)


@require_safe
@contest_page
def matches(request: HttpRequest, contest: Contest) -> HttpResponse:
    """All matches that the reader may see, newest first."""
    known = sight(request, contest)
    stages = Stage.objects.filter(pk__in=[stage.pk for stage in known.stages])
    wanted = MatchFilter(request.GET, known.matches(), known=known, stages=stages)
    rows = wanted.qs.select_related("stage", "table").prefetch_related(Prefetch("seats", BY_PLACE)).order_by("-id")
    page = page_of(request, rows)
    page.object_list = known.as_known(page.object_list)
    asked = any(request.GET.get(name) for name in wanted.filters)
    context = {"contest": contest, "page": page, "filter": wanted, "asked": asked, "stages": stages}
    return render(request, "tournaments/matches.html", context)


@require_safe
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Everything about one match. With `?rev=N` only its live part, or 204 while revision N is the newest."""
    try:
        match, known = visible_match(request, match_id)
    except Withheld as refusal:
        return withheld(request, refusal.match)
    if request.GET.get("rev") == known.revision:
        return HttpResponse(status=204)
    face, record = face_of(match.stage), record_of(match, known)
    players = _players(match, known)
    context = {
        "contest": match.contest,
        "revision": known.revision,
        "match": match,
        "players": players,
        "others": known.as_known(face.others(match, known.matches())),
        "duplicate": duplicate_of(match, known),
        "sees_desk": known.sees_all,
        "own_team": known.access.team,
        "heading": match.heading(players[0].name if players else ""),
        "is_run": face.is_run,
        "is_live": match.status in (Match.State.QUEUED, Match.State.RUNNING),
        **_result(match, players, known),
        **_rules(match, players, known),
        **_games(request, match, players, record),
        **failure_of(match, record),
    }
    template = "tournaments/_match.html" if "rev" in request.GET else "tournaments/match.html"
    return render(request, template, context)


def _players(match: Match, known: Sight) -> list[MatchSeat]:
    """The seats of a match, each with its rating and what became of it."""
    players = list(match.seats.select_related("team", "submission").defer("submission__source"))
    known.rate(players)
    told = {seat.pk: each for seat, each in seats_told(match, known)}
    for player in players:
        vars(player)["told"] = told.get(player.pk)
    return players


def _result(match: Match, players: Sequence[MatchSeat], known: Sight) -> dict[str, Any]:
    ranked = sorted(players, key=lambda player: (player.place is None, player.place or 0, player.index))
    return {
        "ranked": ranked,
        "summary": ", ".join(f"{each.name} {_points(each)}".strip() for each in ranked),
        "rated": known.rated_until is None or (match.resulted and match.resulted < known.rated_until),
        "digits": words_of(match.contest.game).digits,
    }


def _rules(match: Match, players: Sequence[MatchSeat], known: Sight) -> dict[str, Any]:
    """By which options and deals it is played, and how to play it again at home."""
    game, own = match.contest.game, known.access.team
    own_number = next((each.index for each in players if own and each.team_id == own.pk), 0) + 1
    return {
        "options": [(option_label(game, name), _plain(value)) for name, value in match.options.items()],
        "shows_seed": secrecy.shows_seed(match, known),
        "hidden": secrecy.hides_games_of(match, known),
        "own_number": own_number,
        "again_command": _again_command(match, len(players), own_number),
        "again_examples": _again_examples(match, len(players)),
        "kit": kits.ALL if kits.kit_names(game) else "",
    }


def _games(
    request: HttpRequest, match: Match, players: Sequence[MatchSeat], record: GameRecord | None
) -> dict[str, Any]:
    """The games of the record, a page of them at a time, and all its faults."""
    split = games(record) if record else []
    page = page_of(request, range(1, len(split) + 1))
    lines = games_of(match, record, split, list(page)) if record else []
    return {
        "record": record,
        "games": lines,
        "page": page,
        "faulty": by_player(faults_of(match, record, split), with_teams(match, record)) if record else [],
        "seats_words": seats_in_words(record, split) if record else "",
        "shows_leader": bool(lines) and lines[0]["leader"] is not None,
        "shows_seats": len(split) > 1 and len(players) > 1,
    }


def _points(seat: MatchSeat) -> str:
    return "" if seat.score is None else f"{seat.score:,.12g}"


def _again_command(match: Match, players: int, number: int) -> str:
    """The command to replay the deals of a match with your own bot."""
    seat = f" --seat {number}" if players > 1 else ""
    return f"python3 kibitz.pyz again match-{match.pk}.json{seat} mine.cpp"


def _again_examples(match: Match, players: int) -> list[str]:
    """Arguments of that command that name the other players; none in a game for one."""
    best = f"mine.cpp house:{match.contest.game.house[-1].name}"
    return [] if players < 2 else [best, "mine.cpp other.py"] if players == 2 else [f"{best} other.py …"]


def withheld(request: HttpRequest, match: Match) -> HttpResponse:
    """The page of a match of which only the players are public yet."""
    seats = match.seats.select_related("team")
    context = {"contest": match.contest, "match": match, "stage": match.stage, "players": seats}
    template = "tournaments/_match_withheld.html" if "rev" in request.GET else "tournaments/match_withheld.html"
    return render(request, template, context)


def _plain(value: object) -> object:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def games_of(
    match: Match, record: GameRecord, split: Sequence[Sequence[Event]], numbers: Sequence[int]
) -> list[dict[str, Any]]:
    """A line for each of these games: number, scores in the order of the players, seating, replay."""
    lines = []
    for number in numbers:
        events = split[number - 1]
        seating = seating_of(record, events)
        scores = events[-1].get("scores", [0] * len(seating))
        winner = events[-1].get("winner")
        lines.append(
            {
                "number": number,
                "scores": [scores[seating.index(player)] for player in range(len(seating))],
                "seating": seating,
                "seats": [(match.contest.game.seat_names[seat], player) for seat, player in enumerate(seating)],
                "seating_words": ", ".join(
                    f"{match.contest.game.seat_names[seat]}: player {player + 1}" for seat, player in enumerate(seating)
                ),
                "leader": events[0].get("leader"),
                "winner": None if winner is None else seating[winner],
                "ended": match.contest.game.ending(events),
                "verdict": events[-1].get("verdict", ""),
                "rounds": sum(event["event"] == "hand" for event in events),
                "href": reverse("replay", args=[match.pk, number]),
                "log": reverse("game-log", args=[match.pk, number, match.contest.game.log_name]),
            }
        )
    return lines


def faults_of(match: Match, record: GameRecord, split: Sequence[Sequence[Event]]) -> list[dict[str, Any]]:
    """The faults of a match, with their words and links to the position, and how many more are mere consequences."""
    found: list[dict[str, Any]] = []
    for number, events in enumerate(split, 1):
        seating = seating_of(record, events)
        for ply, event in enumerate(events):
            if event["event"] == "fault" and repeats(events, ply):
                next(each for each in reversed(found) if each["player"] == seating[event["seat"]])["more"] += 1
            elif event["event"] == "fault":
                title, rule = FAULTS[FaultKind(event["kind"])]
                href = f"{reverse('replay', args=[match.pk, number])}?ply={ply}"
                player = seating[event["seat"]]
                fault = {"game": number, "player": player, "event": event, "title": title, "rule": rule, "more": 0}
                found.append({**fault, "href": href, "where": place_of(match.contest.game, events, ply)})
    return found


def by_player(faults: Sequence[dict[str, Any]], record: GameRecord) -> list[dict[str, Any]]:
    """The faults by player: how many of each kind, the first ones, and those to fold away."""
    found: dict[int, list[dict[str, Any]]] = {}
    for fault in faults:
        found.setdefault(fault["player"], []).append(fault)
    return [
        {
            "name": record["seats"][player]["name"],
            "count": len(mine),
            "dry": len({fault["game"] for fault in mine if fault["more"]}),
            "kinds": Counter(fault["title"] for fault in mine).most_common(),
            "first": mine[:MOST_FAULTS],
            "more": mine[MOST_FAULTS:],
        }
        for player, mine in sorted(found.items())
    ]
