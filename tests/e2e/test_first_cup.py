"""What docs/ tells programs to do, on a real portal: the example with `kibitz`, and a client made from the schema."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from games import get
from tests.e2e.portal import OURS, PATIENCE, ROOT, Portal, eventually

pytestmark = pytest.mark.long("machines")

SOURCE = (get("hearts").folder / "kit" / "random.c").read_text()


def environment(portal: Portal) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in OURS and not name.startswith("KIBITZ_")}
    return {**kept, "VAR_DIR": str(portal.folder), "KIBITZ_VENV": sys.prefix, "no_proxy": "*"}


def token(portal: Portal, name: str, *scopes: str) -> str:
    """A token of this person, who has an account from now on."""
    asked = [word for scope in scopes for word in ("--scope", scope)]
    command = [sys.executable, "manage.py", "token", name, "--create", *asked]
    made = subprocess.run(command, cwd=ROOT, env=environment(portal), capture_output=True, text=True, check=True)
    return made.stdout.strip()


def test_the_example_ends_with_its_winner(portal: Portal) -> None:
    command = ["bash", ROOT / "docs/examples/first-cup.sh", portal.url]
    ran = subprocess.run(command, env=environment(portal), capture_output=True, text=True, timeout=600, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "4 of 4 games" in ran.stdout
    answer = re.search(r"^(Version 2 is (?:not )?better than version 1|Undecided)", ran.stdout, re.MULTILINE)
    assert answer, ran.stdout
    assert ("Version 2 is active." in ran.stdout) == (answer[1] == "Version 2 is better than version 1")
    assert re.search(r"^Winner: Team of (anna|ben)$", ran.stdout, re.MULTILINE)
    assert "Traceback" not in ran.stderr


# A client that was made from the schema -------------------------------------------------------------------------------


@pytest.fixture
def api(portal: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """`api("models")` imports a module of the client."""
    command = [Path(sys.prefix) / "bin/openapi-python-client", "generate", "--url", f"{portal.url}/api/v1/schema"]
    config = tmp_path / "config.json"  # it would give a busy portal five seconds to describe itself
    config.write_text(json.dumps({"http_timeout": int(PATIENCE)}))
    command += ["--output-path", tmp_path / "cup_client", "--meta", "none", "--config", config]
    path = f"{sys.prefix}/bin:{os.environ['PATH']}"
    made = subprocess.run(
        command, env={**environment(portal), "PATH": path}, capture_output=True, text=True, check=True
    )
    left_out = re.findall(r"^(?:WARNING|ERROR).*", made.stdout + made.stderr, re.MULTILINE)
    assert [line for line in left_out if "/kits/" not in line] == []  # it knows no ZIP files
    monkeypatch.syspath_prepend(tmp_path)
    return lambda name: importlib.import_module(f"cup_client.{name}")


def test_a_client_made_from_the_schema_plays_a_contest(portal: Portal, api: Callable[[str], Any]) -> None:
    models, patience = api("models"), httpx.Timeout(PATIENCE)  # by default, five seconds for each answer

    def client(name: str, *scopes: str) -> Any:
        key = token(portal, name, *scopes)
        return api("client").AuthenticatedClient(base_url=portal.url, token=key, timeout=patience)

    def call(operation: str, *arguments: Any, **values: Any) -> Any:
        found = api(f"api.{operation}").sync(*arguments, **values)
        assert not isinstance(found, models.ProblemBody), found
        return found

    organiser = client("organiser", "desk")
    rules = models.NewContestBodyRequestOptions.from_dict({"target": 10})
    wish = models.NewContestBodyRequest(name="Client Cup", preset="hearts:open", options=rules)
    slug = call("contests.contests_create", client=organiser, body=wish).slug
    players = [client(name, "bot", "team") for name in ("carla", "dan")]
    for number, player in enumerate(players, 1):
        call("teams.contests_teams_create", slug, client=player, body=models.NewTeamBodyRequest(name=f"Team {number}"))
        upload = models.UploadBodyRequest(source=SOURCE, filename="random.c")
        call("versions.contests_versions_create", slug, client=player, body=upload)

    def states() -> set[str]:
        found = [call("versions.contests_versions_retrieve", slug, 1, client=player) for player in players]
        return {str(version.state) for version in found}

    eventually(lambda: states() == {"ready"}, states)
    cup = models.NewStageBodyRequest(format_=models.FormatEnum.SINGLE_ELIMINATION, name="Final", games=1)
    stage = call("desk_stages.contests_desk_stages_create", slug, client=organiser, body=cup).id
    call("desk_stages.contests_desk_stages_publish_create", slug, stage, client=organiser)
    call("desk_stages.contests_desk_stages_start_create", slug, stage, client=organiser)
    stranger = api("client").Client(base_url=portal.url, timeout=patience)

    def standings() -> Any:
        return call("results.contests_stages_standings_retrieve", slug, stage, client=stranger)

    champion = eventually(lambda: standings().champion, standings)
    assert champion.team in ("Team 1", "Team 2")


# Nothing but curl -----------------------------------------------------------------------------------------------------


def test_the_commands_with_curl_end_with_a_champion(portal: Portal, tmp_path: Path) -> None:
    """Each command of docs/api.md, with the numbers that the ones before it told."""
    page = (ROOT / "docs/api.md").read_text()
    (block,) = (text for text in re.findall(r"\n```\n(.*?)\n```\n", page, re.DOTALL) if "autumn-cup" in text)
    start, _, commands = block.partition("\n\n")
    (tmp_path / "random.c").write_text(SOURCE)
    known = {"PORTAL": portal.url.removeprefix("http://")}
    variables = {**environment(portal), "TOKEN": token(portal, "organiser", "desk")}

    def run(line: str) -> Any:
        script = f"{start}\n{line}".replace("https://PORTAL", "http://PORTAL")
        for name, value in known.items():
            script = script.replace(name, value)
        command = ["bash", "-ec", script]
        ran = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, (line, ran.stdout, ran.stderr)
        return json.loads(ran.stdout) if ran.stdout else None

    for line in commands.splitlines():
        told = run(line)
        if "teams/import" in line:
            known |= {team["name"].upper(): str(team["team_id"]) for team in told["lines"]}
        elif "desk/stages '" in line:
            known["STAGE"] = str(told["id"])
        elif "versions/1" in line:
            eventually(lambda line=line: run(line)["state"] == "ready")
        elif "standings" in line:
            champion = eventually(lambda line=line: run(line)["champion"])
            assert champion["team"] in ("Owls", "Larks")
    assert {"OWLS", "LARKS", "STAGE"} < set(known)
