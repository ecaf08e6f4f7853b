"""Which file starts a program of several files, and what is compiled with it.

The entry is found by convention. Tests are never it. A file with a main, by what its language calls so, or called
`main.*` in a language without one, is it before others: one that the Makefile names, or else the nearest to the top, or
else the one that is called main or that no other file names. A Makefile is never run. Whatever is left open is asked:
`EntryError.candidates`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from games.compiled import C_NOISE, JVM_NOISE, built, main_class, packaged, plain, renamed, unreadable
from games.folders import MODULES, MOST_SAID, SOURCES, TOOL, FolderError, folder_of, shown
from games.phrases import listed
from games.recipe import Layout, Recipe
from games.toolchains import OWN, RECIPES, recognise

MAIN_NAMES = ("main", "__main__")
TOOL_FILES = ("GNUmakefile", "makefile", "Makefile", "CMakeLists.txt", "package.json")
MAKEFILES = (*TOOL_FILES, *(f"src/{name}" for name in TOOL_FILES))
TEST = re.compile(
    r"(?i:(?:^|/)(?:unit)?_?tests?/|(?:^|/)(?:unit)?_?tests?\d*[_.-][^/]*$|[_.-](?:unit)?_?tests?\d*\.\w+$)"
    r"|[a-z0-9]Tests?\.\w+$|(?:^|/)Tests?[A-Z][^/]*$"
)
"""Paths of tests: a folder `tests`, `test_hand.c`, `hand-tests.c`, `HandTest.java`; but not `contest.c`."""
DEFINED = re.compile(
    r"^(?!static\b)(?=\w)(?:[\w *\t]{0,100}[ *\t])?(\w{1,100})\s{0,20}\([^;{}()]{0,300}\)\s{0,50}\{", re.MULTILINE
)
READ = 256 * 1024
"""Bytes of a file in which a main is looked for."""

PASCAL_NOISE = re.compile(r"//[^\n]*|\{.*?(?:\}|\Z)|\(\*.*?(?:\*\)|\Z)", re.DOTALL)
NOISE = {"pascal": PASCAL_NOISE, "java": JVM_NOISE, "scala": JVM_NOISE} | dict.fromkeys(
    ("c", "cpp", "go", "rust"), C_NOISE
)
NAMING = re.compile(
    r"^.*\b(?:import|from|use|uses|require\w*|include\w*|source|dofile|loadfile|mod)\b.*$", re.MULTILINE
)
INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"\n]{1,200})"', re.MULTILINE)
OF_LIBRARY = re.compile(r"^\s*#\s*include\s*<([^>/\n]{1,100}/[^>\n]{1,100})>", re.MULTILINE)
AROUND = re.compile(r"\w[\w -]{0,40}/([^\n]{1,90})")
WORD = re.compile(r"[\w./+-]+")
VARIABLE = re.compile(r"^[ ]*([\w.-]{1,80})[ ]*[:+?]{0,2}=(.*)$", re.MULTILINE)
RULE = re.compile(r"^(?P<targets>[^\s:=][^:=\n]*)::?(?!=)(?P<needs>[^\n]*)(?P<commands>(?:\n\t[^\n]*)*)", re.MULTILINE)
MOST_RULES = 100
CMAKE = re.compile(
    r"\b(?:set|list|file|(?P<target>add_executable|add_library|target_sources|target_link_libraries))\s*\(\s*"
    r"(?:(?:APPEND|GLOB)\w*\s+)?(?P<name>[\w.${}-]{1,80})(?P<words>[^()]*)\)",
    re.IGNORECASE,
)
"""A variable, or a target and what it needs."""
TYPESCRIPT = "TypeScript is not compiled here. Send the JavaScript that `tsc` makes of it."
KOTLIN = "Kotlin is not built here. IntelliJ shows it as Java: Tools > Kotlin > Show Kotlin Bytecode > Decompile."
INSTEAD = {
    ".ts": TYPESCRIPT,
    ".tsx": TYPESCRIPT,
    ".mts": TYPESCRIPT,
    ".kt": KOTLIN,
    ".kts": KOTLIN,
    ".ipynb": "Notebooks are not run here. Save the code as Python: “jupyter nbconvert --to script” does it.",
    ".cs": "C# is not built here. Of the languages here, Java is the nearest.",
}
"""What authors can do whose language is not here, by the endings of its sources."""
STARTED = re.compile(r'"(?:main|start)"\s*:\s*"([^"\n]{0,300})"')


class EntryError(FolderError):
    """It is not known which file starts the program. The author can choose among `candidates`."""

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates = list(candidates)


@dataclass(frozen=True, slots=True)
class Entry:
    """The file that starts a program. `candidates` are all that could."""

    path: str
    recipe: Recipe
    why: str  # as the end of a sentence: "it is the only file with a main"
    candidates: tuple[str, ...]


def find(
    files: Mapping[str, bytes],
    *,
    allowed: Collection[str] = (),
    language: str = "",
    chosen: str = "",
    kit: Collection[str] = (),
) -> Entry:
    """Return the entry of a program. Raises EntryError.

    Only sources in `allowed` languages (all, if none) and not in the kit's files can be it. `language` narrows them to
    one, `chosen` names the entry: its path, or the end of it.
    """
    sources = _sources(files, allowed, language, kit)
    if chosen:
        return _chosen(files, sources, chosen, language)
    if not sources:
        raise EntryError(_no_source(files, allowed, language))
    found, why = _only(sources, files, kit)
    if len(found) != 1:
        among = listed([*found[:4], *([f"{len(found) - 4} more"] if len(found) > 4 else [])], "or")
        raise EntryError(
            f"Several files could start the program: {among}. Choose the entry file, or call it main.", sorted(sources)
        )
    return Entry(found[0], sources[found[0]], why, tuple(sorted(sources)))


def not_texts(files: Mapping[str, bytes], found: Entry | None) -> tuple[list[str], list[str]]:
    """What is to be said of sources that are no texts: of those that would be built, and of the others. Before it is
    known which, all may be."""
    refused, told = list[str](), list[str]()
    recipes = [found.recipe] if found else RECIPES.values()
    compiled = tuple(ending for it in recipes if it.build for ending in (*it.extensions, *it.gathered))
    for path, data in files.items():
        if path.lower().endswith(SOURCES) and data.strip() and (said := unreadable(data, path)):
            is_entry = found is not None and path == found.path
            (refused if is_entry or path.lower().endswith(compiled) else told).append(said)
    return refused[:MOST_SAID], told[:MOST_SAID]


def is_node(files: Mapping[str, bytes], find: Callable[[Mapping[str, bytes]], Entry] = find) -> bool:
    """Whether these may be a program for Node.js."""
    try:
        found = [find(files).path]
    except EntryError as error:
        found = error.candidates
    return any(recipe and recipe.language == "javascript" for recipe in map(recognise, found))


def _sources(
    files: Mapping[str, bytes], allowed: Collection[str], language: str, kit: Collection[str]
) -> dict[str, Recipe]:
    sources, is_foreign = {}, any(PurePosixPath(path).suffix.lower() in INSTEAD for path in files)
    for path, data in files.items():
        recipe = recognise(path, data)
        if recipe is None or MODULES in path.split("/") or PurePosixPath(path).name in kit:
            continue
        if is_foreign and TOOL.search(path):  # `jest.config.js` is no program in place of one in TypeScript
            continue
        if language in ("", recipe.language) and (not allowed or recipe.language in allowed):
            sources[path] = recipe
    return sources


def _chosen(files: Mapping[str, bytes], sources: dict[str, Recipe], chosen: str, language: str) -> Entry:
    wanted = chosen.replace("\\", "/").strip("/")
    wanted = wanted.removeprefix("./")
    matches = [path for path in sources if path == wanted or f"/{path}".endswith(f"/{wanted}")]
    matches = matches or [path for path in sources if f"/{wanted}".endswith(f"/{path}")]  # with the folder around all
    exact = [path for path in matches if path == wanted] or matches
    if len(exact) == 1:
        return Entry(exact[0], sources[exact[0]], "you chose it", tuple(sorted(sources)))
    if len(exact) > 1:
        raise EntryError(
            f"Several files are called {shown(wanted)}: {listed(exact[:4])}. Add its folder.", sorted(sources)
        )
    of = f" in {RECIPES[language].title}" if language in RECIPES else ""
    there = "is no source" if wanted in files else "is not in the upload"
    raise EntryError(f"The entry file {shown(wanted)} {there}{of}.", sorted(sources))


def advice(path: str) -> str:
    """What the author of a file that is no source here can do. Blank if nobody knows."""
    inner, ending = PurePosixPath(path).stem, PurePosixPath(path).suffix.lower()
    if ending == ".txt" and recognise(inner):
        return f"{shown(path)} ends in .txt, which some systems add and hide. Call it {inner}."
    return INSTEAD.get(ending, "")


def _no_source(files: Mapping[str, bytes], allowed: Collection[str], language: str) -> str:
    others = {recipe.title for path in files if (recipe := recognise(path)) and not TOOL.search(path)}
    wanted = [RECIPES[language]] if language in RECIPES else [it for it in RECIPES.values() if it.language in allowed]
    endings = " ".join(ending for recipe in wanted or RECIPES.values() for ending in recipe.extensions)
    for path in files:
        if (told := advice(path)) and (not others or path.lower().endswith(".txt")):
            return f"{told} The name of the entry must end in {endings}."
    if others:
        return f"The files are in {listed(sorted(others))}, and the name of the entry must end in {endings}."
    return f"None of the files is a source: the name of the entry must end in {endings}."


def _only(sources: dict[str, Recipe], files: Mapping[str, bytes], kit: Collection[str]) -> tuple[list[str], str]:
    """The files that may be the entry, best one if there is one, and why."""
    own = [path for path in sources if not (_is_aside(path) or path.endswith("__init__.py"))] or list(sources)
    if len(own) == 1:
        return own, "it is the only source file" if len(sources) == 1 else "the other sources are tests or tools"
    made, _ = made_from(files)
    scripts = {path for path in own if not sources[path].build}  # they start without a main
    mains = [path for path in own if has_main(sources[path], files[path]) or (path in made and path in scripts)]
    starts = [path for path in mains if path in made] or mains
    starts = [path for path in starts if not _has_framework(sources[path], files[path])] or starts
    called = [path for path in own if PurePosixPath(path).stem.lower() in MAIN_NAMES]
    called = [path for path in called if path in starts or path in scripts or not starts]
    languages = {sources[path].language for path in own}
    found = [
        it for one in languages for it in _nearest([it for it in {*starts, *called} if sources[it].language == one])
    ]
    found = [path for path in found if _depth(path) == min(map(_depth, found))]
    unnamed = _unnamed(found or own, files) or found or own
    named = {PurePosixPath(path).stem for path in found}
    others = _unnamed([path for path in scripts if found and path not in found], files)
    above = _nearest([path for path in others if path.count("/") < _depth(found[0])])
    naming = [path for path in above or others if named & _names_in(files[path])]
    if above or (naming and not set(found) & set(called)):  # a program, or a draft beside one?
        doubtful = naming if above and naming else [*(above or naming), *found]
        return sorted(doubtful), "it names the file with a main"
    for some, why in (
        ([path for path in found if path in called], "it is called {name}"),
        (found if made else [], f"{next((it for it in MAKEFILES if it in files), '')} names it"),
        (
            found,
            "it is the only file with a main" if len(mains) == 1 else "of those with a main it is nearest to the top",
        ),
        (unnamed, "no other file names it"),
        (_nearest(unnamed), "of those that no other file names it is nearest to the top"),
    ):
        if len(set(some)) == 1:
            return some[:1], why.format(name=PurePosixPath(some[0]).name)
    if kit and not mains and sources[min(unnamed)].one_main and not _rivals(unnamed, files):
        return [min(_nearest(unnamed))], "the kit has the main"  # all files are equal
    return sorted(found or unnamed), ""


def _is_aside(path: str) -> bool:
    """Whether a source is a test or belongs to a tool, by its name: no program starts with it."""
    return TEST.search(path) is not None or TOOL.search(path) is not None


def _rivals(paths: Sequence[str], files: Mapping[str, bytes]) -> bool:
    """Whether two of these sources in C or C++ define the same function, so they are two programs."""
    names = [name for path in paths for name in set(DEFINED.findall(C_NOISE.sub(" ", _text(files[path]))))]
    return len(set(names)) < len(names)


def _nearest(paths: list[str]) -> list[str]:
    """Those with the fewest folders around them."""
    least = min((path.count("/") for path in paths), default=0)
    return [path for path in paths if path.count("/") == least]


def _depth(path: str) -> int:
    return path.removeprefix("src/").count("/")


def has_main(recipe: Recipe, data: bytes) -> bool:
    if not recipe.main:
        return False
    text = _text(data)
    if noise := NOISE.get(recipe.language):
        text = noise.sub(" ", text)
    flags = re.MULTILINE | (re.IGNORECASE if recipe.language == "pascal" else 0)
    return re.search(recipe.main, text, flags) is not None


def _text(data: bytes) -> str:
    return plain(data[:READ]).decode("utf-8", "replace").replace("\r\n", "\n")


def _unnamed(paths: Sequence[str], files: Mapping[str, bytes]) -> list[str]:
    """Those of these paths that no other source names, on a line that imports or includes something. Tests may."""
    sources = {it: data for it, data in files.items() if it in paths or it.lower().endswith(SOURCES)}
    named = {it: _names_in(data) for it, data in sources.items() if not _is_aside(it)}
    return [
        path
        for path in paths
        if not any(PurePosixPath(path).stem in words for other, words in named.items() if other != path)
    ]


def _names_in(data: bytes) -> set[str]:
    text = re.sub(r"#\s{0,9}include\s{0,9}<[^>\n]{0,200}>", "", _text(data))  # <random> is no random.cpp
    return {word for line in NAMING.findall(text) for word in re.findall(r"\w+", line)}


def is_test(recipe: Recipe, path: str, data: bytes) -> bool:
    """Whether a source is named as a test, or uses a library for tests."""
    return TEST.search(path) is not None or _has_framework(recipe, data)


def _has_framework(recipe: Recipe, data: bytes) -> bool:
    return bool(recipe.foreign) and re.search(recipe.foreign, _text(data), re.MULTILINE) is not None


def made_from(files: Mapping[str, bytes]) -> tuple[list[str], bool]:
    """The sources that the Makefile or the like names, or their objects, and whether these are all."""
    return _sources_in(_makefile(files), files)


def _makefile(files: Mapping[str, bytes]) -> str:
    """The text of the Makefile at the top or in `src`, without comments, each command on one line. What CMake builds is
    told as a Makefile would, and of Node's file which script starts. Blank if there is none."""
    name = next((name for name in MAKEFILES if name in files), "")
    text = _text(files[name]) if name else ""
    if name.endswith("package.json"):
        return " ".join(STARTED.findall(text))
    text = re.sub(r"#[^\n]*", "", text.replace("\\\n", " "))
    if not name.endswith("CMakeLists.txt"):
        return text
    told = ((it["name"], ":" if it["target"] else " =", it["words"].split()) for it in CMAKE.finditer(text))
    return "".join(f"{name}{sign} {' '.join(words)}\n" for name, sign, words in told)


