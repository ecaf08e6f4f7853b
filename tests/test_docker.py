"""What can be tested of docker/ without Docker: its files agree with `./run`, and its profile confines bots."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from submissions.sandbox import probe

ROOT = Path(__file__).resolve().parent.parent
DOCKER = ROOT / "docker"

CONFINED = """
import ctypes, json, os, sys
lib = ctypes.CDLL("libseccomp.so.2")
lib.seccomp_init.restype = ctypes.c_void_p
lib.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p]
lib.seccomp_load.argtypes = [ctypes.c_void_p]
profile = json.load(open(sys.argv[1]))
context = lib.seccomp_init(0x7FFF0000)  # SCMP_ACT_ALLOW
denied = 0
for rule in profile["syscalls"]:
    for name in rule["names"]:
        number = lib.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # else unknown on this architecture
            assert lib.seccomp_rule_add_array(context, 0x00050000 + rule["errnoRet"], number, 0, None) == 0, name
            denied += 1
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(10001), os.setuid(10001)
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # no-new-privileges, as in compose.yml
assert lib.seccomp_load(context) == 0
from submissions.languages import recognise
from submissions.sandbox import build, probe
built = build(recognise("bot.c"), b"int main(void) { return 0; }", "bot.c", {})
print(json.dumps({"level": probe().name, "said": str(probe()), "denied": denied, "reason": built.reason}))
"""


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((DOCKER / "compose.yml").read_text())


@pytest.fixture(scope="module")
def profile():
    return json.loads((DOCKER / "seccomp.json").read_text())


@pytest.mark.long("machines")
@pytest.mark.parametrize("walls", ["", "landlock"])
def test_bots_can_be_confined_under_the_profile_without_root(walls):
    """The real probe and compiler, with the real bubblewrap and without it, under the rules of seccomp.json."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-docker-"))
    try:
        folder.chmod(0o777)  # the confined process has its own user
        for package in ("games", "submissions"):
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(DOCKER / "seccomp.json", folder)
        python = "/usr/bin/python3" if os.geteuid() == 0 else sys.executable
        run = subprocess.run(
            [python, "-B", "-c", CONFINED, "seccomp.json"], check=False, cwd=folder, capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "KIBITZ_SANDBOX_DIR": str(folder / "sandbox"), "KIBITZ_SANDBOX_WALLS": walls},
            timeout=60,
        )  # fmt: skip
    finally:
        shutil.rmtree(folder)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["denied"] > 40
    weak = walls == "landlock" or probe().name == "landlock"
    assert found["level"] in (("landlock",) if weak else ("full", "limits")), found["said"]
    assert found["reason"] == ""


def test_what_the_sandbox_needs_is_not_forbidden_and_what_breaks_hosts_is(profile):
    denied = {name for rule in profile["syscalls"] for name in rule["names"]}
    assert not denied & {"clone", "clone3", "unshare", "mount", "umount2", "pivot_root", "seccomp"}
    assert not denied & {"process_vm_readv", "process_vm_writev"}, "by which process 1 answers for its bot"
    assert denied >= {
        "bpf",
        "keyctl",
        "kexec_load",
        "init_module",
        "io_uring_setup",
        "open_by_handle_at",
        "userfaultfd",
    }
    assert all(rule["action"] == "SCMP_ACT_ERRNO" for rule in profile["syscalls"])


def test_only_those_who_run_bots_have_the_profile_and_nobody_has_privileges(compose):
    for name in ("prepare", "web", "matches", "builds", "bots", "casual", "clock"):
        service = compose["services"][name]
        assert service["cap_drop"] == ["ALL"]
        assert service["read_only"] is True
        assert "privileged" not in service
        uses_profile = "seccomp=./seccomp.json" in service.get("security_opt", [])
        assert uses_profile == (name in ("matches", "builds", "bots", "casual"))


def composes() -> list[list[str]]:
    """The programs of this machine that read the file: none if neither is installed."""
    found = []
    for program in (["docker-compose"], ["docker", "compose"]):
        with suppress(OSError):
            if not subprocess.run([*program, "version"], check=False, capture_output=True, timeout=60).returncode:
                found.append(program)
    return found


def config(program: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "POSTGRES_PASSWORD"}
    return subprocess.run(
        [*program, "-f", "compose.yml", "config"], check=False, cwd=DOCKER, env=environment | variables,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_the_database_has_no_password_that_everybody_knows(compose):
    services = compose["services"]
    told = [
        services["postgres"]["environment"]["POSTGRES_PASSWORD"],
        *(service["environment"]["DATABASE_URL"] for service in services.values()
          if "DATABASE_URL" in service.get("environment", {})),
    ]  # fmt: skip
    assert len(told) > 5
    assert all(re.search(r"\$\{POSTGRES_PASSWORD:\?[^}]+\}", each) for each in told)
    for program in composes():
        for empty in ({}, {"POSTGRES_PASSWORD": ""}):
            run = config(program, **empty)
            assert run.returncode != 0
            assert "POSTGRES_PASSWORD" in run.stderr
            assert "is not set" in run.stderr


def test_every_queue_is_taken(compose):
    commands = [service.get("command", []) for service in compose["services"].values()]
    named = [(command, option) for command in commands for option in ("-Q", "--queues") if option in command]
    taken = {queue for command, option in named for queue in command[command.index(option) + 1].split(",")}
    assert taken == {"matches", "builds", "portal", "webhooks"}


def test_programs_of_teams_reach_the_contest_server_at_the_ports_that_pages_tell(compose):
    server, environment = compose["services"]["bots"], compose["services"]["web"]["environment"]
    command, told = server["command"], (environment["BOT_PORT"], environment["BOT_TEST_PORT"])
    inside = [command[command.index(option) + 1] for option in ("--port", "--test-port")]
    assert server["ports"] == [f"{outside}:{port}" for outside, port in zip(told, inside, strict=True)]


def test_the_image_has_the_packages_that_run_installs():
    text = (DOCKER / "Dockerfile").read_text()
    listed = re.search(r"--no-install-recommends \\\n(.*?)&&", text, re.S)[1]
    listed = listed.replace("$LANGUAGES", re.search(r'^ARG LANGUAGES="(.*)"$', text, re.M)[1])
    script = (ROOT / "run").read_text()
    wanted = set(re.search(r"^SMALL_PACKAGES=\((.*)\)", script, re.M)[1].split())
    for words in re.findall(r"^  need \S+ (.*)$", script, re.M) + re.findall(
        r"missing\+=\(([a-z0-9 -]+)\)$", script, re.M
    ):
        wanted |= set(words.split())
    assert wanted >= {"bubblewrap", "musl-tools", "python3", "python3-venv", "g++"}
    assert set(listed.replace("\\", " ").split()) >= wanted - {"python3-venv"}
    packages = text.partition("FROM system AS packages")[2].partition("FROM system\n")[0]
    assert "python3-venv" in packages, "which only the stage that makes the environment needs"


def test_the_image_is_built_from_the_lock_with_hashes():
    text = (DOCKER / "Dockerfile").read_text()
    assert "--require-hashes --no-deps -r /srv/requirements.txt" in text
    assert re.search(r"^USER kibitz$", text, re.M)
    assert "chmod 700 /var/lib/kibitz" in text, "a volume takes over the mode of its folder"


def test_secrets_and_state_stay_out_of_the_image():
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".env", "var", ".venv", "tests"} <= set(ignored)
    made = (DOCKER / "Dockerfile").read_text().rpartition("FROM system\n")[2]
    assert "VAR_DIR=/tmp/first" in made
    assert "&& rm -r /tmp/first" in made
