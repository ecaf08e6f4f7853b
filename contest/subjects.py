"""Contests as subjects of clients that wait (contest/waiting.py)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Count, Sum

from contest.models import Contest
from contest.permissions import Access
from contest.waiting import Subjects


def results_of(access: Access) -> Subjects:
    """Everything about a contest that this reader may see, except versions."""
    kind = "all" if access.sees_results else "public"
    return {f"{kind}:{access.contest.pk}": state_of(access)}


def read_all(keys: Collection[int]) -> Mapping[int, str]:
    return _read(keys, sees_all=True)


def read_public(keys: Collection[int]) -> Mapping[int, str]:
    return _read(keys, sees_all=False)


def _read(keys: Collection[int], *, sees_all: bool) -> Mapping[int, str]:
    found = Contest.objects.filter(pk__in=keys).defer("description")
    return {contest.pk: state_of(Access(contest, is_superuser=sees_all)) for contest in found}


def state_of(access: Access) -> str:
    """Changes whenever results change that this reader may know. The phase counts because it changes by the clock, and
    hidden games become public when the contest ends."""
    return f"{access.revision}.{access.contest.phase()}"


def read_portal(keys: Collection[int]) -> Mapping[int, str]:
    """What the portal's front page tells of all public contests together."""
    public = Contest.objects.filter(visibility=Contest.Visibility.PUBLIC)
    found = public.aggregate(count=Count("pk"), revisions=Sum("public_revision"))
    return dict.fromkeys(keys, f"{found['count']}.{found['revisions']}")


READ = {"all": read_all, "public": read_public, "portal": read_portal}
