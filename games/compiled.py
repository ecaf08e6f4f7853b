"""Under which name a source is compiled, and what of it, whatever its author called the file.

Compilers are particular: javac wants a file to be called like its public class, gcc takes `BOT.C` for C++, and several
stumble over a byte-order mark. Authors call their files as their computer does. So both the portal and the command line
compile a copy that is named as the language wants it; the author's own file stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from games.recipe import Recipe

MAGIC = {
    "a compiled program": (b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe"),
    "an archive or an office document": (b"PK\x03\x04",),
    "an archive": (b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!"),
    "a PDF document": (b"%PDF",),
    "a picture": (b"\x89PNG", b"\xff\xd8\xff"),
    "an office document": (b"\xd0\xcf\x11\xe0",),
}
"""First bytes of what people send in place of a text."""
MARK = b"\xef\xbb\xbf"
"""The byte-order mark that some editors write at the beginning of UTF-8."""

# Comments and texts, each to its end or that of the file, so that reading takes linear time.
C_NOISE = re.compile(r"//[^\r\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?", re.DOTALL)
JVM_NOISE = re.compile(r'"""(?:\\.|[^\\])*?(?:"""|\Z)|' + C_NOISE.pattern, re.DOTALL)  # with texts of several lines
NAMES = re.compile(r"\w[\w.+-]{0,99}")
PACKAGE = re.compile(r"\bpackage\s+(?!object\b)(\w+(?:\s*\.\s*\w+)*)\s*?[;\r\n{]")

TYPES = {
    "java": re.compile(
        r"(?P<public>\bpublic\s+)?(?:\b(?:abstract|final|sealed|non-sealed|strictfp)\s+)*"
        r"(?:\bclass|\binterface|\benum|\brecord|@interface)\s+(?P<name>[\w$\u0300-\u036f]+)"
        r"|\bvoid\s+(?P<main>main)\s*\(\s*(?:final\s+)?(?:java\.lang\.)?String\b|[{}]"
    ),
    "scala": re.compile(
        r"(?P<public>\0)?\bobject\s+(?P<name>[\w$]+)(?P<app>\s+extends\s(?:[^{}\n]|\n\s*with\b){0,200}?\bApp\b)?"
        r"|\bdef\s+(?P<main>main)\s*[(\[]|\bpackage\s+(?!object\b)[\w.]+\s*\{|[{}]"
    ),
}
"""Languages whose compiled programs start with a class (in Scala, an object)."""


class Type(NamedTuple):
    """A class at the top of a source. `public`: where it says so, None if it does not."""

    name: str
    public: slice | None
    has_main: bool


def unreadable(data: bytes, what: str) -> str:
    """Why this cannot be read as a text in UTF-8, blank if it can be."""
    if not data.strip():
        return f"{what} is empty."
    for kind, magic in MAGIC.items():
        if data.startswith(magic) and (b"\0" in data or kind != "a compiled program"):
            return f"{what} is {kind}, not a text."
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"{what} is UTF-16 text. Save it as UTF-8."
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\0" in data:
            return f"{what} is a binary file, not a text."
        line = data.count(b"\n", 0, error.start) + 1
        return f"{what} is not UTF-8 text: line {line} contains the byte 0x{data[error.start]:02X}. Save it as UTF-8."
    if (at := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, at) + 1
        return f"{what} is not a text: line {line} contains a NUL character."
    return ""


def plain(data: bytes) -> bytes:
    """A source without its byte-order mark."""
    return data.removeprefix(MARK)


def built(recipe: Recipe, data: bytes) -> bytes:
    """A source as it is compiled."""
    return re.sub(recipe.dropped, b"", plain(data), flags=re.IGNORECASE) if recipe.dropped else plain(data)


def name_of(recipe: Recipe, filename: str, data: bytes, taken: Collection[str] = ()) -> str:
    """The name for compiling one source: that of its class where the language wants it, or else its own with the usual
    spelling of the extension. Where nothing is built, it is always the same: its own could hide a module, as random.py
    does. `taken` are the names of the kit's files."""
    path = PurePosixPath(filename)
    ending = path.suffix.lower() if path.suffix.lower() in recipe.extensions else recipe.extensions[0]
    if not recipe.build:
        return PurePosixPath(recipe.jailed.product).stem + ending
    stem = class_of(recipe, data, path.stem) or (path.stem if NAMES.fullmatch(path.stem) else "")
    if not stem or stem.lower() in {PurePosixPath(name).stem.lower() for name in taken}:
        stem = "entry"
    return stem + ending


def class_of(recipe: Recipe, data: bytes, stem: str = "") -> str:
    """The class that names and starts a source: the one with a main, or else the public one, or else that of the file's
    name. Blank in other languages."""
    if recipe.language not in TYPES:
        return ""
    types = list(_types(recipe, data))
    best = max(types, key=lambda it: (it.has_main, it.public is not None, it.name == stem), default=None)
    return best.name if best else ""


def main_class(recipe: Recipe, data: bytes, stem: str) -> str:
    """The class that starts a program of several files, with its package, by the source of its entry. Blank in other
    languages."""
    if recipe.language not in TYPES:
        return ""
    return ".".join([*PACKAGE.findall(_without_noise(data)), class_of(recipe, data, stem) or stem])


def _types(recipe: Recipe, data: bytes) -> Iterator[Type]:
    depth, name, public, has_main = 0, "", None, False
    for found in TYPES[recipe.language].finditer(_without_noise(data)):
        if found[0] in "{}":
            depth = max(0, depth + (1 if found[0] == "{" else -1))
        elif found["name"] and depth == 0:
            if name:
                yield Type(name, public, has_main)
            name, public = found["name"], slice(*found.span("public")) if found["public"] else None
            has_main = bool(found.groupdict().get("app"))
        elif found["main"]:
            has_main = has_main or depth == 1
    if name:
        yield Type(name, public, has_main)


def _without_noise(data: bytes) -> str:
    """The text with spaces in place of comments and texts, so that all else stays where it is."""
    text = plain(data).decode("utf-8", "replace")
    return JVM_NOISE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def single(recipe: Recipe, data: bytes, name: str = "") -> bytes:
    """What is compiled of a program of one file: without its `package`, which would hide the kit's classes from it, and
    with no class public but that which names the file. Lines keep their numbers."""
    data = built(recipe, data)
    if recipe.language not in TYPES:
        return data
    named = class_of(recipe, data, PurePosixPath(name).stem)
    gone = [it.public for it in _types(recipe, data) if it.public is not None and it.name != named]
    code, own = _without_noise(data), ""
    for found in PACKAGE.finditer(code):
        own += rf"{found[1]}\."
        end = max(code.rfind("}"), 0) if found[0].endswith("{") else len(code)
        gone += [slice(*found.span()), slice(end, end + 1)]
    if own:  # what it imports from itself
        gone += [slice(*it.span()) for it in re.finditer(rf"\bimport\s+(?:static\s+)?{own}[^;\r\n]*;?", code)]
    text = data.decode("utf-8", "replace")
    for part in gone:
        text = text[: part.start] + re.sub(r"[^\r\n]", " ", text[part]) + text[part.stop :]
    return text.encode() if gone else data


def packaged(recipe: Recipe, data: bytes, like: bytes) -> bytes:
    """A source of a kit in the package of another source, which could not use it otherwise."""
    names = PACKAGE.findall(_without_noise(like)) if recipe.language in TYPES else []
    return f"package {'.'.join(names)}; ".encode() + data if names else data


def renamed(recipe: Recipe, files: Mapping[str, bytes]) -> dict[str, str]:
    """The path for compiling each source of a program of several files that must get another name."""
    found: dict[str, str] = {}
    for path, data in files.items():
        here = PurePosixPath(path)
        if here.suffix.lower() not in (recipe.headers if recipe.is_folded else recipe.extensions):
            continue
        public = [it.name for it in _types(recipe, data) if it.public] if recipe.language in TYPES else []
        name = f"{public[0] if public else here.stem}{here.suffix.lower()}"
        name = name.lower() if recipe.is_folded else name
        if name != here.name and (better := str(here.with_name(name))) not in files:
            found[path] = better
    return found
