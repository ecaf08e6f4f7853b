"""Programs of several files: what a folder may hold, whoever sent it.

A folder is a dictionary from paths (`src/main.c`) to contents. Its files reach the portal as loose files or in an
archive (games.archives), and never without these checks. What no program needs is left out first, and only the rest is
judged. All limits are named here; docs/bots.md tells them to authors.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import PurePosixPath
from posixpath import join, normpath
from typing import NamedTuple

from games.engine import OptionError
from games.phrases import counted, listed
from games.toolchains import RECIPES, recognise

MOST_FILES = 200
"""Files of a program."""
MOST_ENTRIES = 2000
"""Files that are read, when more are sent than a program may have."""
MOST_LISTED = 20_000
"""Files and folders that are sent, with all that is left out."""
MOST_UNPACKED = 32 << 20
"""Bytes that are read of an upload. Files that are left out by their names are not read."""
DEEPEST = 12
"""Folders inside each other. The packages of Node.js may lie deeper."""
LONGEST_NAME = 80
LONGEST_PATH = 150
"""Characters. A path that is longer fits neither a line of a page nor a tar's header."""
LONGEST_NAME_BYTES = 240
"""As UTF-8. A file system takes 255."""
LONGEST = 1000
"""Characters of any path, even of what is left out."""
MOST_SAID = 5
"""Problems of single files that are told."""

SOURCES = tuple({it for recipe in RECIPES.values() for it in (*recipe.extensions, *recipe.gathered, *recipe.headers)})
"""Endings of files that are built, or included by these."""
BUILT = tuple(it for it in SOURCES if not (recipe := recognise(f"a{it}")) or recipe.build)
MODULES = "node_modules"
TOOL = re.compile(
    r"(?:^|/)(?:(?:setup|conftest|noxfile)\.py|build\.rs|[^/]*\.config\.[cm]?js|(?:[Gg]runt|gulp)file\.[cm]?js|Setup\.hs"
    r"|module-info\.java|(?:Makefile|Build)\.PL|pkgIndex\.tcl)$"
    r"|(?:^|/)(?:specs?|__tests__)/|[_.-]spec\.\w+$|[a-z0-9]Spec\.\w+$"
)
"""Paths of sources that belong to tools, and of tests as other languages call them."""
JUNK_FOLDERS = {
    *("__macosx", "__pycache__", "__pypackages__", "autom4te.cache", "cmakefiles", "deriveddata", "dist-newstyle"),
    *("htmlcov", "site-packages"),
}
JUNK_SUFFIXES = (".egg-info", ".dist-info", ".dsym", ".xcodeproj", ".xcworkspace")
JUNK_NAMES = {"thumbs.db", "ehthumbs.db", "desktop.ini", "a.out"}
JUNK_ENDINGS = (
    *(".o", ".obj", ".a", ".lib", ".so", ".dll", ".dylib", ".exe", ".class", ".pyc", ".pyo", ".hi", ".ppu", ".gch"),
    *(".swp", ".bak", ".orig", "~", ".lo", ".la", ".pyd", ".pdb", ".ilk", ".pch", ".suo", ".rlib", ".lnk", ".msi"),
)
VISUAL_STUDIO = ("*.sln", "*.slnx", "*.*proj")
PYTHON_TOOLS = ("pyproject.toml", "setup.py", "setup.cfg")
JVM_TOOLS = ("build.xml", "build.gradle", "build.gradle.kts", "pom.xml", "build.sbt")
MADE_BESIDE = {
    "target": (*JVM_TOOLS, "cargo.toml", "project.clj"),
    "project": ("build.sbt",),
    "build": (*JVM_TOOLS, *PYTHON_TOOLS, "cmakelists.txt", "meson.build", "package.json", "*.pro", "*.xcodeproj"),
    "dist": (*JVM_TOOLS, *PYTHON_TOOLS, "package.json", "*.cabal", "*.spec"),
    "out": (*JVM_TOOLS, *VISUAL_STUDIO, "*.iml", ".idea"),
    "bin": (*JVM_TOOLS, *VISUAL_STUDIO, ".classpath", ".project", "*.cbp"),
} | dict.fromkeys(("obj", "debug", "release", "x64", "x86", "win32", "ipch"), (*VISUAL_STUDIO, ".cproject", "*.cbp"))
"""Folders that a tool makes, by what lies beside them."""
MADE = (b"\x7fELF", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"!<arch>\n")
"""First bytes of what a compiler makes, on Linux and macOS. On Windows it has the ending .exe."""
SYMLINK = b"!<symlink>"
"""First bytes of a link that Cygwin wrote as a file."""
TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")
OTHERS = (
    *(".tar.zst", ".tzst", ".tar.lz", ".tar.lzma", ".tar.z", ".7z", ".rar", ".cab"),
    *(".jar", ".war", ".ear", ".whl", ".egg", ".nupkg", ".deb", ".rpm", ".iso", ".dmg"),
)
"""Archives that are not unpacked, so that errors can name the kinds that are."""
ARCHIVES = (".zip", *TARS, *OTHERS, ".pyz")
"""By their endings: NumPy's .npz is a ZIP too, and data of a program may be compressed."""
DOCUMENTS = (
    *(".doc", ".docx", ".docm", ".odt", ".rtf", ".pdf", ".pages", ".epub"),
    *(".xls", ".xlsx", ".xlsm", ".ods", ".ppt", ".pptx", ".odp"),
)

