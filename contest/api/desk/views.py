"""What addresses of the desk have in common: which roles may look and act, and previews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from contest.api.forms import is_true
from contest.api.problems import wrong
from contest.api.views import ContestView
from contest.models import Scope
from contest.permissions import Access

DRY_RUN = OpenApiParameter(
    "dry_run",
    OpenApiTypes.BOOL,
    description="Change nothing, and say what would change. It may also stand in the body.",
)
PREVIEWED = ("POST", "PATCH")  # methods


class DeskView(ContestView):
    """All roles may look, organisers and owners may change. A dry run is a look."""

    tag = "desk"
    scope = Scope.DESK
    further_fields = ("dry_run",)
    previews: ClassVar[bool] = False
    """Whether the actions have previews. Others refuse a dry run instead of acting."""
    dry_run: bool

    def prepare(self, request: Request) -> None:
        super().prepare(request)
        self.dry_run = asks_for_dry_run(request)
        previews = self.previews and request.method in PREVIEWED
        looks = request.method in SAFE_METHODS or (self.dry_run and previews)
        self.demand(self.sees(self.access) if looks else self.acts(self.access))
        if self.dry_run and not looks:
            raise wrong("dry_run", "This action has no preview, so nothing was done.")

    def sees(self, access: Access) -> bool:
        return access.sees_desk

    def acts(self, access: Access) -> bool:
        return access.organises

    @staticmethod
    def demand(allowed: bool) -> None:
        """Raise PermissionDenied unless it is allowed."""
        if not allowed:
            raise PermissionDenied("Your role in this contest does not allow this.")


class OrganiserView(DeskView):
    """For organisers and owners only."""

    def sees(self, access: Access) -> bool:
        return access.organises


class OwnerView(DeskView):
    """All roles may look, owners may change."""

    def acts(self, access: Access) -> bool:
        return access.owns


class RoleView(DeskView):
    """All roles may look and act."""

    def acts(self, access: Access) -> bool:
        return access.sees_desk


def act_views(base: type[DeskView], acts: Mapping[str, tuple[str, str]], **told: Any) -> dict[str, type[DeskView]]:
    """Views of actions that differ only in their `act`, by it. `acts`: summaries and descriptions for the schema, where
    all else is as `told`."""
    found = {}
    for act, (summary, description) in acts.items():
        post = extend_schema(summary=summary, description=description, **told)
        name = f"{act.title().replace('-', '')}{base.__name__}"
        found[act] = extend_schema_view(post=post)(type(name, (base,), {"act": act}))
    return found


def asks_for_dry_run(request: Request) -> bool:
    """Whether the query or the body says `dry_run`. Raises Problem if it is neither yes nor no."""
    asked: object = request.query_params.get("dry_run")
    if asked is None and request.method not in SAFE_METHODS and isinstance(request.data, Mapping):
        asked = request.data.get("dry_run")
    return asked is not None and is_true("dry_run", asked)
