"""What the web server runs: Django, behind two checks of a request's header and the pages for strangers.

Only a proxy is believed about who asks, because anybody could send `X-Forwarded-For`. And what is too large is refused
before it is read: Django takes a request in until its end, and only then asks who sent it (contest/body_limits.py).
"""

from __future__ import annotations

import os
from ipaddress import ip_address, ip_network

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")
portal = get_asgi_application()

from django.conf import settings  # noqa: E402  (they are there now)

from contest import urls  # noqa: E402, F401  (all pages, so that the processes of the web server share them)
from contest.body_limits import UPLOAD, VISITOR  # noqa: E402
from contest.strangers import Receive, Scope, Send, Strangers, is_personal  # noqa: E402
from games.server.door import plain  # noqa: E402

pages = Strangers(portal)
PROXIES = [ip_network(each, strict=False) for each in settings.PROXY_ADDRESSES]
TOLD_BY_PROXIES = frozenset(
    (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-forwarded-port", b"x-real-ip")
)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        if not _is_proxy((scope.get("client") or ("",))[0]):
            scope["headers"] = [each for each in scope["headers"] if each[0] not in TOLD_BY_PROXIES]
        headers = dict(scope["headers"])
        if b"transfer-encoding" in headers:
            await _refuse(send, 411, "Send the length of the request.")
            return
        length, most = headers.get(b"content-length", b"0"), VISITOR + (UPLOAD if is_personal(headers) else 0)
        if not length.isdigit() or int(length) > most:
            await _refuse(
                send, 413, f"The request is too large, and nothing was stored. An upload may have {UPLOAD >> 20} MB."
            )
            return
    await pages(scope, receive, send)


def _is_proxy(peer: str) -> bool:
    """Whether to believe what this machine says about who asks. Without an address it is a private socket."""
    if not peer:
        return True
    return any(ip_address(plain(peer)) in network for network in PROXIES)


async def _refuse(send: Send, status: int, text: str) -> None:
    body = f"{text}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": body})