NAME = re.compile(r"[\w(\[+,=][\w .,()\[\]+=@~'!&%#-]*")

TOOLS = "hidden files and what tools make are not part of a program"
ARCHIVE = "archives inside an upload are not unpacked. If your program needs what is in one, send its files"
JAR = "libraries of your own cannot be linked. Their sources can be sent"
DOCUMENT = "documents are not part of a program. Save a text about the strategy as .txt or .md"
ODD = "such names or paths do not work everywhere. Rename it to letters, digits, “_” and “-” if your program reads it"
FOR_NODE = "only programs in JavaScript use it"
LINK = "links to folders, or out of the upload, are not followed. If your program needs it, put the file itself there"
COPY = "it looks like a copy of the source beside it. Give it another name if your program needs it"
COPIED = re.compile(
    r"(?:(?:copy of|copie de|kopie von) )?(.+?)(?:[ _]?\(\d+\)|(?: [-–])? (?:copy|copie|copia|kopie)(?: ?\(?\d+\)?)?)?",
    re.IGNORECASE,
)
"""What file managers and browsers call a copy of a file, without its ending."""


class FolderError(OptionError):
    """A folder that cannot be taken, with the sentence that says why and what to do. `folder` is what can be told of it
    all the same, if anything."""

    def __init__(self, message: str, folder: Folder | None = None) -> None:
        super().__init__(message)
        self.folder = folder


@dataclass(slots=True)
class Item:
    """A file that arrives. `wrong` says why it cannot be taken if the program needs it: it is encrypted, for example.

    Of a link, `read` returns the path of its target, seen from the folder `link_from`."""

    path: str
    read: Callable[[], bytes]
    wrong: str = ""
    link_from: str | None = None


class Left(NamedTuple):
    """Why a file or folder was left out, and the path and first bytes of a file for which it would be again."""

    why: str
    path: str
    head: bytes = b""


@dataclass(slots=True)
class Folder:
    """The files of a program, and what was left out by its path; a folder's ends in a slash."""

    files: dict[str, bytes] = field(default_factory=dict)
    left_out: dict[str, Left] = field(default_factory=dict)

    def leave_out(self, item: Item, why: str, within: str = "", head: bytes = b"") -> None:
        """Leave out a file, or the folder `within` which it lies."""
        path = f"{within}pyvenv.cfg" if within and why == TOOLS else item.path
        self.left_out.setdefault(within or item.path, Left(why, printable(path), head))

    def notices(self) -> list[str]:
        """A sentence for each reason to leave something out."""
        reasons: dict[str, list[str]] = {}
        for path, left in self.left_out.items():
            reasons.setdefault(left.why, []).append(shown(path)[1:-1])
        return [
            f"{listed([*paths[:3], *([f'{len(paths) - 3} more'] if len(paths) > 3 else [])])} "
            f"{'was' if len(paths) == 1 else 'were'} left out: {why}."
            for why, paths in reasons.items()
        ]

    def traces(self) -> dict[str, bytes]:
        """Files that stand for all that was left out: whoever reads the folder next says the same of it."""
        return {left.path: left.head for left in self.left_out.values()}


