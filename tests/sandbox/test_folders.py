"""Programs of several files as their authors wrote them, built and run in the real jail: a story for each language."""

from __future__ import annotations

from functools import partial

import pytest

from games import entries, get
from games.folders import MOST_FILES, Item, collected
from games.programs import ExitStatus
from submissions import build, intake, sanitize
from submissions import build as builds
from submissions.languages import Language
from submissions.models import Artifact
from submissions.process import process
from submissions.sandbox import Jail, Limits, build_folder
from submissions.sandbox.roots import unpack
from submissions.uploads import Upload
from tests.cast import make_cast
from tests.sandbox.sandboxes import HELLO, hear, needs, needs_jail
from tests.submissions.bots import kit

pytestmark = needs_jail

DATA = {"data/weights.txt": "41\n"}
C_MAIN = """\
#include <stdio.h>
#include "answer.h"
int main(void) {
    FILE *file = fopen("data/weights.txt", "r");
    int weight;
    if (!file || fscanf(file, "%d", &weight) != 1) return 1;
    printf("%d\\n", answer(weight));
}
"""
FOLDERS: dict[str, dict[str, str]] = {
    "c": {
        "src/main.c": C_MAIN,
        "src/deep/answer.c": '#include "Include/Answer.h"\n#include "part.c"\nint answer(int w) { return part(w); }\n',
        "src/deep/part.c": "static int part(int w) { return w + 1; }\n",
        "include/answer.h": "int answer(int weight);\nint asked;\n",
        "tests/test_answer.c": "int answer(int);\nint main(void) { return answer(1) != 2; }\n",
    },
    "cpp": {
        "main.cpp": '#include "shark/bot/answer.hpp"\n#include <ctime>\n#include <fstream>\n#include <iostream>\n'
        '#include <sys/queue.h>\nstatic_assert(OWN_QUEUE, "the author has a copy");\n'
        'int main() { int w; std::ifstream("data/weights.txt") >> w; std::cout << answer(w) << std::endl; }\n',
        "vendor/sys/queue.h": "#pragma once\n#include <sys/part.h>\n",
        "vendor/sys/part.h": "#define OWN_QUEUE 1\n",
        "features.h": "#error it hides the system's\n",
        "bot/answer.hpp": '#include <clock/time.h>\nextern "C" int answer(int);\n',
        "include/clock/time.h": "#include <time.h>\nextern time_t now;\n",
        "bot/part.c": "int part(int class) { return class; }\n",
        "bot/answer.cc": '#include "answer.hpp"\nint answer(int w) { return w + 1; }\n',
    },
    "pascal": {
        "shark.lpr": "program Shark;\nuses {$IFDEF UNIX}cthreads,{$ENDIF} Answers;\nvar f: Text; w: Integer;\nbegin\n"
        "  Assign(f, 'data/weights.txt'); FileMode := 0; Reset(f); ReadLn(f, w); WriteLn(Answer(w))\nend.\n",
        "bot/ANSWERS.PAS": "unit Answers;\ninterface\nfunction Answer(w: Integer): Integer;\nimplementation\n"
        "{$I step.inc}\nfunction Answer(w: Integer): Integer; begin Answer := w + Step end;\nend.\n",
        "bot/Step.Inc": "const Step = 1;\n",
    },
    "python": {
        "brain/main.py": "import brain.step\nimport step\nfrom .think import answer\n"
        "print(answer(int(open('data/weights.txt').read())), flush=True)\n",
        "brain/__init__.py": "",
        "brain/think.py": "from .step import STEP\n\n\ndef answer(w):\n    return w + STEP\n",
        "brain/step.py": "STEP = 1\n",
    },
    "java": {
        "src/org/shark/Main.java": "package org.shark;\nimport java.nio.file.*;\nimport org.shark.brain.Answer;\n"
        "public class Main { public static void main(String[] words) throws Exception {\n"
        'var data = Main.class.getResourceAsStream("/data/weights.txt").readAllBytes();\n'
        "int w = Integer.parseInt(new String(data).trim());\n"
        "System.out.println(Answer.of(w)); } }\n",
        "src/org/shark/brain/Answer.java": "package org.shark.brain;\n"
        "public class Answer { public static int of(int w) { return Step.plus(w); } }\nclass Step {"
        " static int plus(int w) { return w + 1; } }\n",
        "src/module-info.java": "module shark { requires org.junit; }\n",
        "test/AnswerTest.java": "import org.junit.Test;\npublic class AnswerTest { }\n",
    },
    "go": {
        "go.mod": "module shark\n\ngo 1.18\n",
        "main.go": 'package main\n\nimport (\n"fmt"\n"os"\n"strconv"\n"strings"\n"shark/brain"\n)\n\nfunc main() {\n'
        'text, _ := os.ReadFile("data/weights.txt")\nw, _ := strconv.Atoi(strings.TrimSpace(string(text)))\n'
        "fmt.Println(brain.Answer(w))\n}\n",
        "brain/answer.go": "package brain\n\nfunc Answer(w int) int { return w + step }\n",
        "brain/step.go": "package brain\n\nconst step = 1\n",
    },
    "javascript": {
        "main.js": 'const { answer } = require("./lib/answer");\nconst fs = require("fs");\n'
        'console.log(answer(Number(fs.readFileSync("data/weights.txt", "utf8"))));\n',
        "lib/answer.js": 'const { step } = require("./step.js");\nexports.answer = (w) => w + step;\n',
        "lib/step.js": "exports.step = 1;\n",
    },
    "rust": {
        "src/main.rs": "mod brain;\nfn main() {\n"
        'let w: i32 = std::fs::read_to_string("data/weights.txt").unwrap().trim().parse().unwrap();\n'
        'println!("{}", brain::answer(w));\n}\n',
        "src/brain/mod.rs": "mod step;\npub fn answer(w: i32) -> i32 { w + step::STEP }\n",
        "src/brain/step.rs": "pub const STEP: i32 = 1;\n",
    },
    "perl": {
        "bin/main.pl": "use strict;\nuse Luck;\nuse Shark::Answer;\n"
        'open my $file, "<", "data/weights.txt" or die $!;\nprint Shark::Answer::answer(<$file>), "\\n";\n',
        "bin/lib/Luck.pm": "package Luck;\n1;\n",
        "lib/Shark/Answer.pm": "package Shark::Answer;\nsub answer { return $_[0] + 1 }\n1;\n",
    },
    "lua": {
        "src/main.lua": 'local answer = require("lib.answer")\n'
        'print(answer(tonumber(io.open("data/weights.txt"):read("l"))))\n',
        "src/lib/answer.lua": "return function(w) return w + 1 end\n",
    },
    "php": {
        "main.php": "<?php\nrequire __DIR__ . '/lib/answer.php';\n"
        'echo answer((int) file_get_contents("data/weights.txt")), "\\n";\n',
        "lib/answer.php": "<?php\nfunction answer($w) { return $w + 1; }\n",
    },
    "ruby": {
        "main.rb": "require_relative 'lib/answer'\nputs answer(File.read('data/weights.txt').to_i)\n",
        "lib/answer.rb": "def answer(w)\n  w + 1\nend\n",
    },
    "tcl": {
        "main.tcl": "source lib/answer.tcl\nset file [open data/weights.txt]\nputs [answer [gets $file]]\n",
        "lib/answer.tcl": "proc answer {w} { expr {$w + 1} }\n",
    },
    "haskell": {
        "src/Main.hs": "module Main where\nimport Brain.Answer (answer)\nmain :: IO ()\n"
        'main = readFile "data/weights.txt" >>= print . answer . read\n',
        "src/Brain/Answer.hs": "module Brain.Answer (answer) where\nimport Brain.Step (step)\n"
        "answer :: Int -> Int\nanswer w = w + step\n",
        "src/Brain/Step.hs": "module Brain.Step (step) where\nstep :: Int\nstep = 1\n",
    },
    "scala": {
        "src/shark/Main.scala": "package shark\nimport shark.brain.Answer\nimport scala.io.Source\nobject Main {\n"
        "def main(words: Array[String]): Unit = "
        'println(Answer.of(Source.fromFile("data/weights.txt").mkString.trim.toInt)) }\n',
        "src/shark/brain/Answer.scala": "package shark.brain\nobject Answer { def of(w: Int): Int = w + 1 }\n",
    },
}


