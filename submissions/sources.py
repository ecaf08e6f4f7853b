"""What the files of an upload are: one source, or the folder of a program, with its entry and its language.

`understand` says so, or explains each problem in a sentence. It stores nothing, so the page can show this first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import PurePosixPath
from unicodedata import normalize

from django.template.defaultfilters import filesizeformat

from contest.models import Contest
from games import archives, entries, folders
from games.entries import EntryError
from games.folders import Folder, FolderError, Item
from games.phrases import listed
from games.toolchains import recognise
from submissions import languages
from submissions.languages import Language
from submissions.tree import Branch, tree_of
from submissions.uploads import STRATEGY_KB, TEXT_ENDINGS, Upload, readable, safe_name, too_large

STRATEGY_NAMES = [re.compile(rf"(?:{names})\b.*", re.IGNORECASE) for names in ("strategy|strategie", "readme")]
"""What a text about the strategy is called among others, the surest first."""
SHOWN = 6
"""How many files an error names."""


@dataclass(frozen=True)
class Program:
    """The source of a version: one file, or a folder of several."""

    files: dict[str, bytes]
    entry: str
    language: Language
    why: str = ""  # how the entry was found, as the end of a sentence
    candidates: tuple[str, ...] = ()

    @property
    def is_folder(self) -> bool:
        return len(self.files) > 1

    @property
    def source(self) -> bytes:
        return self.files[self.entry]

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


@dataclass
class Reading:
    """What was understood. `problems` and `good` are those of `intake.UploadRefused`; with problems, there may be no
    program. `files` are those of a folder, so that a page can keep them."""

    program: Program | None = None
    strategy: Upload | None = None
    problems: dict[str, str] = field(default_factory=dict)
    good: dict[str, tuple[str, str]] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    candidates: list[str] = field(default_factory=list)
    left_out: dict[str, bytes] = field(default_factory=dict)  # as `Folder.traces`

    def problem(self, where: str, sentence: str) -> None:
        """Add a problem of a field to those that it has."""
        self.problems[where] = f"{self.problems.get(where, '')} {sentence}".strip()

    def tree(self) -> list[Branch]:
        """The tree of several files; empty for one."""
        entry = self.program.entry if self.program else ""
        return tree_of(((path, len(data)) for path, data in self.files.items()), entry)


def understand(
    contest: Contest, uploads: Sequence[Upload], strategy: Upload | None = None, *, language: str = "", entry: str = ""
) -> Reading:
    """Understand the sources of an upload. `language` is a slug, or blank to recognise it; `entry` names the file that
    starts the program, or is blank to find it."""
    reading = Reading(strategy=strategy)
    is_node = partial(entries.is_node, find=lambda files: _entry(contest, files, language, entry))
    try:
        found = _opened(contest, uploads, reading, is_node)
    except FolderError as error:
        reading.problem("source", str(error))
        found = _told(error.folder, reading) if error.folder else []
        if not found:
            return reading
    rest = _sorted_out(contest, found, reading)
    if not rest:
        if "source" not in reading.problems:
            reading.problem("source", "Choose a source file or paste its text.")
    elif len(rest) == 1:
        _read_file(contest, rest[0], language, entry, reading)
    elif contest.one_file:
        named = listed([it.name for it in rest[:SHOWN]] + (["…"] if len(rest) > SHOWN else []))
        reading.problem("source", f"This contest takes exactly one source file, not several: {named}.")
    else:
        _read_folder(contest, {it.name: it.data for it in rest}, language, entry, reading)
    return reading


def _opened(
    contest: Contest, uploads: Sequence[Upload], reading: Reading, is_node: Callable[[Mapping[str, bytes]], bool]
) -> list[Upload]:
    """The files of an upload by their paths: unpacked if it is an archive. Raises FolderError."""
    packed = [it for it in uploads if not it.pasted and archives.is_archive(it.name)]
    if not packed and len(uploads) < 2:
        return list(uploads)
    if len(uploads) == 1 and not packed[0].skipped:
        items = archives.items(packed[0].name, packed[0].file or BytesIO(packed[0].data))
    elif packed and not any(recognise(it.name) for it in uploads):
        alone = FolderError(
            f"Send {packed[0].name} alone: either one archive, or the files themselves. The strategy has its own field."
        )
        raise archives.too_large(packed[0].name) if packed[0].skipped else alone
    else:
        limit = contest.source_kb * 1024
        items = [Item(it.name, partial(bytes, it.data), _not_here(it, limit)) for it in uploads]
    # One of the files may be the text about the strategy.
    return _told(folders.collected(items, contest.source_kb * 1024, STRATEGY_KB * 1024, is_node), reading)


def _not_here(upload: Upload, limit: int) -> str:
    """Why the content of a file is missing. Blank if it is there."""
    if upload.unsent:
        return "Not all files were sent: there are too many. Leave some out, or upload an archive."
    return too_large(upload, upload.name, limit) if upload.skipped else ""


def _told(folder: Folder, reading: Reading) -> list[Upload]:
    """The files of a folder. What was left out is told in the reading."""
    reading.notices += folder.notices()
    reading.left_out = folder.traces()
    if any(path.lower().endswith(".jar") for path in folder.left_out):
        there = [library.title for library, _ in languages.LANGUAGES["java"].libraries()]
        reading.notices.append(f"Libraries for Java that are installed here: {listed(there or ['none'])}.")
    return [Upload(path, data) for path, data in folder.files.items()]


def _sorted_out(contest: Contest, uploads: list[Upload], reading: Reading) -> list[Upload]:
    """Drop copies of the kit's files where one source remains, and take a text beside the source as the strategy."""
    ours = [it for it in uploads if not it.pasted and _is_of_kit(contest, it.name)]
    rest = [it for it in uploads if it not in ours]
    texts = [it for it in rest if "/" not in it.name and it.name.lower().endswith(TEXT_ENDINGS)]
    program = b"" if contest.one_file else b"".join(it.data for it in rest if it not in texts)  # may open a table
    is_read = any(it.name.encode("utf-8", "replace") in program for it in texts)
    if len(rest) == 2 and len(texts) == 1 and not is_read and reading.strategy is None:
        reading.strategy = texts[0]
        reading.notices.append(f"{texts[0].name} was taken as the strategy text.")
        rest.remove(texts[0])
    if ours:
        names = listed([it.name for it in ours])
        verb = "is part of the kit and was" if len(ours) == 1 else "are part of the kit and were"
        reading.notices.append(f"{names} {verb} ignored: every bot is built with our own copy.")
        if not rest:
            reading.problem("source", f"{reading.notices.pop()} Upload the file with your own code.")
    if len(rest) < 2:
        return rest
    if reading.strategy is None and contest.needs_strategy:
        likely = ([it for it in texts if names.fullmatch(it.name)] for names in STRATEGY_NAMES)
        if len(named := next(filter(None, likely), texts)) == 1:
            reading.strategy = named[0]
            reading.notices.append(f"{named[0].name} was taken as the strategy text.")
    return uploads if not contest.one_file else rest


