"""Webhooks do not reach what only the portal's machine can reach, whatever a name says, and whenever it says so."""

from __future__ import annotations

import http.server
import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.exceptions import ValidationError

from tests.tournaments.webhooks.receiver import LOOPBACK, Receiver
from tournaments.webhooks import addresses, post
from tournaments.webhooks.forms import normalised

REFUSED = (
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"),
    *("172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.7"),
    *("203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1"),
    *("64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:10::1", "2001:20::1", "2001:db8::1"),
    *("2002:7f00:1::1", "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1"),
    *("ff02::1", "4000::1"),
)


@pytest.mark.parametrize("text", REFUSED)
def test_special_addresses_are_refused(text: str) -> None:
    assert not addresses.is_allowed(ip_address(text))


def test_the_operator_can_open_networks(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE_NETWORKS = ["192.168.10.0/24", "fd00::/8"]
    allowed = [it for it in REFUSED if addresses.is_allowed(ip_address(it))]
    assert allowed == ["fd12:3456::1"]
    for text in ("192.168.10.7", "::ffff:192.168.10.7"):
        assert addresses.is_allowed(ip_address(text))


# When the connection is made ------------------------------------------------------------------------------------------


def leads_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """The resolver answers so, one after the other, and then knows nothing. Returns what it was asked."""
    asked, left = [], list(answers)

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        if not left:
            raise socket.gaierror
        families = {False: socket.AF_INET, True: socket.AF_INET6}
        return [(families[":" in it], socket.SOCK_STREAM, 6, "", (it, port)) for it in left.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.fixture
def closed(receiver: Receiver, settings: Any) -> Receiver:
    """The receiver is on loopback, which is not opened."""
    settings.WEBHOOK_PRIVATE_NETWORKS = []
    return receiver


def test_a_name_that_leads_to_loopback_only_at_that_moment_is_refused(
    closed: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was public when somebody saved it."""
    url = normalised(f"http://rebind.example.org:{closed.port}/")
    leads_to(monkeypatch, ["127.0.0.1"])
    answer = post.post(url, {}, b"{}")
    assert (answer.status, closed.got) == (None, [])
    assert "127.0.0.1" in answer.error


def test_so_is_a_name_of_which_one_address_is_private(closed: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    leads_to(monkeypatch, ["93.184.216.34", "127.0.0.1"])
    assert "127.0.0.1" in post.post(f"http://both.example.org:{closed.port}/", {}, b"{}").error
    assert closed.got == []


def test_the_name_is_looked_up_once_and_the_checked_address_is_used(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = leads_to(monkeypatch, ["127.0.0.1"])
    assert post.post(f"http://receiver.example.org:{receiver.port}/", {}, b"{}").status == 204
    assert asked == ["receiver.example.org"]
    assert receiver.got[0].headers["host"] == f"receiver.example.org:{receiver.port}"


def test_no_proxy_from_the_environment_is_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1/")
    assert post.post(receiver.url, {}, b"{}").status == 204


# TLS ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Key and certificate of secure.example.org, signed by itself."""
    found = tmp_path / "certificate.pem"
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("secure.example.org")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    found.write_bytes(private + certificate.public_bytes(pem))
    return found


@pytest.fixture
def secure(certificate: Path, settings: Any) -> Iterator[int]:
    """The port of a server with this certificate."""
    settings.WEBHOOK_PRIVATE_NETWORKS = LOOPBACK

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            """Clients that trust nobody hang up."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("host", "trusted", "works"),
    [("secure.example.org", True, True), ("other.example.org", True, False), ("secure.example.org", False, False)],
)
def test_the_certificate_must_be_of_the_name_and_trusted(
    host: str, trusted: bool, works: bool, certificate: Path, secure: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    post._context.cache_clear()
    leads_to(monkeypatch, ["127.0.0.1"])
    answer = post.post(f"https://{host}:{secure}/", {}, b"{}")
    post._context.cache_clear()
    assert (answer.status == 204) == works, answer
    assert works or "certificate is not valid" in answer.error


# What people may enter ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "example.org",
            "ftp://example.org/",
            "https://",
            "https:///x",
            "https://user:key@example.org/",
            "http://[::1",
        ),
        *("http://example.org:0/", "http://example.org:99999/", "http://exa mple.org/", "http://example.org/\r\nX: y"),
        *("http://127.0.0.1/", "http://[::1]/", "http://localhost:8000/", "http://a.localhost/", "http://10.1.2.3/"),
        *("https://example.org/" + "x" * 500, "http://" + "a" * 70 + ".org/", "http://a..b/"),
    ],
)
def test_others_are_refused(typed: str) -> None:
    with pytest.raises(ValidationError):
        normalised(typed)