def folder(slug: str) -> tuple[Language, dict[str, bytes], str]:
    """The files of that language's program, as they come out of an archive, and its entry."""
    files = {path: text.encode() for path, text in (FOLDERS[slug] | DATA).items()}
    files = collected((Item(f"shark/{path}", partial(bytes, data)) for path, data in files.items()), 1 << 20).files
    found = entries.find(files)
    assert found.recipe.language == slug
    return needs(slug).in_folder(found.path, files, files[found.path]), files, found.path


@pytest.mark.parametrize("slug", sorted(FOLDERS))
def test_a_folder_is_built_and_runs_in_its_folder(slug: str) -> None:
    language, files, entry = folder(slug)
    result = build_folder(language, files, entry)
    assert result.artifact is not None, result.log
    assert "/box" not in result.command
    kept = unpack(result.artifact)
    assert kept["data/weights.txt"] == b"41\n"
    limits = Limits(memory_bytes=max(language.memory_floor, 16 << 20))
    with Jail.open(result.artifact, language, limits) as jail:
        bot = jail.start()
        bot.close_input()
        said, complained = hear(bot)
        end = bot.stop(60.0)
    assert (said, end.status, end.code) == (b"42\n", ExitStatus.EXITED, 0), (complained, end)


def test_every_language_of_a_hello_bot_has_a_folder() -> None:
    assert set(FOLDERS) == set(HELLO)


