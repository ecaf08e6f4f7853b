"""The table of languages: complete, in step with the command line, and its runtimes are never accused."""

from __future__ import annotations

import os

import pytest

from games.engine import MachineryError
from games.programs import ExitStatus
from games.toolchains import RECIPES
from submissions.languages import LANGUAGES, Language, recognise
from submissions.sandbox import Jail, Limits, build
from tests.submissions.sandboxes import HELLO, artifact, line_of, needs_jail

RUNS = {"java": 20, "javascript": 40}
"""Of the hello bot, where 200 would take minutes."""


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=str)
def test_an_entry_is_complete(language: Language) -> None:
    assert LANGUAGES[language.slug] is language
    assert language.name
    assert language.package
    assert language.programs
    assert all(extension.startswith(".") and extension == extension.lower() for extension in language.extensions)
    assert language.run[0].startswith("/")
    assert language.memory_floor > 0
    assert language.slug in HELLO, "a language comes with its hello bot"


def test_no_two_languages_share_an_extension() -> None:
    extensions = [extension for language in LANGUAGES.values() for extension in language.extensions]
    assert len(extensions) == len(set(extensions))


def test_the_command_line_and_the_portal_know_the_same_languages() -> None:
    for slug, recipe in RECIPES.items():
        assert LANGUAGES[slug].extensions == recipe.extensions
        assert LANGUAGES[slug].name == recipe.title


@pytest.mark.parametrize(
    ("filename", "source", "slug"),
    [
        ("mybot.c", b"", "c"),
        ("MYBOT.CPP", b"", "cpp"),
        ("my.bot.cc", b"", "cpp"),
        ("Bot.PAS", b"", "pascal"),
        ("bot.py", b"", "python"),
        ("bot", b"#!/usr/bin/env python3\n", "python"),
        ("bot", b"#!/usr/bin/python\n", "python"),
        ("Bot.java", b"", "java"),
        ("bot.mjs", b"", "javascript"),
        ("bot", b"#! /usr/bin/perl -w\n", "perl"),
    ],
)
def test_a_source_is_recognised(filename: str, source: bytes, slug: str) -> None:
    assert recognise(filename, source) is LANGUAGES[slug]


@pytest.mark.parametrize("filename", ["bot", "bot.exe", "bot.h", "c", "", "notes.txt", "bot.c.orig"])
def test_what_is_no_source_is_not_recognised(filename: str) -> None:
    assert recognise(filename) is None
    assert recognise(filename, b"#!/bin/sh\n") is None


def test_a_missing_toolchain_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("submissions.languages.SYSTEM_PATH", "/nonexistent")
    for language in LANGUAGES.values():
        assert not language.installed()
        assert language.toolchain() == ""
        with pytest.raises(MachineryError, match="is not installed"):
            build(language, b"", "x")


def test_c_and_its_relatives_are_linked_statically() -> None:
    assert "-static" in LANGUAGES["c"].build("x.c", [])
    assert "-static" in LANGUAGES["cpp"].build("x.cpp", [])


@needs_jail
@pytest.mark.sandbox
@pytest.mark.parametrize("slug", sorted(LANGUAGES))
def test_no_runtime_is_ever_accused(slug: str) -> None:
    """Many starts of the hello bot, at the language's smallest memory, and every one ends well."""
    language = LANGUAGES[slug]
    if not language.installed():
        pytest.skip(f"{language.name} is not installed (Debian package {language.package})")
    with Jail.open(artifact(slug, HELLO[slug]), language, Limits(memory_bytes=language.memory_floor)) as jail:
        for run in range(RUNS.get(slug, 200)):
            process = jail.start()
            os.write(process.stdin, b"%d\n" % run)
            assert line_of(process) == b"got %d\n" % run
            end = process.stop(5.0)
            assert (end.status, end.code) == (ExitStatus.EXITED, 0), end


def test_a_runtime_with_a_heap_is_told_its_memory() -> None:
    assert "-XX:MaxRAM=268435456" in LANGUAGES["java"].run_within(256 << 20)
    assert "--max-old-space-size=128" in LANGUAGES["javascript"].run_within(256 << 20)
    assert LANGUAGES["c"].run_within(4 << 20) == ("/box/bot",)
