"""How often somebody may ask: for each token, account or address, by what is asked.

The rates are `REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]`. A view with its own `throttle_scope` has its own rate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from contest.models import ApiToken

if TYPE_CHECKING:  # that module reads the settings, which name this one
    from rest_framework.views import APIView


class Throttle(SimpleRateThrottle):
    def __init__(self) -> None:
        """The rate depends on the request: see `allow_request`."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        reading = request.method in SAFE_METHODS
        default = ("read" if request.user.is_authenticated else "read_anonymously") if reading else "write"
        self.scope = default if reading else getattr(view, "throttle_scope", default)
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: APIView) -> str:
        token = request.auth
        if isinstance(token, ApiToken):
            who = f"token{token.pk}"
        elif request.user.is_authenticated:
            who = f"user{request.user.pk}"
        else:
            who = self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}
