"""What a copy of a contest is called and when it opens, unless somebody says otherwise."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from contest.models import Contest


def clone_defaults(contest: Contest) -> dict[str, Any]:
    """The initial values of `contest.setup_forms.CloneForm`."""
    now = timezone.localtime().replace(second=0, microsecond=0)
    return {"name": f"{contest.name[:113]} (copy)", "opens_at": now, "roles": True}
