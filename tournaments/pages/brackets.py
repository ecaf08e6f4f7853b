"""The bracket of a stage, filling in while it is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest.models import Contest, Team
from contest.permissions import contest_page
from tournaments.models import Match, MatchSeat, Stage, Table
from tournaments.pages import judged

ORDINALS = {1: "First", 2: "Second"}
TREE_HEIGHT = 16
"""Tables in a column that still make a tree one can look at; larger rounds are shown as a field of tables."""


@dataclass(slots=True)
class Row:
    """A chair at a table as the bracket shows it."""

    name: str
    team: Team | None = None
    seed: int | None = None
    is_house: bool = False
    is_known: bool = True
    score: float | None = None
    place: int | None = None
    advances: bool = False
    disqualified: bool = False
    fault: str = ""


@dataclass(slots=True)
class Box:
    """A table with its chairs and its matches, the one that counts first."""

    table: Table
    rows: list[Row]
    match: Match | None = None
    playoffs: list[Match] = field(default_factory=list)
    void: list[Match] = field(default_factory=list)

    @property
    def state(self) -> tuple[str, str]:
        """A badge: its style, its word."""
        running = [each for each in (self.match, *self.playoffs) if each and each.state == Match.State.RUNNING]
        if self.table.decided:
            return "badge-muted", "played"
        if running:
            return "badge-ok", "playing now"
        if self.playoffs:
            return "badge-warn", "play-off due"
        if self.match:
            return ("badge-warn", "undecided") if self.match.state == Match.State.DONE else ("badge-info", "queued")
        return "badge-muted", "to come"

    @property
    def label(self) -> str:
        """The whole table in a sentence, for the link's name."""
        players = ", ".join(f"{row.name}{f' {row.score:g}' if row.score is not None else ''}" for row in self.rows)
        return f"{self.table.name}, {self.state[1]}: {players}"


@dataclass(slots=True)
class Column:
    """A round. `paths` lead from its tables to the next round's, in a drawing 100 wide and 1000 high."""

    number: int
    name: str
    boxes: list[Box]
    paths: list[str] = field(default_factory=list)

    @property
    def is_last(self) -> bool:
        return not self.paths


