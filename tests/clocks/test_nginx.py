"""nginx as documented (docker/nginx.conf) in front of the portal: it keeps what everybody sees, and nothing else."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.contest.server.served import NGINX, Nginx, Server
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import freeze, staged
from tests.tournaments.visitors import CHANCE, MOMENT
from tests.tournaments.worlds import play_on
from tournaments.models import Stage
from tournaments.organising import stages

pytestmark = [
    pytest.mark.promise,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed"),
]

OLDEST = 4.0  # seconds after which nobody is shown anything from before


@pytest.fixture
def nginx(portal_env: dict[str, str], tmp_path: Path) -> Iterator[Nginx]:
    environment = os.environ | portal_env | {"ALLOWED_HOSTS": "localhost", "TRUSTED_PROXIES": "1", "DEBUG": "1"}
    web = Server(settings.VAR_DIR / "behind_nginx.log", environment=environment)
    front = Nginx(tmp_path, web.port)
    yield front
    front.stop()
    web.stop()


def page(nginx: Nginx, address: str, **headers: str) -> tuple[int, str]:
    status, _, body = nginx.get(address, **headers)
    return status, MOMENT.sub(r"\1", CHANCE.sub("", body.decode()))


def test_strangers_get_copies_that_hold_nothing_of_anybody(nginx: Nginx) -> None:
    hall = Hall(4)
    stage = staged(hall, options={"advance": 1})
    client = Client()
    client.force_login(hall.ada)
    own = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    address = stage.get_absolute_url()
    for _ in range(3):
        assert "Log out" in page(nginx, address, Cookie=own)[1]
        assert "Log out" not in page(nginx, address)[1]
    assert list(Path(nginx.log.parent / "cache").iterdir()), "else this test tries nothing"
    freeze(hall)
    time.sleep(OLDEST)
    before, organisers = page(nginx, address), page(nginx, address, Cookie=own)
    (known,) = re.findall(r"\?rev=(\w+)", organisers[1])[:1]
    assert nginx.get(f"{address}?rev={known}", HX_Request="true", Cookie=own)[0] == 204
    play_on(stage)
    for _ in range(3):
        time.sleep(OLDEST / 3)
        assert page(nginx, address) == before
    assert page(nginx, address, Cookie=own) != organisers


def test_what_changes_is_seen_and_what_is_gone_is_gone(nginx: Nginx) -> None:
    hall = Hall(8)
    stage = staged(hall, start=False)
    stages.publish(stage, hall.ada)
    address = f"/c/{hall.contest.slug}/bracket/{stage.pk}/"
    before = page(nginx, address)
    assert before[0] == 200
    stages.start(Stage.objects.get(pk=stage.pk), hall.ada)
    play_on(Stage.objects.get(pk=stage.pk), most=1)
    time.sleep(OLDEST)
    after = page(nginx, address)
    assert after != before
    (revision,) = re.findall(r"\?rev=(\w+)", after[1])[:1]
    for known, status in (("old", 200), (revision, 304)) * 2:
        assert nginx.get(f"{address}?rev={known}", HX_Request="true", If_None_Match=f'"{known}"')[0] == status
    hall.contest.__class__.objects.update(visibility="private")
    time.sleep(OLDEST)
    assert page(nginx, address)[0] == 404