def checked_path(path: str) -> str:
    """Return a path in its one form: `a/b.c`, NFC, without `./`. Raises FolderError for any that leads elsewhere."""
    plain = unicodedata.normalize("NFC", path[:LONGEST].replace("\\", "/"))
    if len(path) > LONGEST:
        raise FolderError(
            f"{shown(path)} is too long: no path may have more than {LONGEST:,} characters. Leave it out."
        )
    if plain.startswith("/") or re.match(r"[A-Za-z]:", plain):
        raise FolderError(f"{shown(path)} is an absolute path. Pack the folder from the folder above it.")
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise FolderError(f"{shown(path)} leads out of its folder. Pack only files below one folder, without “..”.")
    if not parts:
        raise FolderError(f"{shown(path)} is not the name of a file.")
    return "/".join(parts)


def check_name(path: str) -> None:
    """Refuse names that a compiler would take for an option, or that some system cannot store. Raises FolderError."""
    parts = path.split("/")
    modules = parts.index(MODULES) if MODULES in parts else len(parts)
    if (depth := min(len(parts) - 1, modules)) > DEEPEST:
        said = f"at most {DEEPEST} folders may lie inside each other, and here {depth} do. Move the file up"
        raise FolderError(f"{shown(path)} is too deep: {said}.")
    if len(path) > LONGEST_PATH or max(map(len, parts)) > LONGEST_NAME:
        raise FolderError(
            f"{shown(path)} is too long: a name may have {LONGEST_NAME} characters, a path {LONGEST_PATH}. Rename it."
        )
    if max(len(part.encode("utf-8", "surrogatepass")) for part in parts) > LONGEST_NAME_BYTES:
        raise FolderError(f"{shown(path)} is too long for a file system. Rename it: use fewer letters, or Latin ones.")
    for depth, part in enumerate(parts):
        plain = part.removeprefix("@") if depth > modules else part  # a scope of packages
        if not NAME.fullmatch(plain) or part.endswith((" ", ".")):
            raise FolderError(
                f"{shown(path)} cannot be used as a name. Rename it: letters, digits, “_”, “-” and “.” always work."
            )


def is_made(name: str, beside: Collection[str], inside: Collection[str], *, by_tools: bool = True) -> bool:
    """Whether a tool made the folder of this name, which has these names beside it and in it, all in lower case. Some
    are known by their tool's file alone, without which `build` is a folder like others."""
    if name.startswith((".", "cmake-build-")) or name in JUNK_FOLDERS or name.endswith(JUNK_SUFFIXES):
        return True
    if not by_tools:
        return False
    made_by_cmake = "cmakecache.txt" in inside and "cmakelists.txt" not in inside
    if made_by_cmake or {"pyvenv.cfg", "conda-meta", "meson-info"} & set(inside):
        return True
    by_make = ("makefile", "gnumakefile") if name in ("build", "obj") and not any(map(recognise, inside)) else ()
    return any(fnmatch(it, tool) for tool in (*MADE_BESIDE.get(name, ()), *by_make) for it in beside)


class _Made:
    """The folders that tools made, of those in which these paths lie."""

    def __init__(self, paths: Iterable[str], *, by_tools: bool) -> None:
        inside: dict[str, set[str]] = {"": set()}
        for path in map(str.lower, paths):
            while path:
                path, _, name = path.rpartition("/")
                if name in inside.setdefault(path, set()):
                    break
                inside[path].add(name)
            if len(inside) > MOST_LISTED:
                raise FolderError(f"The upload has more than {MOST_LISTED:,} folders. Pack only your program.")
        self._depths = {"": 0}  # of the outermost of them, for each folder
        for folder in sorted(inside.keys() - {""}, key=len):
            above, _, name = folder.rpartition("/")
            of_package = MODULES in folder.split("/")  # a package has its program in `dist`
            made = is_made(name, inside[above], inside[folder], by_tools=by_tools and not of_package)
            self._depths[folder] = self._depths[above] or (folder.count("/") + 1 if made else 0)

    def around(self, path: str) -> str:
        """The outermost of them around a path, with a slash. Blank if there is none."""
        depth = self._depths[path.rpartition("/")[0].lower()]
        return "/".join([*path.split("/")[:depth], ""])


def unneeded(path: str) -> str:
    """Why no program needs a file of this name, blank if one may."""
    name = path.rpartition("/")[2].lower()
    if name.startswith((".", "~$")) or name in JUNK_NAMES or name.endswith(JUNK_ENDINGS):
        return TOOLS
    if name.endswith(ARCHIVES):
        return JAR if name.endswith(".jar") else ARCHIVE
    return DOCUMENT if name.endswith(DOCUMENTS) else ""


