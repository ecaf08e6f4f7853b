"""The languages that bots are written in, as far as a contest chooses among them.

How they are built and run stands in one table of the submissions app, above this one; it is known here by its name in
the settings only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

MEGABYTE = 1 << 20


class Language(Protocol):
    slug: str
    name: str
    extensions: tuple[str, ...]
    memory_floor: int
    """Bytes; below that not even an empty program runs."""

    def installed(self) -> bool:
        """Whether bots in it can be built and run on this machine."""

    def toolchain(self) -> str:
        """The version of its compiler or interpreter; empty where there is none."""


def table() -> Mapping[str, Language]:
    """Every language by its slug."""
    languages: Mapping[str, Any] = import_string(settings.LANGUAGES_TABLE)
    return languages


def installed() -> list[str]:
    """The slugs of those that this machine can build and run."""
    return [slug for slug, language in table().items() if language.installed()]


def choices() -> list[tuple[str, str]]:
    """For a form; what is not installed can be chosen, and is named so."""
    return [(slug, it.name if it.installed() else f"{it.name} (not installed here)") for slug, it in table().items()]


def known(slugs: list[str]) -> list[Language]:
    """The languages of a contest, in the order of the table. A language that has left the table is left out."""
    return [language for slug, language in table().items() if slug in slugs]


def too_large_for(slugs: list[str], memory_mb: int) -> dict[str, int]:
    """Languages that cannot run in so little memory: {name: MB that it needs}."""
    return {it.name: -(-it.memory_floor // MEGABYTE) for it in known(slugs) if it.memory_floor > memory_mb * MEGABYTE}
