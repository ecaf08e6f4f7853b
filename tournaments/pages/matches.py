"""The list of a contest's matches, and the page of one match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from contest.models import Contest, Team
from contest.paging import newest_of, page_of
from contest.permissions import contest_page
from contest.replay.parts import MatchThinking
from contest.replay.thinking import thinking_in_match
from contest.setup_forms import option_label
from games import kits
from games.engine import Event
from games.record import Record as GameRecord
from games.record import games, seating_of
from tournaments.kinds import secrecy
from tournaments.models import Match, MatchSeat
from tournaments.pages.stages import face_of
from tournaments.practice import again, rights
from tournaments.results.visibility import Sight, sight
from tournaments.view_models.games_played import faults_of, games_of
from tournaments.view_models.match_filters import MatchFilter
from tournaments.view_models.queries import with_players
from tournaments.view_models.ratings import words_of
from tournaments.view_models.records import digest_of, failure_of, record_of, why_pruned, with_teams
from tournaments.view_models.visible_matches import Withheld, readable_logs, seats_told, visible_match

MOST_FAULTS = 3  # of a player; the rest is folded away


@require_safe
@contest_page
def matches(request: HttpRequest, contest: Contest) -> HttpResponse:
    """All matches that the reader may see, newest first."""
    known = sight(request, contest)
    wanted = MatchFilter(request.GET, known.matches(), known=known)
    page = newest_of(request, with_players(wanted.qs).order_by("-id"))
    form = wanted.form
    teams = form.fields["team"].queryset.values_list("pk", "name")  # without a row of each, or the stages once more
    form.fields["team"].widget.choices = [("", "Any team"), *teams]
    form.fields["stage"].widget.choices = [("", "Any stage"), *((stage.pk, stage.name) for stage in known.stages)]
    page.object_list = known.as_known(page.object_list)
    for each in page.object_list:
        each.stage = known.stage(each.stage_id)
    asked = any(request.GET.get(name) for name in wanted.filters)
    context = {"contest": contest, "page": page, "filter": wanted, "asked": asked, "stages": known.stages}
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
    face = face_of(match.stage)
    record = record_of(match, known)
    pruned = why_pruned(match)
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
        "plays_again": _plays_again(match, known),
        "pruned": pruned,
        "digest": digest_of(match, known),
        "shows_result": record is not None or bool(pruned),
        "is_live": match.status in (Match.State.QUEUED, Match.State.RUNNING),
        **_result(match, players, known),
        **_rules(match, players, known),
        **_games(request, match, players, record, known),
        **failure_of(match, record),
    }
    template = "tournaments/_match.html" if "rev" in request.GET else "tournaments/match.html"
    return render(request, template, context)


def _plays_again(match: Match, known: Sight) -> bool:
    """Whether the reader's team may practise on the deals of this match now."""
    team = known.access.team
    return team is not None and not rights.why_not(team, timezone.now()) and again.may_play(match, team, known)


def _players(match: Match, known: Sight) -> list[MatchSeat]:
    """The seats of a match, each with its rating and what became of it."""
    players = match.players
    known.rate(players)
    told = {seat.pk: each for seat, each in seats_told(match, known)}
    for player in players:
        vars(player)["told"] = told.get(player.pk)
    return players


def _result(match: Match, players: Sequence[MatchSeat], known: Sight) -> dict[str, Any]:
    ranked = sorted(players, key=lambda player: (player.place is None, player.place or 0, player.index))
    return {
        "ranked": ranked,
        "summary": ", ".join(f"{it.name}" if it.score is None else f"{it.name} {it.score:,.12g}" for it in ranked),
        "rated": known.rated_until is None or (match.resulted and match.resulted < known.rated_until),
        "digits": words_of(match.contest.game).digits,
    }


def _thinking(match: Match, players: Sequence[MatchSeat], record: GameRecord) -> list[tuple[str, MatchThinking]]:
    """How long each player thought in all games together."""
    names = {player.index: player.name for player in players}
    found = thinking_in_match(record, lambda game, ply: f"{reverse('replay', args=[match.pk, game])}?ply={ply}")
    return [(names.get(each.player, ""), each) for each in found]


