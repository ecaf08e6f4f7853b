"""A request: who asks (the holder of a token, or somebody who is logged in), how often they may, and its JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from contest.models import ApiToken, User

if TYPE_CHECKING:  # that module reads the settings, which name this one
    from rest_framework.views import APIView

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer kibitz_…`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).decode("latin-1").split()
        if not words or words[0].lower() != SCHEME.lower():
            return None
        token = ApiToken.find(words[1]) if len(words) == 2 else None
        if token is None:
            raise AuthenticationFailed("This token is unknown, has expired or was revoked.")
        # For `permissions.access`, which reads the rights of the request's user and must know their limits.
        request._request.api_token = token  # type: ignore[attr-defined]
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="Kibitz"'


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A personal token, made on your account page."}


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


class Json(JSONParser):
    """Refuses half a surrogate pair (`"\\ud800"`), which is valid JSON, but not text."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        found = super().parse(stream, media_type, parser_context)
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ParseError("JSON parse error - a text has half a surrogate pair") from None
        return found
