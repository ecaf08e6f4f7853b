"""What the API's description (OpenAPI 3.1) says of every address."""

from __future__ import annotations

import inspect
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from contest.api.desk.views import DRY_RUN, PREVIEWED
from contest.api.idempotency import HEADER
from contest.api.problems import CONTENT_TYPE, ProblemBody
from contest.api.views import scopes_of

CONDITION = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of your last answer: 304 while it is the newest.",
)
KEY = OpenApiParameter(
    HEADER, str, OpenApiParameter.HEADER, description="A name for this request. Sent again, it does nothing twice."
)
PROBLEMS = {
    "400": "The request cannot be read: its JSON, its cursor or its key.",
    "401": "The token is unknown, has expired or was revoked, or one is needed.",
    "403": "Your role, or the scope of the token, does not allow this.",
    "404": "This does not exist, or you are not allowed to see it.",
    "409": "The request was refused, and nothing has changed.",
    "413": "The request is too large, and nothing was stored.",
    "415": "The request is neither JSON nor a form.",
    "422": "Something in the request is wrong; `errors` names the fields.",
    "429": "Too many requests; `Retry-After` says when to try again.",
}


class Schema(AutoSchema):
    """An address with what all addresses have in common."""

    def get_override_parameters(self) -> list[Any]:
        found: list[Any] = [*super().get_override_parameters(), *getattr(self.view, "parameters", ())]
        if getattr(self.view, "previews", False) and self.method in PREVIEWED:
            found.append(DRY_RUN)
        if self.method == "GET":
            found.append(CONDITION)
        elif self.method == "POST":
            found.append(KEY)
        return found

    def get_description(self) -> str:  # type: ignore[override]
        """The docstring of the address itself, not of what it inherits from."""
        return inspect.cleandoc(vars(type(self.view)).get("__doc__") or "")

    def map_parsers(self) -> list[str]:
        """JSON alone. Forms work too, but clients made from the schema would send a request in both ways at once."""
        return ["application/json"]

    def get_auth(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = list(super().get_auth())
        return found if scopes_of(self.view, self.method) else [*found, {}]

    def get_tags(self) -> list[str]:
        tag = getattr(self.view, "tag", None)
        return [tag] if tag else super().get_tags()

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation:
            if self.method == "GET":
                operation["responses"].setdefault("304", {"description": "Nothing has changed since that ETag."})
            for status, said in PROBLEMS.items():
                if status not in operation["responses"] and self._may_happen(status):
                    operation["responses"][status] = self._problem(said)
        return operation

    def _may_happen(self, status: str) -> bool:
        if status == "409":
            return self.method != "GET"
        if status == "422":
            return self.method != "DELETE"
        return status not in ("413", "415") or self.method not in ("GET", "DELETE")

    def _problem(self, said: str) -> dict[str, Any]:
        found = self._get_response_for_code(OpenApiResponse(ProblemBody, said), "400", [CONTENT_TYPE])
        return {**found, "description": said}
