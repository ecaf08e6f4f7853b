"""Fields and parameters that an address does not take: a misspelt name is refused, so nothing happens that nobody
meant. Reading ignores unknown parameters, because it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from contest.api.problems import Problem, wrong

WITH_A_BODY = ("POST", "PUT", "PATCH")
EVERYWHERE = frozenset({"csrfmiddlewaretoken", "as"})


def refuse_unknown(view: APIView, request: Request, also: Iterable[str]) -> None:
    """Raise Problem if an action has a field or a parameter that is neither in the schema of this address nor in
    `also`."""
    if request.method is None or request.method in SAFE_METHODS or not hasattr(view, request.method.lower()):
        return
    _compare(request.query_params, parameters_of(view, request.method) | {*also}, "parameter")
    if request.method in WITH_A_BODY and isinstance(request.data, Mapping):
        _compare(request.data, fields_of(view, request.method) | {*also}, "field")


def _compare(sent: Iterable[object], known: frozenset[str], what: str) -> None:
    unknown = [str(name) for name in sent if name not in known | EVERYWHERE]
    if unknown:
        raise refusal(unknown, known, what=what)


def refusal(unknown: list[str], known: Iterable[str], here: str = "This address", what: str = "field") -> Problem:
    """What to say about names that are not among the known ones."""
    known = sorted(known)
    near = get_close_matches(unknown[0], known, 1)
    if near:
        hint = f"Did you mean “{near[0]}”?"
    else:
        hint = f"{here} takes {', '.join(known)}." if known else f"{here} takes no {what}s."
    problem = wrong(unknown[0], f"There is no {what} “{unknown[0]}” here. {hint}")
    problem.errors += [{"field": name, "detail": f"There is no {what} “{name}” here."} for name in unknown[1:]]
    return problem


def _schema(view: APIView, method: str) -> Any:
    schema = getattr(view, method.lower()).kwargs["schema"]()
    schema.view, schema.method = view, method
    return schema


def parameters_of(view: APIView, method: str) -> frozenset[str]:
    """The parameters of the query that the schema gives to this method."""
    found = _schema(view, method).get_override_parameters()
    return frozenset(each.name for each in found if each.location == OpenApiParameter.QUERY)


def fields_of(view: APIView, method: str) -> frozenset[str]:
    """The names that the schema gives to what this method takes."""
    asked = _schema(view, method).get_request_serializer()
    bodies = asked.values() if isinstance(asked, dict) else [asked]
    return frozenset().union(*(_names(body) for body in bodies if body is not None))


@cache
def _names(body: Any) -> frozenset[str]:
    return frozenset(body().get_fields())