def test_a_folder_opens_nothing_else() -> None:
    """What a program of one file cannot do, one of several cannot either, but for its own folder."""
    language, files, entry = folder("c")
    for path in ("/etc/passwd", "data/../../etc/passwd", "/usr/include/stdio.h"):
        files[entry] = C_MAIN.replace("data/weights.txt", path).encode()
        result = build_folder(language, files, entry)
        assert result.artifact is not None, result.log
        with Jail.open(result.artifact, language, Limits()) as jail:
            end = jail.start().stop(60.0)
        assert end.status is ExitStatus.VIOLATION, path
    files[entry] = C_MAIN.replace('"r"', '"w"').encode()
    result = build_folder(language, files, entry)
    assert result.artifact is not None
    with Jail.open(result.artifact, language, Limits()) as jail:
        assert jail.start().stop(60.0).status is ExitStatus.VIOLATION


def test_what_does_not_compile_names_the_file() -> None:
    language, files, entry = folder("python")
    files["brain/step.py"] = files[entry] = b"STEP = = 1\n"
    result = build_folder(language, files, entry)
    assert not result.ok
    told = builds.why(result.reason, result.log, language, dict(zip(files, files, strict=True)))
    assert told.startswith("It does not compile: SyntaxError: invalid syntax (brain/main.py, line 1)")
    language, files, entry = folder("c")
    files["src/deep/answer.c"] = b"int answer(int w) { return undeclared; }\n"
    result = build_folder(language, files, entry)
    told = builds.why(result.reason, result.log, language, dict(zip(files, files, strict=True)))
    assert "(src/deep/answer.c, line 1)" in told


def test_as_many_files_as_may_be() -> None:
    files = {f"part{number:03}/{'f' * 70}.py": b"number = %d\n" % number for number in range(MOST_FILES - 1)}
    files["main.py"] = f"import sys\nfrom part007.{'f' * 70} import number\nsys.exit(number)\n".encode()
    language = needs("python").in_folder("main.py")
    result = build_folder(language, files, "main.py")
    assert result.artifact is not None, result.log
    assert set(unpack(result.artifact)) == set(files)
    with Jail.open(result.artifact, language, Limits()) as jail:
        assert jail.start().stop(60.0).code == 7


def test_sanitizers_look_at_all_files() -> None:
    needs("c")
    game = get("intensity")
    source = (game.folder / "kit" / "intensity.c").read_text()
    call = source.replace("int main(void)\n{", "int spoil(int);\nint main(void)\n{\n    spoil(9);")
    assert call != source
    spoil = "int spoil(int n)\n{\n    int a[4];\n    a[n] = 1;\n    return a[n];\n}\n"
    files = {"src/main.c": call.encode(), "src/deep/spoil.c": spoil.encode()}
    options = game.options({}, game.preset().name)
    found = sanitize.inspect(game, files["src/main.c"], "src/main.c", options, folder=files)
    assert found is not None
    assert found.sentences[0].startswith("Array index out of range at spoil.c line 4, function spoil")


# Kits -----------------------------------------------------------------------------------------------------------------


KITS = {
    "c": {  # with a copy of the kit that somebody changed
        "src/bot.c": kit("random.c").decode(),
        "src/luck.c": '#include "luck.h"\nint lucky(void) { return 7; }\n',
        "src/luck.h": "int lucky(void);\n",
        "kit/acm98.c": "#error ours is used\n",
        "kit/acm98.h": "#error ours is used\n",
    },
    "pascal": {
        "random.pas": kit("random.pas").decode().replace("uses\n", "uses\n  luck, ", 1),
        "lib/luck.pas": "unit luck;\ninterface\nimplementation\nend.\n",
    },
    "python": {
        "bot/main.py": "import luck\n" + kit("random_player.py").decode(),
        "bot/luck.py": "LUCK = 7\n",
        "README.md": "Lucky.",
    },
}
"""The random player of a kit beside files of its author's own."""


def test_drafts_beside_a_python_bot_are_only_complained_of(db: None) -> None:
    needs("python")
    cast = make_cast(preset="open", options={"target": 30, "time_limit": 1})
    files = {"main.py": KITS["python"]["bot/main.py"], "luck.py": "", "old.py": "print 1\n", "older.py": "def f(x\n"}
    uploads = [Upload(path, text.encode()) for path, text in files.items()]
    process(intake.receive(cast.aces, cast.alice, uploads).submission.pk)
    version = cast.aces.submissions.get()
    assert version.state == "ready", (version.verdict, version.build_log)
    (finding,) = version.findings
    assert "(old.py, line 1)" in finding["text"]
    assert "(older.py, line 1)" in finding["text"]


@pytest.mark.parametrize("language", sorted(KITS))
def test_the_routines_of_a_kit_are_called_in_a_folder(language: str, db: None) -> None:
    """From the upload to the check, which calls the author's routines through the kit's harness."""
    needs(language)
    cast = make_cast(preset="open", options={"target": 30, "time_limit": 1}, languages=["c", "pascal", "python"])
    uploads = [Upload(f"mine/{path}", text.encode()) for path, text in KITS[language].items()]
    version = intake.receive(cast.aces, cast.alice, uploads).submission
    assert version.is_folder
    process(version.pk)
    version.refresh_from_db()
    assert version.state == "ready", (version.verdict, version.build_log)
    assert version.filename in version.run_command or "bot" in version.run_command
    Artifact.objects.all().delete()
    version.refresh_from_db()
    again = build.artifact_of(version)
    assert set(unpack(again.content())) >= set(version.all_files())