def _rules(match: Match, players: Sequence[MatchSeat], known: Sight) -> dict[str, Any]:
    """By which options and deals it is played, and how to play it again at home."""
    game, own = match.contest.game, known.access.team
    own_number = next((each.index for each in players if own and each.team_id == own.pk), 0) + 1
    return {
        "options": [(option_label(game, name), value) for name, value in match.options.items()],
        "shows_seed": secrecy.shows_seed(match, known),
        "hidden": secrecy.hides_games_of(match, known),
        "shown": secrecy.shown(match, known),
        "own_number": own_number,
        "again_command": _again_command(match, len(players), own_number),
        "again_examples": _again_examples(match, len(players)),
        "kit": kits.ALL if kits.kit_names(game) else "",
    }


def _games(
    request: HttpRequest, match: Match, players: Sequence[MatchSeat], record: GameRecord | None, known: Sight
) -> dict[str, Any]:
    """The games of the record, a page of them at a time, and all its faults."""
    split = games(record) if record else []
    faulty = record if any(each.faults for each in players) else None  # finding a fault takes a look at each event
    page = page_of(request, range(1, len(split) + 1))
    lines = games_of(match, record, split, list(page)) if record else []
    return {
        "record": record,
        "games": lines,
        "page": page,
        "faulty": by_player(_faults(match, players, faulty, split, known), with_teams(match, faulty)) if faulty else [],
        "thinking": _thinking(match, players, record) if record and len(split) > 1 else [],  # a replay says it of one
        "seats_words": seats_in_words(record, split) if record else "",
        "shows_leader": bool(lines) and lines[0]["leader"] is not None,
        "shows_seats": len(split) > 1 and len(players) > 1,
    }


def _faults(
    match: Match, players: Sequence[MatchSeat], record: GameRecord, split: Sequence[Sequence[Event]], known: Sight
) -> list[dict[str, Any]]:
    """All faults, explained where the reader may see what the program wrote. Its own team learns how to repeat one."""
    found = faults_of(match, record, split, lambda: readable_logs(match, known, record))
    own = {each.index for each in players if known.access.team and each.team_id == known.access.team.pk}
    for each in found:
        if each["player"] in own:
            each["again"] = _again_command(match, len(players), each["player"] + 1)
    return found


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


def seats_in_words(record: GameRecord, split: Sequence[Sequence[Event]]) -> str:
    """How the players rotate through the seats, or take turns at leading."""
    players = range(len(record["seats"]))
    if len(players) < 2 or not split:
        return ""
    if len(split) == 1:
        return "The portal drew the seats."
    leaders = [events[0].get("leader") for events in split]
    if leaders[0] is not None:
        led = Counter(leaders)
        if len({led[player] for player in players}) == 1:
            return f"All players lead first equally often: {led[0]} of {len(split)} games."
        return "The players take turns at leading first."
    sat = Counter((player, seat) for events in split for seat, player in enumerate(seating_of(record, events)))
    counts = {sat[player, seat] for player in players for seat in players}
    if len(counts) == 1:
        times = counts.pop()
        return f"Seats rotate: every player sits {'once' if times == 1 else f'{times} times'} in every seat."
    if len({tuple(seating_of(record, events)) for events in split}) > 1:
        return "Seats rotate from game to game."
    return "All players keep their seats."


@dataclass(frozen=True, slots=True)
class Sibling:
    match: Match
    scores: list[float | None]  # in the order of `Duplicate.teams`


@dataclass(frozen=True, slots=True)
class Duplicate:
    """All matches of a table on the same deals. `sums` covers those that have been played."""

    teams: list[Team]
    siblings: list[Sibling]
    sums: list[float]

    @property
    def is_whole(self) -> bool:
        return all(None not in sibling.scores for sibling in self.siblings)


def duplicate_of(match: Match, known: Sight) -> Duplicate | None:
    """None if the match has deals of its own. `known`: the reader's view. Two queries."""
    if not match.stage.options.get("duplicate") or match.status == Match.State.VOID:
        return None
    seats = MatchSeat.objects.select_related("team").order_by("index")
    same = known.valid().filter(table=match.table_id, seed=match.seed)
    same = same.select_related("stage", "table").order_by("number")
    matches = known.as_known(same.prefetch_related(Prefetch("seats", seats)))
    if len(matches) < 2:
        return None
    teams = [seat.team for seat in matches[0].seats.all() if seat.team]
    siblings = [Sibling(each, [_score(each, team) for team in teams]) for each in matches]
    sums = [sum(sibling.scores[at] or 0.0 for sibling in siblings) for at in range(len(teams))]
    return Duplicate(teams, siblings, sums)


def _score(match: Match, team: Team) -> float | None:
    """Points and penalty, once it has been played."""
    if match.status != Match.State.DONE:
        return None
    return next((seat.counted for seat in match.seats.all() if seat.team_id == team.pk), None)
