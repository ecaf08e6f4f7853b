"""What every address of the API has in common."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags, parse_header_parameters
from drf_spectacular.utils import OpenApiParameter
from rest_framework import permissions
from rest_framework.exceptions import NotAuthenticated
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import CharField, Serializer, URLField
from rest_framework.views import APIView

from contest.api import idempotency, paging
from contest.api.problems import NotModified, too_large
from contest.api.unknown import refuse_unknown
from contest.models import ApiToken, Contest, Scope, Team, User
from contest.permissions import Access, access, get_contest
from contest.words import number_in

VERSION = "1"
"""Part of every ETag. Raise it when the same facts are told in other words."""


def scopes_of(view: object, method: str | None) -> tuple[Scope, ...]:
    """The scopes that allow this method; a token needs one of them. Empty: everybody may read."""
    if not hasattr(view, (method or "").lower()):
        return ()  # no such method, and no scope is needed to say so
    needed = getattr(view, "scope", None)
    if method not in permissions.SAFE_METHODS:
        needed = getattr(view, "acting_scope", None) or needed
    return needed if isinstance(needed, tuple) else (needed,) if needed else ()


def has_scope(request: Request, *scopes: Scope) -> bool:
    """Whether the request may do what one of these scopes allows. People who are logged in need none."""
    if isinstance(request.auth, ApiToken):
        return any(request.auth.allows(scope) for scope in scopes)
    return bool(request.user and request.user.is_authenticated)


def demand_scope(request: Request, *scopes: Scope) -> None:
    """Raise NotAuthenticated or PermissionDenied without one of these scopes."""
    if has_scope(request, *scopes):
        return
    if not isinstance(request.auth, ApiToken):
        raise NotAuthenticated()
    names = " or ".join(f"“{scope}”" for scope in scopes)
    raise PermissionDenied(f"This token does not have the scope {names}. Make one that has it.")


class HasScope(permissions.BasePermission):
    """A token must have a scope that the view asks for. People who are logged in need none."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if scopes := scopes_of(view, request.method):
            demand_scope(request, *scopes)
        return True


class ApiView(GenericAPIView):
    """An address. GET answers have an ETag, POST takes an Idempotency-Key, errors are problems."""

    scope: ClassVar[Scope | tuple[Scope, ...] | None] = None
    """What a token must be allowed to do here, or one of several. None: read what everybody may read."""
    acting_scope: ClassVar[Scope | tuple[Scope, ...] | None] = None
    """The same for methods that change something, where it differs."""
    parameters: ClassVar[tuple[OpenApiParameter, ...]] = ()
    """Of the query, whatever the method (for the schema)."""
    further_fields: ClassVar[tuple[str, ...]] = ()
    """What a body may have beside the fields that the schema names."""

    permission_classes = (HasScope,)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[Any, str]:
        """Each address has one form, whatever a client prefers."""
        renderer = self.get_renderers()[0]
        return renderer, renderer.media_type

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        if request.method == "POST" and request.headers.get(idempotency.HEADER) and not _is_too_large(request):
            _ = request.body  # before anybody reads the stream, so that it can be compared
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        in_parts = request.content_type.lower().startswith("multipart/")
        if _is_too_large(request) and (not in_parts or request.headers.get(idempotency.HEADER)):
            raise too_large()
        self.prepare(request)
        refuse_unknown(self, request, self.further_fields)
        if request.method in ("GET", "HEAD"):
            self._answer_unless_modified(request)
        elif request.method == "POST" and (key := idempotency.key_of(request)):
            post = getattr(self, "post")  # noqa: B009
            setattr(self, "post", partial(self._post_once, post, key))  # noqa: B010

    def prepare(self, request: Request) -> None:
        """Find what the address is about, once it is known who asks. Raises Http404 and PermissionDenied."""

    def revision(self) -> str | None:
        """Changes whenever the answer to GET may have changed. None: only the answer itself tells."""
        return None

    @property
    def person(self) -> User:
        """The account in whose name the request is made, in views that need one."""
        if not isinstance(self.request.user, User):
            raise NotAuthenticated()
        return self.request.user

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ["Authorization", "Cookie"])
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if request.method in ("GET", "HEAD") and response.status_code == 200 and isinstance(response, HttpResponse):
            if isinstance(response, Response):
                response.render()
            etag = self._etag() or _weak(hashlib.sha256(response.content).hexdigest()[:32])
            response.headers.setdefault("ETag", etag)
            if _matches(request, etag):
                response = self._not_modified(request, etag)
        return response

    def told(self, body: type[Serializer], found: Any, many: bool = False) -> Any:
        """What `body` tells of a row, or of many."""
        return body(found, many=many, context=self.get_serializer_context()).data

    def piece(self, body: type[Serializer], found: Any) -> Response:
        """The piece of a long list that the request asks for."""
        return self.get_paginated_response(self.told(body, self.paginate_queryset(found), many=True))

    def ndjson(self, rows: Iterable[dict[str, Any]], name: str) -> StreamingHttpResponse:
        """A line of JSON for each row, sent while they are read."""
        return paging.in_lines(rows, name, self._etag())

    def _etag(self) -> str | None:
        revision = self.revision()
        return None if revision is None else _weak(f"{VERSION}.{revision}")

    def _answer_unless_modified(self, request: Request) -> None:
        etag = self._etag()
        if etag is not None and _matches(request, etag):
            raise NotModified(etag)

    def _not_modified(self, request: Request, etag: str) -> Response:
        unchanged = Response(status=304, headers={"ETag": etag})
        return super().finalize_response(request, unchanged)

    def _post_once(self, post: Callable[..., Response], key: str, request: Request, *args: Any, **kwargs: Any) -> Any:
        return idempotency.once(request, self.person, key, _content(request), lambda: post(request, *args, **kwargs))