def _sources_in(text: str, files: Mapping[str, bytes]) -> tuple[list[str], bool]:
    """The sources that a part of a Makefile names, itself or by their objects, and whether these are all."""
    by_stem: dict[str, list[str]] = {}
    by_ending = {ending.lower(): path for ending, path in _by_ending(files).items()}  # Windows knows no case
    for path in files:
        if recognise(path):
            by_stem.setdefault(PurePosixPath(path).stem.lower(), []).append(path)
    found: list[str] = []
    for word in WORD.findall(text):
        plain = word.lower().removeprefix("./").removeprefix("/")  # of $(SRC)/hand.c
        if (path := by_ending.get(plain, "")) and recognise(path):
            found.append(path)
        elif plain.endswith((".o", ".obj", ".class")) and len(same := by_stem.get(PurePosixPath(plain).stem, [])) == 1:
            found.append(same[0])
    return list(dict.fromkeys(found)), not re.search(r"wildcard|\*\.(?!(?:o|obj|class|exe|d)\b)|\$\(shell", text)


def _made_with(files: Mapping[str, bytes], entry: str) -> list[str]:
    """The sources that the Makefile links with the entry: those of the rule that needs the entry or its object, and of
    what that rule needs. Empty if it does not name them."""
    text = _makefile(files)
    variables: dict[str, list[str]] = {}
    for name, value in VARIABLE.findall(text):
        variables.setdefault(name, []).append(value)
    rules = [(_reached(each["targets"], variables), each) for each in islice(RULE.finditer(text), MOST_RULES)]
    rules = [
        (targets, rule)
        for targets, rule in rules
        if "%" not in targets and not targets.rstrip().endswith((".o", ".obj"))
    ]
    needed = dict(variables)
    for targets, rule in rules:
        for target in WORD.findall(targets):
            needed[target] = [*needed.get(target, []), rule["needs"]]
    for _, rule in rules:
        told = _reached(rule["commands"], variables)
        if entry in _sources_in(_reached(rule["needs"], variables) + told, files)[0]:
            found, is_all = _sources_in(_reached(f"{rule['targets']} {rule['needs']}", needed) + told, files)
            return found if is_all else []
    return []