def _is_of_kit(contest: Contest, path: str) -> bool:
    """Whether a file is called as one of the kit, whose stems go with all its endings, as in ACM98.H of another one."""
    plain = PurePosixPath(safe_name(path).lower())
    kit = [PurePosixPath(name.lower()) for names in contest.game.kit_sources.values() for name in names]
    return plain.stem in {it.stem for it in kit} and plain.suffix in {it.suffix for it in kit}


# One file -------------------------------------------------------------------------------------------------------------


def _read_file(contest: Contest, upload: Upload, language: str, entry: str, reading: Reading) -> None:
    name = safe_name(upload.name) if upload.name.strip() else ""
    if upload.pasted and language in languages.LANGUAGES and not PurePosixPath(name).suffix:
        name = (name or "bot") + languages.LANGUAGES[language].extensions[0]
    what = "The pasted text" if upload.pasted else name
    problem, text = readable(upload, what, contest.source_kb)
    if problem:  # an error of the language would be misleading
        reading.problem("source", problem)
        return
    reading.good["source"] = (name if upload.name.strip() else "", text)
    if not upload.pasted and name != normalize("NFC", upload.name.replace("\\", "/").rpartition("/")[2]):
        reading.notices.append(f"{folders.shown(upload.name)} is called {name} here.")
    chosen, problem = language_of(contest, name, language, upload.data)
    if chosen is None:
        reading.problems["language"] = problem
    elif entry and PurePosixPath(entry).name not in (name, upload.name.rsplit("/", 1)[-1]):
        reading.problems["entry"] = f"The upload holds one file, {name}, so no other can be the entry."
    else:
        reading.program = Program({name: upload.data}, name, chosen)


