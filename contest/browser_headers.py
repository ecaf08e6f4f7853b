"""What browsers are told beside the content security policy, and whom to tell about a hole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone", "midi"),
    *("payment", "publickey-credentials-get", "usb", "xr-spatial-tracking"),
)
PERMISSIONS = ", ".join(f"{name}=()" for name in UNUSED)


class Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        whose = "cross-origin" if _is_for_other_sites(request) else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", whose)
        return response


def _is_for_other_sites(request: HttpRequest) -> bool:
    """Replays in frames."""
    match = request.resolver_match
    return match is not None and match.url_name == "embed"


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Whom to tell about a hole (RFC 9116), if the operator has said it."""
    if not settings.SECURITY_CONTACT:
        raise Http404("the operator has named nobody")
    expires = (timezone.now() + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ")
    here = f"Canonical: {request.build_absolute_uri(request.path)}\n"
    contacts = "".join(f"Contact: {each}\n" for each in settings.SECURITY_CONTACT)
    return HttpResponse(f"{contacts}Expires: {expires}\n{here}", content_type="text/plain; charset=utf-8")
