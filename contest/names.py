"""The rule of names, for teams, people, schools and contests: how they are stored, compared and put into sentences.

A name is stored composed (NFC), on one line, without characters that nobody sees. Names are compared by `folded`, in
Python and therefore alike on every database.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache
from typing import Any
from unicodedata import bidirectional, category, normalize

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db import models
from django.urls import URLResolver, get_resolver
from django.utils.safestring import SafeString

ZWNJ, ZWJ = "\u200c", "\u200d"
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")  # fillers and empty signs that pass for letters
REORDERS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
UNSEEN = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")  # marks without a shape
SELECTORS = dict.fromkeys([*range(65024, 65040), *range(917760, 918000)])  # of a shape, such as the coloured heart
FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e007a]{3,6}\U000e007f")  # such as that of Scotland
MARKS = frozenset(("Mn", "Me"))  # at most four on a letter: taller ones would stand in the lines above and below


def _is_emoji(letter: str) -> bool:
    """Python's table may be older than the emoji, which then has no category."""
    return "\U0001f000" <= letter <= "\U0001faff" or letter == "\ufe0f" or category(letter) == "So"


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between them changes what is seen: in emoji, and in scripts from Arabic to Mongolian."""
    return (_is_emoji(before) and _is_emoji(after)) or all("\u0600" <= it <= "\u18ff" for it in (before, after))


def one_line(text: str) -> str:
    """The text as a name or title is stored. Empty if nothing of it can be seen."""
    kept: list[str] = []
    text = normalize("NFC", text)
    flags = {place for found in FLAG.finditer(text) for place in range(*found.span())}
    for place, letter in enumerate(text):
        if letter in (ZWNJ, ZWJ):
            if kept and _joins(kept[-1], text[place + 1 : place + 2] or " "):
                kept.append(letter)
        elif category(letter) in MARKS and (kept[-1:] in ([], [" "]) or MARKS.issuperset(map(category, kept[-4:]))):
            continue
        elif letter.isprintable() or _is_emoji(letter) or place in flags:
            if letter not in UNSEEN:
                kept.append(" " if letter in BLANK else letter)
        elif category(letter) != "Cf" or letter in REORDERS:
            kept.append(" ")
    line = normalize("NFC", " ".join("".join(kept).split()))
    return line if any(category(it)[0] in "LNPS" or _is_emoji(it) for it in line.translate(SELECTORS)) else ""


def folded(name: str) -> str:
    """The key of a name: equal for names that people take for the same, whatever their case, width or composition."""
    unjoined = one_line(name).translate({**SELECTORS, ord(ZWNJ): None, ord(ZWJ): None})
    key = normalize("NFKD", normalize("NFKC", unjoined).casefold())  # decomposed: sorts Ä between A and B
    return key.replace("i\u0307", "i").replace("ı", "i")  # İ and ı, whose other case depends on the language


@cache
def addresses() -> frozenset[str]:
    """The words of which the addresses of the portal consist."""

    def words(resolver: URLResolver) -> Iterable[str]:
        for each in resolver.url_patterns:
            yield from re.findall(r"[\w.-]+", re.sub(r"<[^>]*>|\([^)]*\)", "", str(each.pattern)))
            if isinstance(each, URLResolver):
                yield from words(each)

    return frozenset(map(folded, (settings.STATIC_URL.strip("/"), *words(get_resolver()))))


def is_username(name: str) -> None:
    """Refuse a username whose page would have no address of its own. Raises ValidationError."""
    if not any(category(letter)[0] in "LN" for letter in one_line(name)):
        raise ValidationError("A username needs a letter or a digit.")
    if folded(name) in addresses():
        raise ValidationError("This word is an address of the portal. Choose another username.")


class Name(str):
    """A name that stands in a sentence or on a page as a unit: letters that run from right to left turn nothing
    around it. As data (`str`, JSON, CSV) it is the bare name."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return format(isolated(self), spec)

    def __html__(self) -> str:
        return SafeString(html.escape(isolated(self)))


def isolated(name: object) -> str:
    """The name between isolates (U+2068, U+2069), if anything of it runs from right to left."""
    text = str(name)
    turns = not text.isascii() and any(bidirectional(letter) in ("R", "AL", "AN") for letter in text)
    return "\u2068" + text + "\u2069" if turns else text


class Named:
    """A row that sentences call by its name."""

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class NameInput(forms.CharField):
    """One line, as `one_line` has it. If it is required, something of it can be seen."""

    def to_python(self, value: object) -> str:
        typed = super().to_python(value) or ""
        ProhibitNullCharactersValidator()(typed)
        line = one_line(typed)
        if typed and not line and self.required:
            raise ValidationError(f"{self.label} needs at least one visible character.")
        return line

    def has_changed(self, initial: object, data: object) -> bool:
        return super().has_changed(one_line(str(initial or "")), data)


class NameField(models.CharField):
    """Text that is a `Name` when it is read."""

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": NameInput, **kwargs})

    def from_db_value(self, value: str | None, *_: Any) -> Name | None:
        return None if value is None else Name(value)

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class FoldedField(models.TextField):
    """The key of another field, for comparing and searching.

    Names that were stored before there were keys may have the same one. The later rows then keep theirs, with a line of
    its own behind it, until they are renamed (migration 0013).
    """

    def __init__(self, of: str, **kwargs: Any) -> None:
        self.of = of
        super().__init__(editable=False, default="", **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["editable"], kwargs["default"]
        return name, path, args, {**kwargs, "of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key, known = folded(getattr(model_instance, self.of)), getattr(model_instance, self.attname)
        if known.partition("\n")[0] != key:
            setattr(model_instance, self.attname, known := key)
        return known