@require_safe
@contest_page
def bracket(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """The page, and with `?rev=N` its live part: nothing (204) while revision N of the contest is still the newest."""
    stage = get_object_or_404(Stage.objects.visible_to(request.user).filter(contest=contest), pk=stage_id)
    if request.GET.get("rev") == str(contest.revision):
        return HttpResponse(status=204)
    stage.contest = contest
    if stage.played_in.runs:
        return judged.page(request, stage)
    columns = columns_of(stage)
    large = [column for column in columns if len(column.boxes) > TREE_HEIGHT]
    context: dict[str, Any] = {
        "contest": contest,
        "stage": stage,
        "columns": columns,
        "large": large,
        "large_first": any(not box.table.decided for column in large for box in column.boxes),
        "tree": [column for column in columns if column not in large],
        "champion": champion_of(stage, columns),
        "is_live": stage.state != Stage.State.DONE,
        "mine": _asked_team(request),
    }
    template = "tournaments/_bracket.html" if "rev" in request.GET else "tournaments/bracket.html"
    return render(request, template, context)


def _asked_team(request: HttpRequest) -> int | None:
    """The team whose way through the bracket is to be marked."""
    text = request.GET.get("team", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def columns_of(stage: Stage) -> list[Column]:
    """All rounds of a stage; four queries, however many tables."""
    tables = list(stage.tables.all())
    teams = Team.objects.filter(contest_id=stage.contest_id).in_bulk()
    by_table: dict[int, list[Match]] = {}
    for match in stage.matches.order_by("table_id", "number", "id").prefetch_related("seats"):
        by_table.setdefault(match.table_id, []).append(match)
    seeds = {team: number for number, team in enumerate(stage.order, 1)}
    names = {table.pk: table.name for table in tables}
    boxes = [_box(table, by_table.get(table.pk, []), teams, seeds, names) for table in tables]
    columns: dict[int, list[Box]] = {}
    for box in boxes:
        columns.setdefault(box.table.round, []).append(box)
    sizes = [len(boxes) for _, boxes in sorted(columns.items())]
    found = [
        Column(number, stage.played_in.round_name(number, sizes, stage.options), boxes)
        for number, boxes in sorted(columns.items())
    ]
    for here, following in pairwise(found):
        here.paths = _paths(here.boxes, following.boxes)
        _mark_advancing(here.boxes, following.boxes)
    return found


def _box(
    table: Table, matches: Sequence[Match], teams: dict[int, Team], seeds: dict[int, int], names: dict[int, str]
) -> Box:
    valid = [match for match in matches if match.state != Match.State.VOID]
    main = next((match for match in valid if match.kind == Match.Kind.REGULAR), None)
    sat = {seat.team_id: seat for seat in main.seats.all() if seat.team_id} if main else {}
    houses = [seat for seat in main.seats.all() if seat.house] if main else []
    rows = []
    for player, feed in zip(table.players or [None] * len(table.feeds), table.feeds, strict=False):
        if isinstance(player, int) and player in teams:
            rows.append(_row(teams[player].name, sat.get(player), teams[player], seeds.get(player)))
        elif isinstance(player, str) or feed[0] == "house":
            seat = houses.pop(0) if houses else None
            name = seat.name if seat else _house_name(player)
            rows.append(_row(name, seat, is_house=True))
        else:
            rows.append(Row(_awaited(feed, names), is_known=False))
    if table.decided:
        for place, team in enumerate(table.places, 1):
            for row in rows:
                if row.team and row.team.pk == team:
                    row.place = place
    rows.sort(key=lambda row: (row.place is None, row.place or 0))
    return Box(table, rows, main, valid[1:] if main else valid, [each for each in matches if each not in valid])


def _row(name: str, seat: MatchSeat | None, team: Team | None = None, seed: int | None = None, **more: Any) -> Row:
    row = Row(name, team, seed, **more)
    if seat:
        row.score = None if seat.score is None else seat.counted
        row.disqualified, row.fault = seat.disqualified, seat.fault_kind
    return row


def _house_name(player: str | None) -> str:
    return f"House: {player.removeprefix('house:').replace('_', ' ')}" if player else "House"


def _awaited(feed: Sequence[Any], names: dict[int, str]) -> str:
    """Who will sit on a chair that is not taken yet."""
    if feed[0] == "seed":
        return f"Seed {feed[1]}"
    name = names.get(feed[1], "a table")
    return f"{ORDINALS.get(feed[2], f'Place {feed[2]}')} of {name[0].lower()}{name[1:]}"


def _mark_advancing(boxes: Sequence[Box], following: Sequence[Box]) -> None:
    """Who sits at a table of the next round has advanced."""
    went_on = {row.team.pk for box in following for row in box.rows if row.team}
    for box in boxes:
        for row in box.rows:
            row.advances = bool(row.team and row.team.pk in went_on)


def _paths(boxes: Sequence[Box], following: Sequence[Box]) -> list[str]:
    """Curves to the tables that take players from a table. Tables of a round stand at even distances."""
    place_of = {box.table.pk: index for index, box in enumerate(boxes)}
    ways = sorted(
        {
            (place_of[feed[1]], index)
            for index, box in enumerate(following)
            for feed in box.table.feeds
            if feed[0] == "table" and feed[1] in place_of
        }
    )

    def height(index: int, count: int) -> int:
        return round(1000 * (2 * index + 1) / (2 * count))

    ends = ((height(start, len(boxes)), height(end, len(following))) for start, end in ways)
    return [f"M0 {start}C60 {start} 40 {end} 100 {end}" for start, end in ends]


def champion_of(stage: Stage, columns: Sequence[Column]) -> Team | None:
    """The winner of the final, once the stage is over; nobody when all who played it are out."""
    if stage.state != Stage.State.DONE or not columns or len(columns[-1].boxes) != 1:
        return None
    final = columns[-1].boxes[0]
    first = next((row.team for row in final.rows if row.place == 1), None)
    played = [seat for match in (final.match, *final.playoffs) if match for seat in match.seats.all()]
    punished = {seat.team_id for seat in played if seat.disqualified}
    if first is None or first.pk in punished or not first.is_competing:
        return None
    return first
