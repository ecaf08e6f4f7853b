"""The languages that a contest can allow for bots.

The submissions app, a layer above, has the table of how they are built and run. Only the settings name it here.
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
    package: str
    """The Debian packages that provide it."""
    memory_floor: int
    """Bytes. With less, not even an empty program runs."""

    def installed(self) -> bool:
        """Whether this machine can build and run bots in it."""

    def toolchain(self) -> str:
        """The version of its compiler or interpreter, empty if there is none."""


def table() -> Mapping[str, Language]:
    """Every language by its slug."""
    languages: Mapping[str, Any] = import_string(settings.LANGUAGES_TABLE)
    return languages


def installed() -> list[str]:
    """The slugs of the languages this machine can build and run."""
    return [slug for slug, language in table().items() if language.installed()]


def choices() -> list[tuple[str, str]]:
    """Choices for a form. Languages that are not installed are labelled, but can be chosen."""
    return [(slug, it.name if it.installed() else f"{it.name} (not installed here)") for slug, it in table().items()]


def known(slugs: list[str]) -> list[Language]:
    """The languages with these slugs, in the order of the table. Unknown slugs are skipped."""
    return [language for slug, language in table().items() if slug in slugs]


def too_large_for(slugs: list[str], memory_mb: int) -> dict[str, int]:
    """Languages that need more memory than this: {name: MB needed}."""
    return {it.name: -(-it.memory_floor // MEGABYTE) for it in known(slugs) if it.memory_floor > memory_mb * MEGABYTE}
