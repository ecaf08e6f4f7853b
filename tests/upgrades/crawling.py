"""Every address of a contest, asked with its real ids, and the status of the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.test import Client

from contest.models import Contest, User
from tests.tournaments.visitors import addresses

Match = apps.get_model("tournaments", "Match")


def crawl(contest: Contest) -> dict[str, dict[str, int]]:
    """By reader, the status of every page: for the owner, and for a stranger, who gets only the public ones."""
    asked = sorted(set(pages_of(contest)))
    told = {who: {page: status(client, page) for page in asked} for who, client in readers(contest).items()}
    return {
        who: {
            page: code for page, code in pages.items() if code != 405 and not (who == "stranger" and "/desk/" in page)
        }
        for who, pages in told.items()
    }


def readers(contest: Contest) -> dict[str, Client]:
    owner: User = contest.roles.get(role="owner").user
    inside = Client(raise_request_exception=False)
    inside.force_login(owner)
    return {"stranger": Client(raise_request_exception=False), "owner": inside}


def status(client: Client, page: str) -> int:
    answer = client.get(page)
    if answer.streaming:
        for _ in answer:  # an error during streaming must appear here
            pass
    return answer.status_code


def pages_of(contest: Contest) -> Iterator[str]:
    """With real ids where the contest has any: a few teams and pairs, and the games of one match for every stage and
    state."""
    stages = [stage.pk for stage in contest.stages.order_by("pk")]
    teams = [team.pk for team in contest.teams.order_by("pk")]
    left = [team.pk for team in contest.teams.exclude(state="approved").order_by("pk")]
    matches = Match.objects.filter(contest=contest)
    values: dict[str, list[Any]] = {
        "slug": [contest.slug], "stage_id": stages, "team_id": list({*teams[:1], *left}), "other_id": teams[-2:],
        "team": teams[:1], "name": ["standings.csv"], "role_id": list(contest.roles.values_list("pk", flat=True)),
    }  # fmt: skip
    yield from addresses(values, r"c/<slug:slug>/(?!.*(<int:review_id>|<int:match_id>|<int:member>))")
    for stage in contest.stages.all():
        reviews = [review.pk for review in stage.reviews.order_by("pk")]
        yield from addresses(
            {**values, "stage_id": [stage.pk], "review_id": reviews}, r"c/<slug:slug>/desk/.*review_id"
        )
    for match in matches.order_by("pk"):
        yield f"/m/{match.pk}/"
    for match in sample(matches):
        yield from (f"/m/{match.pk}/1/", f"/m/{match.pk}/1/{contest.game.log_name}", f"/m/{match.pk}/record.json")
        yield f"/c/{contest.slug}/desk/stages/{match.stage_id}/void/{match.pk}/"
    for stage_id in stages:
        yield from (f"/c/{contest.slug}/{page}/?stage={stage_id}" for page in ("standings", "matches"))


def sample(matches: Any) -> list[Any]:
    """One match for every stage and state."""
    by_kind = {(match.stage_id, match.state): match for match in matches.order_by("-pk")}
    return list(by_kind.values())
