"""What browsers are told beside the content security policy, forms that are sent twice or too late, and pages for
requests that fail in ways of their own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.core.exceptions import BadRequest
from django.db import DataError, IntegrityError, connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from contest.models import AnsweredRequest, User

UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone", "midi"),
    *("payment", "publickey-credentials-get", "usb", "xr-spatial-tracking"),
)
PERMISSIONS = ", ".join(f"{name}=()" for name in UNUSED)
NUL = "\x00"


class NoLonger(Http404):
    """It was here, and is not kept any longer. The text says why, as a sentence."""


class BrowserHeaders:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        framed = request.resolver_match is not None and request.resolver_match.url_name == "embed"  # by other sites
        response.headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin" if framed else "same-origin")
        return response


class OwnCookie(CookieStorage):
    cookie_name = settings.MESSAGES_COOKIE_NAME


class Messages(FallbackStorage):
    storage_classes = (OwnCookie, SessionStorage)


TOKEN = "csrfmiddlewaretoken"
REDIRECTS = (302, 303)


class Once:
    """A form that is sent twice is carried out once. Django masks the CSRF token anew for each page, so two requests
    with the same token and content come from one form as it was shown.

    The note is written in the transaction of the action, so a second request waits for the first. A form that leads
    back to itself, because something in it is wrong, may be sent again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method != "POST" or not isinstance(request.user, User) or _reads_for_itself(request):
            return self.get_response(request)
        digest = form_digest(request)
        if not digest:
            return self.get_response(request)
        try:
            with transaction.atomic():
                row = AnsweredRequest.objects.create(user=request.user, key=f"form {digest}", asked=digest)
                response = self.get_response(request)
                if response.status_code >= 500 or connection.needs_rollback:
                    transaction.set_rollback(True)
                elif response.status_code in REDIRECTS:
                    row_now = AnsweredRequest.objects.filter(pk=row.pk)  # none, if the action deletes the account
                    row_now.update(status=response.status_code, headers={"Location": response["Location"]})
                else:
                    row.delete()
                return response
        except IntegrityError:
            earlier = AnsweredRequest.objects.get(user=request.user, key=f"form {digest}")
            messages.info(request, "This form was sent twice and carried out once.")
            return redirect(earlier.headers["Location"])


def form_digest(request: HttpRequest) -> str:
    """What a form that is sent twice has in common, and nobody can guess. Blank if this is no form with a token."""
    if TOKEN not in request.POST:
        return ""
    files = [(name, it.name, it.size) for name, many in request.FILES.lists() for it in many]
    content = repr((request.get_full_path(), [*request.POST.lists()], files))
    return hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()


def _reads_for_itself(request: HttpRequest) -> bool:
    """The API and uploads, which have rules of their own for what is sent twice."""
    try:
        return bool(getattr(resolve(request.path_info).func, "csrf_exempt", False))
    except Resolver404:
        return True


NOT_DONE = "You are logged out, so nothing was done. Please log in and send it again."
UNKEPT = re.compile(rf"{TOKEN}|initial-.*|.*password.*|seen|kept|paths", re.IGNORECASE)


def unsent(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form that came without a session or with an old token: what was typed, and the way back."""
    page, ended = page_of_form(request), not request.user.is_authenticated
    secret = "" if _is_about_a_contest(request) else "code"  # a second factor; of a team, it is an invitation
    lists = [(name, values) for name, values in request.POST.lists() if name != secret]
    typed = [(name, it) for name, values in lists for it in values if it.strip() and not UNKEPT.fullmatch(name)]
    back = f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': page})}" if ended else page
    context = {"page": page, "back": back, "ended": ended, "typed": typed, "had_files": bool(request.FILES)}
    return render(request, "403_csrf.html", context, status=403)


def page_of_form(request: HttpRequest) -> str:
    """The address of the page on which the form was. If the browser keeps it to itself: the contest's, or the first."""
    told = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(told, {request.get_host()}, require_https=request.is_secure()):
        return urlsplit(told)._replace(scheme="", netloc="", fragment="").geturl() or "/"
    slug = request.resolver_match.kwargs.get("slug") if request.resolver_match else None
    return reverse("contest", args=[slug]) if slug else reverse("home")


class Failures:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method != "POST" or request.user.is_authenticated:
            return response
        to_login = response.get("Location", "").startswith(f"{reverse(settings.LOGIN_URL)}?next=")
        hidden = response.status_code == 404 and _is_about_a_contest(request) and TOKEN in request.POST  # if private
        if hidden or (to_login and TOKEN in request.POST):
            return unsent(request)
        if not to_login:
            return response
        messages.warning(request, NOT_DONE)
        return redirect_to_login(page_of_form(request))

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A page about what is kept no longer; the API has its own answers (contest/api/problems.py). And a refusal of
        text that the database cannot hold: forms refuse it, but pages that read an address or a field themselves would
        fail with an error of ours. PostgreSQL takes no NUL; nothing but the query has failed by then."""
        if isinstance(error, NoLonger):
            return render(request, "410.html", {"why": str(error)}, status=410)
        if isinstance(error, DataError) and _has_nul(request):
            raise BadRequest("no text has a NUL character") from error
        return None


def _is_about_a_contest(request: HttpRequest) -> bool:
    return bool(request.resolver_match and {"slug", "match_id", "note_id"} & request.resolver_match.kwargs.keys())


def _has_nul(request: HttpRequest) -> bool:
    sent = [value for data in (request.GET, request.POST) for values in data.lists() for value in values[1]]
    return any(NUL in text for text in [request.path_info, *map(str, sent)])


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Whom to tell about a hole (RFC 9116), if the operator has said it."""
    if not settings.SECURITY_CONTACT:
        raise Http404("the operator has named nobody")
    expires = (timezone.now() + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ")
    here = f"Canonical: {request.build_absolute_uri(request.path)}\n"
    contacts = "".join(f"Contact: {each}\n" for each in settings.SECURITY_CONTACT)
    return HttpResponse(f"{contacts}Expires: {expires}\n{here}", content_type="text/plain; charset=utf-8")
