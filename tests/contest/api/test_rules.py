"""Rules, languages and kits for programs."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client

from contest import languages
from contest.models import Contest
from tests.cast import Cast, make_cast
from tests.programs import ALL, program

API = "/api/v1/contests/spring-cup"


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(options={"target": 42}, languages=["cpp", "python"])


def test_the_rules_as_the_page_shows_them(cast: Cast) -> None:
    told = Client().get(f"{API}/rules").json()
    assert "reaches 42 points" in told["markdown"]
    assert told["html"] in Client().get("/c/spring-cup/rules/").content.decode()
    assert {it["name"]: it["value"] for it in told["options"]} == cast.contest.full_options()
    assert {it["name"]: it["value"] for it in told["options"]}["target"] == 42
    assert [it["name"] for it in told["kits"]] == ["cpp", "python", "all"]


def test_a_kit(cast: Cast) -> None:
    address = next(it["address"] for it in Client().get(f"{API}/rules").json()["kits"] if it["name"] == "python")
    kit = Client().get(address)
    assert kit["Content-Type"] == "application/zip"
    assert "tricky_eights-python/rules.md" in ZipFile(BytesIO(kit.content)).namelist()
    assert kit.content == Client().get("/c/spring-cup/kit/python.zip").content
    assert Client().get(address, headers={"If-None-Match": kit["ETag"]}).status_code == 304
    assert Client().get(f"{API}/kits/cobol").json()["code"] == "not_found"


def test_languages_with_their_limits(cast: Cast) -> None:
    Contest.objects.update(memory_mb=8)
    told = Client().get(f"{API}/languages").json()
    assert [it["slug"] for it in told["languages"]] == ["cpp", "python"]
    assert told["memory_mb"] == 8
    assert {it["slug"]: it["fits"] for it in told["languages"]} == {
        slug: languages.table()[slug].memory_floor <= 8 * languages.MEGABYTE for slug in ("cpp", "python")
    }
    assert next(it for it in told["languages"] if it["slug"] == "python")["toolchain"].startswith("Python")
    Contest.objects.update(languages=[])
    assert len(Client().get(f"{API}/languages").json()["languages"]) == len(languages.table())


def test_a_private_contest_has_none_of_it_for_strangers(cast: Cast) -> None:
    Contest.objects.update(visibility="private")
    for rest in ("rules", "languages", "kits/python", "announcements", "questions"):
        for client in (Client(), program(cast.zoe, *ALL), program(cast.alice)):
            assert client.get(f"{API}/{rest}").status_code == 404
        assert program(cast.alice, "bot").get(f"{API}/{rest}").status_code == 200
