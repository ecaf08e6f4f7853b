"""Copies of pages by the portal's own web server, with two processes that share them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from contest.models import Contest
from tests.cast import make_cast
from tests.contest.server.served import started
from tests.waiting import wait_for

pytestmark = pytest.mark.long("more")


@pytest.mark.django_db(transaction=True)
def test_pages_for_strangers_come_from_copies(portal_env: dict[str, str], tmp_path: Path) -> None:
    cast = make_cast()
    page = cast.contest.get_absolute_url()
    with started(tmp_path / "web.log", environment=portal_env | {"DEBUG": "1"}) as server:
        status, headers, body = server.get(page)
        assert (status, "Spring Cup" in body.decode()) == (200, True)
        assert server.get(page, If_None_Match=headers["etag"])[0] in (200, 304)  # the footer may tell another minute
        assert server.get(page, Accept_Encoding="br")[1]["content-encoding"] == "br"
        assert server.get(f"{page}?rev=1p&wait=1", HX_Request="true")[0] in (200, 204)
        assert not [name for name in headers if name in ("kibitz-shared", "kibitz-revision", "kibitz-waits-for")]

        client = Client()
        client.force_login(cast.olga)
        cookie = f"sessionid={client.cookies['sessionid'].value}"
        assert b"Log out" in server.get(page, Cookie=cookie)[2]
        assert b"Log out" not in server.get(page)[2]

        Contest.objects.filter(pk=cast.contest.pk).update(name="Autumn Cup")
        wait_for(lambda: all(b"Autumn Cup" in server.get(page)[2] for _ in range(6)), server.log.read_text)
        Contest.objects.filter(pk=cast.contest.pk).update(visibility=Contest.Visibility.PRIVATE)
        wait_for(lambda: all(server.get(page)[0] == 404 for _ in range(6)), server.log.read_text)
