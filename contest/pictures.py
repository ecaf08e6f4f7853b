"""Preview pictures, as other sites show them beside a link: PNG, drawn by the server, 1200 by 630 pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from games.engine import Face

WIDTH, HEIGHT = 1200, 630
MARGIN = 48
FELT, INK, SOFT, GOLD = "#14452f", "#f3f7f1", "#b9d3c3", "#ffd75e"
PAPER, RED, BLACK, EDGE = "#fdfcf8", "#b3261e", "#1b211e", "#b9b4a4"
CARD = (58, 84)
STEP = 44  # from card to card
SEAT_ROOM = 290  # for a seat's name


@dataclass(frozen=True, slots=True)
class HandLine:
    """A seat: its name, the cards in it, the card that it has played."""

    label: str
    name: str
    cards: Sequence[Face]
    played: Face | None = None
    is_turn: bool = False


def of_words(title: str, about: str, lines: Sequence[tuple[str, str]]) -> bytes:
    """A title, a line below it, and rows of two columns: who, and what they have."""
    picture, draw = _felt(title, about)
    row = min(64, (HEIGHT - 250) // max(1, len(lines)))
    for number, (who, what) in enumerate(lines):
        y = 230 + number * row
        end = WIDTH - MARGIN - _width(what, row - 24)
        _text(draw, (MARGIN, y), who, row - 24, INK, end - MARGIN - 24)
        _text(draw, (end, y), what, row - 24, GOLD, WIDTH)
    return _png(picture)


def of_hands(title: str, about: str, lines: Sequence[HandLine]) -> bytes:
    picture, draw = _felt(title, about)
    row = min(112, (HEIGHT - 180) // max(1, len(lines)))
    for number, line in enumerate(lines):
        y = 170 + number * row
        if line.is_turn:
            draw.rounded_rectangle((MARGIN - 16, y - 10, WIDTH - MARGIN + 16, y + row - 14), 12, fill="#23704c")
        _text(draw, (MARGIN, y + 8), line.name, 28, GOLD if line.is_turn else INK, SEAT_ROOM - 20)
        _text(draw, (MARGIN, y + 46), line.label, 22, SOFT, SEAT_ROOM - 20)
        room = WIDTH - 2 * MARGIN - SEAT_ROOM - 2 * CARD[0]
        step = min(STEP, room // max(1, len(line.cards)))
        for place, card in enumerate(line.cards):
            _card(draw, MARGIN + SEAT_ROOM + place * step, y, card)
        if line.played:
            _card(draw, WIDTH - MARGIN - CARD[0], y, line.played)
    return _png(picture)


def _felt(title: str, about: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGB", (WIDTH, HEIGHT), FELT)
    draw = ImageDraw.Draw(picture)
    _text(draw, (MARGIN, 36), title, 48, INK, WIDTH - 2 * MARGIN - 160)
    _text(draw, (MARGIN, 104), about, 28, SOFT, WIDTH - 2 * MARGIN)
    _text(draw, (WIDTH - MARGIN - _width("Kibitz", 34), 44), "Kibitz", 34, GOLD, WIDTH)
    return picture, draw


@lru_cache(maxsize=16)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _width(text: str, size: int) -> int:
    return int(_font(size).getlength(text))


def _text(draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, size: int, colour: str, room: int) -> None:
    """Write a line, cut with … where the room ends."""
    if _width(text, size) > room:
        while text and _width(f"{text}…", size) > room:
            text = text[:-1]
        text = f"{text.rstrip()}…"
    draw.text(at, text, fill=colour, font=_font(size))


def _card(draw: ImageDraw.ImageDraw, x: int, y: int, face: Face) -> None:
    width, height = CARD
    colour = RED if face.suit in ("h", "d") else BLACK
    draw.rounded_rectangle((x, y, x + width, y + height), 7, fill=PAPER, outline=EDGE, width=2)
    draw.text((x + 6, y + 4), face.rank, fill=colour, font=_font(30 if len(face.rank) < 3 else 20))
    if face.suit in SUITS:
        SUITS[face.suit](draw, x + 6, y + 44, 24, colour)


def _diamond(draw: ImageDraw.ImageDraw, x: int, y: int, s: int, colour: str) -> None:
    draw.polygon([(x + s / 2, y), (x + 0.9 * s, y + s / 2), (x + s / 2, y + s), (x + 0.1 * s, y + s / 2)], fill=colour)


def _heart(draw: ImageDraw.ImageDraw, x: int, y: int, s: int, colour: str) -> None:
    draw.ellipse((x, y + 0.05 * s, x + 0.52 * s, y + 0.57 * s), fill=colour)
    draw.ellipse((x + 0.48 * s, y + 0.05 * s, x + s, y + 0.57 * s), fill=colour)
    draw.polygon([(x + 0.04 * s, y + 0.42 * s), (x + 0.96 * s, y + 0.42 * s), (x + s / 2, y + s)], fill=colour)


def _stem(draw: ImageDraw.ImageDraw, x: int, y: int, s: int, colour: str) -> None:
    draw.polygon([(x + s / 2, y + 0.5 * s), (x + 0.75 * s, y + s), (x + 0.25 * s, y + s)], fill=colour)


def _spade(draw: ImageDraw.ImageDraw, x: int, y: int, s: int, colour: str) -> None:
    draw.polygon([(x + s / 2, y), (x + 0.97 * s, y + 0.52 * s), (x + 0.03 * s, y + 0.52 * s)], fill=colour)
    draw.ellipse((x, y + 0.33 * s, x + 0.5 * s, y + 0.8 * s), fill=colour)
    draw.ellipse((x + 0.5 * s, y + 0.33 * s, x + s, y + 0.8 * s), fill=colour)
    _stem(draw, x, y, s, colour)


def _club(draw: ImageDraw.ImageDraw, x: int, y: int, s: int, colour: str) -> None:
    for left, top in ((0.26, 0), (0, 0.36), (0.52, 0.36)):
        draw.ellipse((x + left * s, y + top * s, x + (left + 0.48) * s, y + (top + 0.48) * s), fill=colour)
    _stem(draw, x, y, s, colour)


SUITS = {"c": _club, "d": _diamond, "h": _heart, "s": _spade}


def _png(picture: Image.Image) -> bytes:
    out = BytesIO()
    picture.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()
