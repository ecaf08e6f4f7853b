"""A whole bracket as one drawing: where each table, line of text and curve is. It is as wide and high as its content
asks for; the page scales it to a screen or a sheet of paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from unicodedata import east_asian_width

from tournaments.models import Stage
from tournaments.view_models.brackets import RoundView, untangle, ways_of
from tournaments.view_models.tables import SeatView, TableView

LINE = 20  # a line of text, set in 14
MORE = 13  # what a second line adds, with the rest of a long name
TALLER = 1.05  # how much higher a drawing may become so that names have second lines
PAD = 5  # inside a box, above and below
GAP = 10  # between boxes
HEAD = 34  # above the columns
WAY = 20  # between columns
NARROWEST = {4: 220, 7: 190, 1000: 150}  # a box, by how many columns there are at most
WIDEST = 250
BOLDER = 1.13  # how much wider bold type is
SHAPE = 1.46  # width by height of the space that a sheet or a screen leaves
TALLEST = 1500  # a round that would be higher than this is packed in columns of its own, without curves
SEED, MARK = 27, 14  # room for a seed number of three digits before a name, and for a mark behind the score
PACKED = 760  # how high those are at least


@dataclass(slots=True)
class Line:
    """A seat. `seed`, `name` and `score` stand in columns of their own."""

    y: int
    seat: SeatView
    name: str  # as much as there is room for
    more: str  # the rest of it, on a second line
    score: str
    end: int  # of the score


@dataclass(slots=True)
class Box:
    x: int
    y: int
    width: int
    height: int
    table: TableView
    lines: list[Line] = field(default_factory=list)

    @property
    def middle(self) -> int:
        return self.y + self.height // 2

    @property
    def right(self) -> int:
        return self.x + self.width - PAD

    @property
    def names(self) -> int:
        """Where names begin. Seeds end before it; without any, all of the room is for names."""
        return self.x + (SEED if any(seat.seed for seat in self.table.seats) else PAD)


@dataclass(frozen=True, slots=True)
class Heading:
    x: int
    y: int
    text: str


@dataclass(slots=True)
class Poster:
    width: int = 0
    height: int = 0
    box: int = 0  # how wide each box is
    wraps: bool = False  # long names have a second line
    boxes: list[Box] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    final: Box | None = None


@dataclass
class _Column:
    """Tables one below the other. `packed`: closely, without curves."""

    tables: list[TableView]
    title: str = ""
    packed: bool = False

    @cached_property
    def row(self) -> int:
        return max(map(_height, self.tables)) + GAP

    @property
    def tallest(self) -> int:
        """How high it would be if all names had two lines."""
        regular = [table for table in self.tables if not table.is_aside]
        return len(regular) * max(_height(table) + MORE * len(table.seats) + GAP // 2 for table in regular)

    @cached_property
    def height(self) -> int:
        return self.row * sum(not table.is_aside for table in self.tables)


def poster_of(stage: Stage, bracket: Sequence[RoundView], starts: Mapping[int, str]) -> Poster:
    """The final stands in the middle where no way leads from one half to the other, otherwise on the right. `starts`:
    when rounds start, in words, by their numbers."""
    if not bracket:
        return Poster()
    titles = ["\n".join(filter(None, (each.name, starts.get(each.number)))) for each in bracket]
    rounds = [replace(each, name=title, tables=[*each.tables]) for title, each in zip(titles, bracket, strict=True)]
    advance = stage.options.get("advance", 1)
    for here, following in reversed([*pairwise(rounds)]):
        untangle(here.tables, following.tables, advance)
    left, right = _halves(rounds, advance)
    tree = [*left, _Column(rounds[-1].tables, rounds[-1].name), *reversed(right)]
    columns = _arranged(tree)
    poster = _filled(columns, max(column.height for column in columns))
    packed = {table.plan.key for column in columns if column.packed for table in column.tables}
    boxes = {box.table.plan.key: box for box in poster.boxes}
    poster.final = boxes[rounds[-1].tables[0].plan.key]
    for here, following in pairwise(rounds):
        for start, end in sorted(ways_of(here.tables, following.tables, advance)):
            if start in boxes and start not in packed:
                poster.ways.append(_way(boxes[start], boxes[following.tables[end].plan.key], poster.box))
    return poster


def _halves(rounds: Sequence[RoundView], advance: int) -> tuple[list[_Column], list[_Column]]:
    """The columns before the final, from the outside in: left of it and right of it."""
    early = rounds[:-1]
    if not all(_splits(here, following, advance) for here, following in pairwise(early)):
        return [_column(each.tables, each.name) for each in early], []
    sides: tuple[list[_Column], list[_Column]] = ([], [])
    for each in early:
        half = (len(each.tables) + 1) // 2
        for side, tables in zip(sides, (each.tables[:half], each.tables[half:]), strict=True):
            side.append(_column(tables, each.name))
    return sides


def _splits(here: RoundView, following: RoundView, advance: int) -> bool:
    """Whether everybody who goes on stays in the same half of the bracket."""
    if len(following.tables) % 2:
        return False
    at = {table.plan.key: index for index, table in enumerate(here.tables)}
    ends = ways_of(here.tables, following.tables, advance)
    return all((2 * at[key] < len(here.tables)) == (2 * end < len(following.tables)) for key, end in ends)


def _column(tables: list[TableView], title: str) -> _Column:
    column = _Column(tables, title)
    if column.height <= TALLEST:
        return column
    played = [table for table in tables if not table.is_bye]
    return _Column(sorted(played, key=lambda table: table.plan.key), title, packed=True)


def _arranged(tree: Sequence[_Column]) -> list[_Column]:
    """The columns, with packed ones split into as many as make the drawing smallest on a sheet of paper."""
    least = max([PACKED, *(column.height for column in tree if not column.packed)])
    most = max(least, *(column.height for column in tree))
    ways = [
        [part for column in tree for part in (_split(column, tall) if column.packed else [column])]
        for tall in range(least, most + 1, 2 * LINE)
    ]

    def size(way: list[_Column]) -> float:
        wide, high = len(way) * (_narrowest(len(way)) + WAY), HEAD + max(column.height for column in way)
        return max(wide, SHAPE * high)

    return min(ways, key=size)


def _split(column: _Column, tall: int) -> list[_Column]:
    """Parts that are as high as each other, and at most so high."""
    count = -(-column.height // tall)
    each = -(-len(column.tables) // count)
    parts = [_Column(column.tables[at : at + each], packed=True) for at in range(0, len(column.tables), each)]
    parts[0].title = column.title
    return parts


def _height(table: TableView) -> int:
    return max(1, len(table.seats)) * LINE + 2 * PAD


def _narrowest(columns: int) -> int:
    return next(width for most, width in NARROWEST.items() if columns <= most)


def _filled(columns: Sequence[_Column], tall: int) -> Poster:
    """The boxes and headings: as wide as the shape of the paper allows, and then high enough to fill it."""
    across = len(columns)
    box = int((SHAPE * (HEAD + tall) + WAY) / across) - WAY
    poster = Poster(box=min(WIDEST, max(_narrowest(across), box)))
    poster.width = across * (poster.box + WAY) - WAY
    poster.height = max(HEAD + tall, int(poster.width / SHAPE))
    tallest = HEAD + max(column.tallest for column in columns)
    poster.wraps = tallest <= TALLER * poster.height and not any(column.packed for column in columns)
    if poster.wraps:
        poster.height = max(poster.height, tallest)
    for number, column in enumerate(columns):
        x = number * (poster.box + WAY)
        poster.headings.append(Heading(x + poster.box // 2, 18, column.title))
        _place(poster, column, x)
    return poster


def _place(poster: Poster, column: _Column, x: int) -> None:
    regular = [table for table in column.tables if not table.is_aside]
    row = column.row if column.packed else (poster.height - HEAD) / len(regular)
    for index, table in enumerate(regular):
        poster.boxes.append(_boxed(table, x, round(HEAD + row * (index + 0.5)), poster))
    for table in column.tables:
        if table.is_aside:
            last = poster.boxes[-1]
            below = last.y + last.height + 3 * GAP + LINE
            poster.headings.append(Heading(x + poster.box // 2, below - GAP, table.name))
            box = _boxed(table, x, below, poster)
            for line in box.lines:
                line.y += below - box.y
            box.y = below
            poster.boxes.append(box)


def _boxed(table: TableView, x: int, middle: int, poster: Poster) -> Box:
    box = Box(x, 0, poster.box, 2 * PAD, table)
    for seat in table.seats:
        points = seat.score if seat.points is None else seat.points
        score = "" if points is None else f"{points:g}"
        end = box.right - (MARK if seat.advances or seat.rank or (seat.told and seat.told.is_out) else 0)
        room = end - box.names - 9 * len(score) - 4
        bolder = BOLDER if seat.advances else 1.0
        name, more = fitted(seat.name, int(room / bolder)), ""
        if name != seat.name and poster.wraps:
            name, more = wrapped(seat.name, int(room / bolder), int((box.right - box.names) / bolder))
        box.lines.append(Line(box.height - PAD + 15, seat, name, more, score, end))
        box.height += LINE + MORE * bool(more)
    box.height = max(box.height, LINE + 2 * PAD)
    box.y = middle - box.height // 2
    for line in box.lines:
        line.y += box.y
    return box


def _way(start: Box, end: Box, width: int) -> str:
    """A curve from the side of one box to the nearer side of the other."""
    left, right = (start.x + width, end.x) if start.x < end.x else (start.x, end.x + width)
    half = (left + right) // 2
    return f"M{left} {start.middle}C{half} {start.middle} {half} {end.middle} {right} {end.middle}"


def fitted(text: str, room: int) -> str:
    """The text in 14 units' type, cut with … where it would be wider than the room. Rather too short than too long."""
    widths = [_width(letter) for letter in text]
    if sum(widths) <= room:
        return text
    used = 12.0
    for at, width in enumerate(widths):
        used += width
        if used > room:
            return text[:at].rstrip() + "…"
    return text


def wrapped(text: str, room: int, below: int) -> tuple[str, str]:
    """The text on two lines, with this much room on each: broken between words, or within the first if that is too
    long."""
    at, used = 0, 0.0
    for letter in text:
        used += _width(letter)
        if used > room:
            break
        at += 1
    if at == len(text):
        return text, ""
    words = text[: at + 1].rpartition(" ")[0].rstrip()
    first = words or text[:at]
    return first, fitted(text[len(first) :].lstrip(), below)


@lru_cache(maxsize=1000)
def _width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 14.0
    if letter in "ijlI.,:;'!|":
        return 4.5
    return 11.0 if letter.isupper() or letter in "mwMW@%" else 8.3
