"""Logging in to portals, and what a command is about: which portal, which contest, with which token."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from contest import teams
from contest.models import ApiToken, Contest
from games.portal import store
from tests.cast import Cast, make_cast, make_contest, make_team
from tests.kibitz.conftest import Kibitz, token
from tests.kibitz.middleman import ELSEWHERE, LOGIN_PAGE, between
from tests.ports import free_port


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()


@pytest.fixture
def url(live_server: Any) -> str:
    return str(live_server.url)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_token_is_kept_where_only_its_owner_can_read_it(cast: Cast, url: str, kibitz: Kibitz, home: Path) -> None:
    old = os.umask(0)
    try:
        ran = kibitz("login", url, "--token", token(cast.alice, "bot", "team"))
    finally:
        os.umask(old)
    assert (ran.status, "alice" in ran.out, ran.err) == (0, True, "")
    path = home / ".config/kibitz/portals.json"
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    path.chmod(0o644)
    ran = kibitz("whoami", "--json")
    assert (ran.json["username"], ran.json["scopes"]) == ("alice", ["bot", "team"])
    assert mode(path) == 0o600
    assert "private again" in ran.err
    assert "kibitz_" not in ran.out + ran.err
    assert "spring-cup" in kibitz("whoami").out


def test_the_address_of_a_page_is_as_good_and_no_token_is_typed_for_a_wrong_one(
    cast: Cast, url: str, kibitz: Kibitz
) -> None:
    ran = kibitz("login", f"{url}/c/{cast.contest.slug}/my/", "--token", token(cast.alice, "bot", "team"))
    assert (ran.status, f"Logged in to {url} as alice" in ran.out) == (0, True)
    nobody = f"http://127.0.0.1:{free_port()}"
    ran = kibitz("login", nobody)
    assert (ran.status, f"{nobody} cannot be reached" in ran.err, "No token" in ran.err) == (4, True, False)


def test_a_wrong_token_is_not_kept(cast: Cast, url: str, kibitz: Kibitz) -> None:
    ran = kibitz("login", url, "--token", "kibitz_nonsense")
    assert ran.status == 3
    assert f"{url}/accounts/tokens/" in ran.err
    assert not store.tokens_file().exists()


def test_a_revoked_token_says_what_to_do(cast: Cast, url: str, kibitz: Kibitz) -> None:
    kibitz("login", url, "--token", token(cast.alice, "bot"))
    ApiToken.objects.get().revoke()
    ran = kibitz("versions", "-c", "spring-cup", "--json")
    assert (ran.status, ran.out) == (3, "")
    assert (ran.error["code"], ran.error["status"]) == ("authentication_failed", 401)
    assert "kibitz login" in ran.error["hint"]


def test_a_token_without_the_scope_names_it(cast: Cast, url: str, kibitz: Kibitz) -> None:
    kibitz("login", url, "--token", token(cast.alice, "team"))
    ran = kibitz("versions")
    assert ran.status == 3
    assert "“bot”" in ran.err


def test_several_portals(cast: Cast, url: str, kibitz: Kibitz) -> None:
    other = url.replace("localhost", "127.0.0.1")
    kibitz("login", url, "--token", token(cast.alice, "bot"))
    kibitz("login", other, "--token", token(cast.carl, "bot"))
    assert kibitz("whoami", "--json").json["username"] == "carl"
    assert kibitz("whoami", "--portal", "localhost", "--json").json["username"] == "alice"
    assert [it["current"] for it in kibitz("portals", "--json").json] == [False, True]
    assert kibitz("logout").status == 0
    assert kibitz("whoami", "--json").json["username"] == "alice"
    assert kibitz("logout", "--all", "--json").json == {"logged_out": [url]}
    ran = kibitz("whoami")
    assert (ran.status, "kibitz login" in ran.err) == (3, True)


def test_a_build_server_needs_no_file(
    cast: Cast, url: str, kibitz: Kibitz, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_TOKEN", token(cast.alice, "bot"))
    (home / ".kibitz").write_text("portal = https://thief.example\n")
    ran = kibitz("whoami")  # the token must not follow a file of the repository
    assert (ran.status, "KIBITZ_PORTAL" in ran.err) == (2, True)
    monkeypatch.setenv("KIBITZ_PORTAL", url)
    assert kibitz("whoami", "--json").json["username"] == "alice"
    assert not (home / ".config").exists()


def test_a_team_is_told_its_own_deadline(cast: Cast, url: str, kibitz: Kibitz) -> None:
    later = cast.contest.upload_deadline + timedelta(days=1)
    teams.extend_uploads(cast.aces, cast.ada, later, "A power cut.")
    over = timezone.now()
    Contest.objects.update(opens_at=over - timedelta(days=1), entry_deadline=over, upload_deadline=over)
    for person, told in ((cast.alice, True), (cast.carl, False)):
        kibitz("login", url, "--token", token(person, "team"))
        assert ("A power cut." in kibitz("team").out) is told
        out = kibitz("contests").out
        assert (f"{later.astimezone():%Y-%m-%d %H:%M}" in out, "closed" in out) == (told, not told)
        (listed,) = kibitz("contests", "--json").json
        assert (listed["your_uploads_until"] is not None) is told


def test_the_contest_is_named_chosen_or_the_only_one(cast: Cast, url: str, kibitz: Kibitz, home: Path) -> None:
    kibitz("login", url, "--token", token(cast.alice, "team"))
    assert kibitz("team", "--json").json["name"] == "Aces"
    for name in ("Summer Cup", "Winter Cup"):
        make_team(make_contest(name=name), cast.alice, f"{name} Aces")
    ran = kibitz("team", "--json")
    assert (ran.status, ran.error["code"], "winter-cup" in ran.error["detail"]) == (2, "ambiguous", True)
    assert kibitz("use", "summer-cup").status == 0
    assert kibitz("team", "--json").json["name"] == "Summer Cup Aces"
    assert kibitz("use", "winter-cup", "--here").status == 0
    folder = home / "src"
    folder.mkdir()
    os.chdir(folder)
    assert kibitz("team", "--json").json["name"] == "Winter Cup Aces"
    assert kibitz("team", "-c", "spring-cup", "--json").json["name"] == "Aces"
    ran = kibitz("use", "autumn-cup")
    assert (ran.status, "autumn-cup" in ran.err, "kibitz contests" in ran.err) == (2, True, True)


def test_a_certificate_that_nobody_knows_is_refused_until_it_is_named(
    kibitz: Kibitz, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed (apt-get install openssl)")
    path = home / "school.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    make += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(home / "key.pem"), "-out", str(path)]
    subprocess.run(make, check=True, capture_output=True)
    both = home / "both.pem"
    both.write_text((home / "key.pem").read_text() + path.read_text())
    with between(certificate=both) as server:
        ran = kibitz("login", server.url, "--token", "x", "--json")
        assert (ran.status, ran.error["code"], "SSL_CERT_FILE" in ran.error["hint"]) == (4, "tls", True)
        assert server.asked == []
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        server.mishaps = [LOGIN_PAGE]
        assert kibitz("login", server.url, "--token", "x", "--json").error["code"] == "no_portal"


def test_no_token_follows_a_redirect(kibitz: Kibitz) -> None:
    with between() as server:
        server.mishaps = [ELSEWHERE]
        ran = kibitz("login", server.url, "--token", "x")
    assert (ran.status, "thief.example" in ran.err) == (2, True)
    assert len(server.asked) == 1


def test_the_page_of_a_hotel_is_no_portal(kibitz: Kibitz) -> None:
    with between() as server:
        server.mishaps = [LOGIN_PAGE]
        ran = kibitz("login", server.url, "--token", "x", "--json")
    assert (ran.status, ran.error["code"]) == (2, "no_portal")