def _original(path: str) -> str:
    """The file beside it of which this looks like a copy, by its name. Blank if it does not look like a copy."""
    here = PurePosixPath(path)
    found = COPIED.fullmatch(here.stem)
    return str(here.with_name(found[1] + here.suffix)) if found and found[1] != here.stem else ""


def is_source(path: str) -> bool:
    return recognise(path) is not None and not TOOL.search(path) and MODULES not in path.split("/")


def collected(
    items: Iterable[Item],
    most_bytes: int,
    spare: int = 0,
    is_node: Callable[[Mapping[str, bytes]], bool] = lambda files: False,
) -> Folder:
    """Return the folder of these files without what no program needs, and then judge it. Raises FolderError with all
    that is wrong.

    `most_bytes` is the limit that is told. `spare` bytes more may be a text that does not count. `is_node` says whether
    these files are a program for Node.js, which keeps its packages.
    """
    items = list(items)
    for item in items:
        item.path = checked_path(item.path)
    made = _Made((item.path for item in items), by_tools=True)
    if not any(is_source(item.path) and not made.around(item.path) for item in items):
        made = _Made((item.path for item in items), by_tools=False)  # the program itself lies in `dist`, for example
    placed = [(item, made.around(item.path), unneeded(item.path)) for item in items]
    wrapper = _wrapper([it.path for it, within, why in placed if not (within or why)] or [it.path for it in items])
    gathering, wanted, modules = _Gathering(most_bytes, spare, wrapper), list[Item](), list[Item]()
    for item, within, why in placed:
        item.path = item.path.removeprefix(wrapper)
        if within or why:
            gathering.folder.leave_out(item, TOOLS if within else why, within.removeprefix(wrapper))
        else:
            (modules if MODULES in item.path.split("/") else wanted).append(item)
    gathering.take(wanted)
    if modules and is_node(gathering.folder.files):
        gathering.take(modules, modules=True)
    else:
        for item in modules:
            before, name, _ = item.path.partition(f"{MODULES}/")
            gathering.folder.leave_out(item, FOR_NODE, before + name)
    return gathering.judged()


class _Gathering:
    """The files that a program may need, read one after the other, with what is wrong about them."""

    def __init__(self, most_bytes: int, spare: int, wrapper: str) -> None:
        self.folder = Folder()
        self._most_bytes, self._spare, self._wrapper = most_bytes, spare, wrapper
        self._inside, self._problems = set[str](), dict[str, None]()  # each problem once, in order
        self._sizes: dict[str, int] = {}
        self._read = self._kept = 0

    def take(self, items: Sequence[Item], *, modules: bool = False) -> None:
        reads = len(items) <= MOST_ENTRIES
        paths = {it.path for it in items}
        stems = {
            stem for it in items if is_source(it.path) and NAME.fullmatch(stem := PurePosixPath(it.path).stem.lower())
        }
        for item in sorted(items, key=lambda it: it.link_from is not None):  # links come after what they lead to
            if is_source(item.path) and _original(item.path) in paths:
                self.folder.leave_out(item, COPY)
                continue
            try:
                check_name(item.path)
            except FolderError as error:
                plain = item.path.lower().rstrip(" .")
                is_draft = not is_source(plain) or "/" in plain or plain.startswith(tuple(stems))  # `bot – Kopie.py`
                if modules or (is_draft and not plain.endswith(BUILT)):
                    self.folder.leave_out(item, ODD)
                else:
                    self._problems[str(error)] = None
                continue
            if modules and (item.wrong or item.link_from is not None):
                self.folder.leave_out(item, TOOLS)
            elif reads and not item.wrong:
                self._keep(item)
            else:
                self._sizes[item.path] = 0
                self._problems |= {item.wrong: None} if item.wrong else {}

    def _keep(self, item: Item) -> None:
        data = item.read()
        self._read += len(data)
        if item.link_from is not None:
            target = normpath(join(item.link_from, data[:LONGEST].decode("utf-8", "replace")))
            inside = unicodedata.normalize("NFC", target)
            kept = self.folder.files if inside.startswith(self._wrapper) else {}
            data = kept.get(inside.removeprefix(self._wrapper), SYMLINK)
        if data.startswith(SYMLINK):
            if is_source(item.path):
                said = (
                    f"{shown(item.path)} is a link to something that is not in the upload. Put the file itself there."
                )
                self._problems[said] = None
            else:
                self.folder.leave_out(item, LINK, head=SYMLINK)
            return
        if data.startswith(MADE) or (data.startswith(b"MZ") and b"\0" in data[:64]):
            self.folder.leave_out(item, TOOLS, head=data[:64])
            return
        if problem := self._clash(item.path):
            self._problems[problem] = None
            return
        self._sizes[item.path] = len(data)
        if self._read > MOST_UNPACKED:
            most = f"together they have more than {MOST_UNPACKED:,} bytes, and the limit is {self._most_bytes:,}"
            raise FolderError(f"The files are too large: {most}. Leave out what your program does not need.")
        self._kept += len(data)
        if self._kept <= self._most_bytes + self._spare:
            self.folder.files[item.path] = data

    def _clash(self, path: str) -> str:
        """What is wrong with a path beside those so far, blank if nothing is. Letters may differ only in case."""
        if path in self._sizes:
            return f"{shown(path)} is in the upload twice. Send each file once."
        around = [str(each) for each in PurePosixPath(path).parents]
        for both in (path, *around):
            if both in (self._inside if both == path else self._sizes):
                return f"{shown(both)} is both a file and a folder. Rename one of them."
        self._inside.update(around)
        return ""

    def judged(self) -> Folder:
        """The folder. Raises FolderError."""
        sizes, folder = self._sizes, Folder(self.folder.files, dict(sorted(self.folder.left_out.items())))
        problems = list(self._problems)[:MOST_SAID]
        if (more := len(self._problems) - MOST_SAID) > 0:
            problems.append(f"{counted(more, 'more file')} cannot be taken either.")
        if len(sizes) > MOST_FILES:
            where, number = heaviest(dict.fromkeys(sizes, 1))
            most = f", {number:,} of them in {where}" if where.endswith("/") else ""
            problems.append(
                f"The upload has {len(sizes):,} files{most}, and a program may have {MOST_FILES}. "
                "Leave out what your program does not need."
            )
        if self._kept > self._most_bytes + self._spare:
            problems.append(too_large(sizes, self._most_bytes))
        if not sizes and not problems:
            problems.append("The upload holds no files of a program. Send your sources.")
        if problems:
            if len(folder.files) < len(sizes) or len(sizes) > MOST_FILES:
                folder.files = {}  # what they are cannot be told from some of them
            raise FolderError(" ".join(problems), folder)
        return folder