def _is_too_large(request: Any) -> bool:
    """Whether the body is larger than Django reads at once. Files in a form may be larger."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    return length.isdecimal() and int(length) > (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)


def _content(request: Request) -> bytes:
    """The body without the boundary of its parts, which clients choose at random each time."""
    boundary = parse_header_parameters(request.content_type)[1].get("boundary", "")
    return request._request.body.replace(boundary.encode(), b"") if boundary else request._request.body


def _weak(value: str) -> str:
    return f'W/"{value}"'


def _matches(request: Request, etag: str) -> bool:
    asked = parse_etags(request.headers.get("If-None-Match", ""))
    bare = etag.removeprefix("W/")
    return "*" in asked or any(each.removeprefix("W/") == bare for each in asked)


class Address(URLField):
    """A path, told with the portal's name."""

    def to_representation(self, value: str) -> str:
        return self.context["request"].build_absolute_uri(value)


class NameField(CharField):
    """Somebody's name, blank if there is nobody."""

    def get_attribute(self, instance: Any) -> Any:
        return super().get_attribute(instance) or ""


class ContestView(ApiView):
    """An address below a contest, for everybody who may see it."""

    contest: Contest
    access: Access

    def prepare(self, request: Request) -> None:
        self.contest = get_contest(request._request, self.kwargs["slug"])
        self.access = access(request._request, self.contest)

    def address(self, name: str, *args: object) -> str:
        """Of a page or of the API, below the contest."""
        return self.whole(reverse(name, args=[self.contest.slug, *args]))

    def created(self, told: Any, name: str, *args: object, status: int = 201) -> Response:
        """The answer about something new. `name`: of its address in the API."""
        where = reverse(name, args=[self.contest.slug, *args])
        return Response(told, status, headers={"Location": where})

    def whole(self, path: str) -> str:
        """A path with the portal's name."""
        return self.request.build_absolute_uri(path)

    def own_team(self) -> Team:
        """The reader's team. Raises PermissionDenied without one."""
        if self.access.team is None:
            raise PermissionDenied("You are not in a team of this contest yet.")
        return self.access.team

    def team_asked(self) -> Team:
        """The team in `?team=`, for people with a role, or the reader's own. Raises PermissionDenied and Http404."""
        asked, own = self.request.query_params.get("team", ""), self.access.team
        if not asked or (own and asked == str(own.pk) and has_scope(self.request, Scope.BOT)):
            demand_scope(self.request, Scope.BOT)
            return self.own_team()
        demand_scope(self.request, Scope.DESK)
        team = self.contest.teams.filter(pk=number_in(asked) or 0).first() if self.access.sees_results else None
        if team is None:
            raise Http404("This contest has no such team.")
        team.contest = self.contest
        return team


class MemberView(ContestView):
    """For members of a team: `self.team`."""

    scope = Scope.TEAM
    team: Team

    def prepare(self, request: Request) -> None:
        super().prepare(request)
        self.team = self.own_team()
