"""Which compressions a client takes."""

from __future__ import annotations

from django.http import HttpRequest


def accepts(request: HttpRequest, encoding: str) -> bool:
    """Whether `Accept-Encoding` names this encoding, or any, without refusing it (`q=0`)."""
    offered = {}
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        name, _, quality = part.strip().partition(";")
        offered[name.strip()] = quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return offered.get(encoding, offered.get("*", False))