def _reached(text: str, named: Mapping[str, Sequence[str]]) -> str:
    """A part of a Makefile, with all that it names and what that names: variables, targets."""
    todo, seen, found = [text], set[str](), list[str]()
    while todo:
        found.append(part := todo.pop())
        names = {name for name in WORD.findall(part) if name in named} - seen
        seen |= names
        todo += [each for name in names for each in named[name]]
    return " ".join(found)


def laid_out(recipe: Recipe, files: Mapping[str, bytes], entry: str, kit: Mapping[str, bytes]) -> Layout:
    """Return the folder to build: the author's files, with the kit's own where the author had copies, or else beside
    the entry. Sources have the names that their compiler wants."""
    better = renamed(recipe, files) if recipe.build else {}
    all_files = {
        better.get(path, path): built(language, data) if (language := recognise(path)) else data
        for path, data in files.items()
    }
    entry = better.get(entry, entry)
    for name, data in kit.items():
        copies = [path for path in all_files if PurePosixPath(path).name == name]
        for path in copies or [str(PurePosixPath(entry).with_name(name))]:
            all_files[path] = packaged(recipe, data, all_files.get(path, all_files[entry]))
    for path, text in (*recipe.added, *_forwarding(recipe, all_files)):
        all_files.setdefault(path, text.encode())
    compiled = _compiled(recipe, all_files, entry, kit)
    linked = [path for path in compiled if PurePosixPath(path).name in kit] if recipe.archived or recipe.alone else []
    return Layout(
        files=all_files,
        entry=entry,
        more=tuple(path for path in compiled if path not in linked),
        kit=tuple(recipe.linked_of(linked)),
        folders=_folders(recipe, all_files, entry),
        main=main_class(recipe, all_files[entry], PurePosixPath(entry).stem),
    )


