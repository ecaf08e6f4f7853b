"""The table of languages: complete, and in step with the command line. tests/sandbox/test_languages.py runs them."""

from __future__ import annotations

import pytest

from games.engine import MachineryError
from submissions.languages import LANGUAGES, Language, recognise
from submissions.sandbox import build
from tests.sandbox.sandboxes import HELLO, HONEST


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=str)
def test_an_entry_is_complete(language: Language) -> None:
    assert LANGUAGES[language.slug] is language
    assert language.name
    assert language.package
    assert language.recipe.programs
    assert language.policy
    assert all(extension.startswith(".") and extension == extension.lower() for extension in language.extensions)
    assert language.run[0].startswith("/")
    assert language.memory_floor > 0
    assert language.slug in HELLO, "a language comes with its hello bot"
    assert language.slug in HONEST, "and with a program that uses its library"


@pytest.mark.parametrize(
    ("filename", "source", "slug"),
    [
        ("mybot.c", b"", "c"),
        ("MYBOT.CPP", b"", "cpp"),
        ("my.bot.cc", b"", "cpp"),
        ("Bot.PAS", b"", "pascal"),
        ("bot.py", b"", "python"),
        ("bot", b"#!/usr/bin/env python3\n", "python"),
        ("bot", b"\xef\xbb\xbf#!/usr/bin/python\n", "python"),
        ("Bot.java", b"", "java"),
        ("bot.mjs", b"", "javascript"),
        ("bot", b"#! /usr/bin/perl -w\n", "perl"),
        ("bot.go", b"", "go"),
        ("bot.rs", b"", "rust"),
        ("bot.hs", b"", "haskell"),
        ("Bot.scala", b"", "scala"),
        ("bot", b"#!/usr/bin/env ruby\n", "ruby"),
        ("bot", b"#!/usr/bin/php\n<?php", "php"),
    ],
)
def test_a_source_is_recognised(filename: str, source: bytes, slug: str) -> None:
    assert recognise(filename, source) is LANGUAGES[slug]


def test_a_missing_toolchain_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("submissions.languages.SYSTEM_PATH", "/nonexistent")
    for language in LANGUAGES.values():
        assert not language.installed()
        assert language.toolchain() == ""
        with pytest.raises(MachineryError, match="is not installed"):
            build(language, b"", "x")


def test_a_runtime_with_a_heap_is_told_its_memory() -> None:
    assert "-XX:MaxRAM=268435456" in LANGUAGES["java"].run_within(256 << 20)
    assert "--max-old-space-size=128" in LANGUAGES["javascript"].run_within(256 << 20)
    assert LANGUAGES["c"].run_within(4 << 20) == ("/box/bot",)
    assert LANGUAGES["go"].environment_within(256 << 20)["GOMEMLIMIT"] == "268435456"
    assert LANGUAGES["c"].environment_within(4 << 20) == {}