def too_large(sizes: Mapping[str, int], limit: int) -> str:
    where, size = heaviest(sizes)
    return (
        f"The files are too large: together they have {sum(sizes.values()):,} bytes, and the limit is {limit:,}. "
        f"The largest is {shown(where)} with {size:,}."
    )


def heaviest(weights: Mapping[str, int]) -> tuple[str, int]:
    """The innermost folder, with a slash, or file that has more than half of the weight, or else the heaviest file."""
    whole: Counter[str] = Counter()
    for path, weight in weights.items():
        for part in re.finditer(r"/|\Z", path):
            whole[path[: part.end()]] += weight
    half = sum(weights.values()) / 2
    heavy = [path for path, weight in whole.items() if weight > half]
    best = max(heavy, key=len) if heavy else max(weights, key=lambda path: weights[path])
    return best, whole[best]


def _wrapper(paths: Collection[str]) -> str:
    """The folder around all of these, which archives usually have, with a slash, also if it has another one of its name
    inside. Blank if there is none, or if it is a package of Python."""
    top, wrapper = next(iter(paths), "").partition("/")[0] + "/", ""
    while paths and all(path.startswith(wrapper + top) for path in paths) and f"{wrapper}{top}__init__.py" not in paths:
        wrapper += top  # Windows unpacks shark.zip as shark/shark
    return wrapper


def digest(files: Mapping[str, bytes], entry: str) -> str:
    """Return the SHA-256 that names a program of several files: of `entry`, and of each path and content in order."""
    whole = hashlib.sha256(f"{entry}\0".encode())
    for path in sorted(files):
        whole.update(f"{path}\0{len(files[path])}\0".encode() + files[path])
    return whole.hexdigest()


def shown(path: str) -> str:
    """A path from a stranger as text for people: printable, and not too long."""
    text = printable(path)
    return f"“{text}”" if len(text) <= 80 else f"“{text[:40]}…{text[-30:]}”"


def printable(text: str) -> str:
    return "".join(char if char.isprintable() else "�" for char in text)


def folder_of(path: str) -> str:
    """The folder of a path, `.` at the top."""
    return str(PurePosixPath(path).parent)