def _folders(recipe: Recipe, files: Mapping[str, bytes], entry: str) -> tuple[str, ...]:
    """Those that hold headers, and those around them, because a header may be included as `cards/hand.h`."""
    holding = {
        str(folder)
        for path in files
        if path.lower().endswith(recipe.headers or ("\0",)) and not path.startswith(f"{OWN}/")
        for folder in PurePosixPath(path).parents
    }
    return tuple(dict.fromkeys([".", folder_of(entry), *sorted(holding)]))


def _forwarding(recipe: Recipe, files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Headers for what is included by the name of the folder around all, which was taken off: `shark/cards/hand.h`. For
    the author's copy of a library, `<nlohmann/json.hpp>`, which comes before the system's. And for names whose case is
    another one, as Windows and macOS understand them."""
    texts = [_text(data) for data in files.values()] if recipe.headers else []
    by_ending = _by_ending(files)
    by_lower = {ending.lower(): path for ending, path in by_ending.items()}
    for name in sorted({name for text in texts for name in INCLUDED.findall(text)} - by_ending.keys()):
        inner = AROUND.fullmatch(name)
        if inner and inner[1] in files:
            yield f"_around/{name}", f'#include "{inner[1]}"\n'
        elif there := by_lower.get(name.lower()):
            yield f"{OWN}/{name}", f'#include "{there}"\n'
    for name in sorted({name for text in texts for name in OF_LIBRARY.findall(text)} & by_ending.keys()):
        yield f"{OWN}/{name}", f'#include "{by_ending[name]}"\n'


def _by_ending(files: Collection[str]) -> dict[str, str]:
    """The paths by all their ends: `cards/hand.h`, `hand.h`. The nearest to the top wins."""
    found: dict[str, str] = {}
    for path in sorted(files, key=lambda it: (-it.count("/"), it)):
        parts = path.split("/")
        found |= {"/".join(parts[at:]): path for at in range(len(parts))}
    return found


def _compiled(recipe: Recipe, files: Mapping[str, bytes], entry: str, kit: Mapping[str, bytes]) -> list[str]:
    """The sources that are compiled with the entry, in order of their paths."""
    endings = (*recipe.extensions, *recipe.gathered)
    linked = _made_with(files, entry) if recipe.one_main else []
    made, is_all = made_from(files)
    made = linked or (made if is_all and entry in made and len(made) > 1 else list(files))
    includes = {path: [PurePosixPath(name) for name in INCLUDED.findall(_text(data))] for path, data in files.items()}
    called = {name.stem for path in files if not is_test(recipe, path, files[path]) for name in includes[path]}

    def is_part(path: str) -> bool:
        name, data = PurePosixPath(path), files[path]
        if name.name in kit:
            return True
        if path not in made or (recipe.one_main and has_main(recipe, data)):
            return False
        if recipe.one_main:  # a program that calls its tests includes their header
            return path in linked or name.stem in called or not is_test(recipe, path, data)
        return not _has_framework(recipe, data) and "src/test/" not in path and name.stem != "module-info"

    sources = sorted(path for path in files if path.lower().endswith(endings) and path != entry and is_part(path))
    including = [path for path in files if path in sources or path == entry or not path.lower().endswith(endings)]
    included = {name.name.lower() for path in including for name in includes[path]}
    seen: set[str] = set()
    compiled = []
    for path in sources:
        name = PurePosixPath(path).name
        if name in seen if name in kit else name.lower() in included:  # the author's folder may have the kit twice
            continue
        seen.add(name)
        compiled.append(path)
    return compiled