def language_of(contest: Contest, name: str, slug: str, source: bytes) -> tuple[Language | None, str]:
    """(language, problem) of a source: the language is None if the contest cannot use it, and the problem says why."""
    ending = PurePosixPath(name).suffix
    if slug and slug not in languages.LANGUAGES:
        return None, f"This portal has no language “{slug}”. {_allowed(contest)}"
    if not slug and not name:
        return None, "Choose the language of the pasted text, or give it a file name with an extension."
    known = languages.LANGUAGES[slug] if slug else languages.recognise(name, source)
    if known is None:
        if said := entries.advice(name):
            return None, f"{said} {_allowed(contest)}"
        what = f"the extension “{ending}”" if ending else "a file name without an extension"
        return None, f"No language uses {what}. {_allowed(contest)}"
    if known not in languages_of(contest):
        return None, f"{known.name} is not allowed in this contest. {_allowed(contest)}"
    if not known.installed():
        return None, (
            f"{known.name} is allowed in this contest, but not installed on this portal yet (Debian package "
            f"{known.package}). Please tell the organisers."
        )
    if known.memory_floor > contest.memory_mb << 20:
        return None, (
            f"An empty {known.name} program already needs {filesizeformat(known.memory_floor)} of memory, and this "
            f"contest allows {contest.memory_mb} MB. Use another language."
        )
    if ending and ending.lower() not in known.extensions:
        return None, (
            f"{known.name} sources have the extension {' or '.join(known.extensions)}, but yours is called {name}. "
            "Rename it, or choose another language."
        )
    return known, ""


def _allowed(contest: Contest) -> str:
    """The languages that are allowed, for the end of an error."""
    allowed = (f"{it.name} ({' '.join(it.extensions)})" for it in languages_of(contest) if it.installed())
    return f"Allowed here: {', '.join(allowed)}."


def languages_of(contest: Contest) -> list[Language]:
    """The languages the contest allows, installed here or not. A contest that names none allows all."""
    return [it for it in languages.LANGUAGES.values() if not contest.languages or it.slug in contest.languages]


# Several files --------------------------------------------------------------------------------------------------------


def _read_folder(contest: Contest, files: dict[str, bytes], language: str, entry: str, reading: Reading) -> None:
    reading.files = files
    if sum(map(len, files.values())) > contest.source_kb * 1024:
        sizes = {path: len(data) for path, data in files.items()}
        reading.problem("source", folders.too_large(sizes, contest.source_kb * 1024))
    if language and language not in languages.LANGUAGES:
        reading.problems["language"] = f"This portal has no language “{language}”. {_allowed(contest)}"
        return
    found = None
    try:
        found = _entry(contest, files, language, entry)
        reading.candidates = list(found.candidates)
    except EntryError as error:
        reading.problem("entry" if error.candidates or entry else "source", str(error))
        reading.candidates = error.candidates
    refused, told = entries.not_texts(files, found)
    reading.notices += told
    for said in refused:
        reading.problem("source", said)
    if found is None:
        return
    chosen, problem = language_of(contest, found.path, found.recipe.language, files[found.path])
    if chosen is None:
        reading.problems["language"] = problem
    else:
        reading.program = Program(files, found.path, chosen, found.why, found.candidates)


def _entry(contest: Contest, files: Mapping[str, bytes], language: str, chosen: str) -> entries.Entry:
    """The entry among the languages that are allowed, or else among all, whose error then names the language."""
    kit = {name for names in contest.game.kit_sources.values() for name in names}
    allowed = {it.slug for it in languages_of(contest)}
    there = {recipe.language for path, data in files.items() if (recipe := recognise(path, data))}
    among = allowed if allowed & there or not there else ()
    return entries.find(files, allowed=among, language=language, chosen=chosen, kit=kit)
