"""The recipes of docs/api.md for build servers, run as those would run them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from submissions.models import Submission
from submissions.process import process
from tests.cast import make_cast
from tests.kibitz.conftest import ROOT, token
from tests.submissions.bots import GOOD_PYTHON, python_bot
from tests.waiting import wait_for

pytestmark = pytest.mark.long("more")

PAGE = (ROOT / "docs/api.md").read_text(encoding="utf-8")


def recipe(beginning: str) -> dict[str, Any]:
    found: dict[Any, Any] = yaml.safe_load(PAGE.partition(f"\n```yaml\n{beginning}")[2].partition("\n```\n")[0].join(
        (beginning, "\n")
    ))  # fmt: skip
    return found


def github() -> tuple[dict[str, str], list[str], str]:
    job = recipe("on:")["jobs"]["upload"]
    return job["env"], [step["run"] for step in job["steps"] if "run" in step], "GITHUB_SHA"


def gitlab() -> tuple[dict[str, str], list[str], str]:
    job = recipe("upload:")["upload"]
    return job["variables"], job["script"], "CI_COMMIT_SHA"


@pytest.mark.parametrize("server", [github, gitlab])
def test_a_push_uploads_the_bot(transactional_db: None, live_server: Any, home: Path, server: Any) -> None:
    cast = make_cast(preset="open", options={"target": 30, "time_limit": 60}, languages=["python"])
    settings, commands, commit = server()
    assert settings["KIBITZ_PORTAL"] == "https://PORTAL"
    environment = {**os.environ, **settings}
    environment |= {"KIBITZ_PORTAL": live_server.url, "KIBITZ_CONTEST": cast.contest.slug}
    environment |= {"KIBITZ_TOKEN": token(cast.alice, "bot")}
    script = "\n".join(commands).replace("bot.c", "bot.py")
    assert "PORTAL/kibitz.pyz" in script

    checkout = home / "checkout"  # not the current folder: Django's live server answers with the files in that one
    checkout.mkdir()

    def push(source: bytes, sha: str) -> int:
        (checkout / "bot.py").write_bytes(source)
        known = Submission.objects.count()
        run = ["bash", "-e", "-c", script]
        variables = {**environment, commit: sha}
        with subprocess.Popen(run, cwd=checkout, env=variables, stdout=subprocess.DEVNULL) as job:
            try:
                wait_for(lambda: job.poll() is not None or Submission.objects.count() > known)
                if job.poll() is None:
                    process(Submission.objects.latest("pk").pk)
                return job.wait(timeout=300)
            finally:
                job.kill()

    assert push(GOOD_PYTHON, "a1") == 0
    assert push(GOOD_PYTHON, "b2") == 0  # another file was changed
    assert push(python_bot(first="import nonsense"), "c3") == 1
    assert [version.state for version in Submission.objects.order_by("number")] == ["ready", "rejected"]
