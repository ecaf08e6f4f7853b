"""The table of languages: complete, and in step with the command line. tests/sandbox/test_languages.py runs them."""

from __future__ import annotations

import pytest

from games.engine import MachineryError
from games.toolchains import RECIPES
from submissions.languages import IN_FOLDER, LANGUAGES, Language, recognise
from submissions.sandbox import build
from submissions.sandbox.policy import POLICIES
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


def test_no_two_languages_share_an_extension() -> None:
    extensions = [extension for language in LANGUAGES.values() for extension in language.extensions]
    assert len(extensions) == len(set(extensions))


def test_the_table_has_the_languages_of_the_contest_rules() -> None:
    assert [language.name for language in LANGUAGES.values()] == [
        *("C", "C++", "Pascal", "Python", "Java", "Go", "JavaScript", "Rust", "Perl", "Lua", "PHP", "Ruby", "Tcl"),
        *("Haskell", "Scala"),
    ]


def test_every_policy_of_the_table_is_there() -> None:
    named = {recipe.jailed.policy for recipe in RECIPES.values()}
    assert named | {IN_FOLDER.get(name, name) for name in named} == set(POLICIES)


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
    assert "-static" in LANGUAGES["c"].build("x.c", [])[0][0]
    assert "-static" in LANGUAGES["cpp"].build("x.cpp", [])[0][0]
    assert "CGO_ENABLED=0" in " ".join(LANGUAGES["go"].build("x.go", [])[0][0])
    assert "-Ctarget-feature=+crt-static" in LANGUAGES["rust"].build("x.rs", [])[0][0]
    assert "-optl-static" in LANGUAGES["haskell"].build("x.hs", [])[0][0]


def test_a_runtime_with_a_heap_is_told_its_memory() -> None:
    assert "-XX:MaxRAM=268435456" in LANGUAGES["java"].run_within(256 << 20)
    assert "--max-old-space-size=128" in LANGUAGES["javascript"].run_within(256 << 20)
    assert LANGUAGES["c"].run_within(4 << 20) == ("/box/bot",)
    assert LANGUAGES["go"].environment_within(256 << 20)["GOMEMLIMIT"] == "268435456"
    assert LANGUAGES["c"].environment_within(4 << 20) == {}
