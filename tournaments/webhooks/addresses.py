"""Where a webhook may go: to public addresses, and into the networks that the operator allows.

Anybody can enter a contest and make a webhook, so it must not reach what only this machine can: its own services, its
network, the metadata of a cloud. A name is looked up once for each connection, all its addresses are checked, and the
connection goes to one of them, so a name that leads elsewhere a moment later changes nothing.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings

Address = IPv4Address | IPv6Address

REFUSED_V4 = (ip_network("0.0.0.0/8"), ip_network("100.64.0.0/10"), ip_network("192.0.0.0/24"),
              ip_network("192.88.99.0/24"), ip_network("198.18.0.0/15"))  # fmt: skip
"""Beside what Python calls private, reserved, loopback, link-local or multicast: versions of it differ."""
PUBLIC_V6 = ip_network("2000::/3")
REFUSED_V6 = (ip_network("2001::/23"), ip_network("2001:db8::/32"), ip_network("2002::/16"), ip_network("3fff::/20"))
"""Teredo, ORCHID and other special uses; documentation; 6to4, which hides an IPv4 address."""
NAT64 = ip_network("64:ff9b::/96")
"""The IPv4 address is in the last 32 bits. In networks without IPv4, every public IPv4 address looks like this."""


class Unreachable(Exception):
    """The address cannot be reached, or must not be. The message is for the webhook's owner."""


@dataclass(frozen=True, slots=True)
class Place:
    """A checked address, as a socket takes it."""

    family: int
    sockaddr: Any


def is_allowed(address: Address) -> bool:
    """Whether webhooks may connect to this address."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_allowed(address.ipv4_mapped)
        if address in NAT64:
            return is_allowed(IPv4Address(int(address) & 0xFFFFFFFF))
    return is_public(address) or any(address in ip_network(text) for text in settings.WEBHOOK_PRIVATE_NETWORKS)


def is_public(address: Address) -> bool:
    if address.is_private or address.is_multicast or address.is_unspecified or address.is_loopback:
        return False
    if isinstance(address, IPv4Address):
        return not (address.is_reserved or address.is_link_local or any(address in it for it in REFUSED_V4))
    return address in PUBLIC_V6 and not any(address in it for it in REFUSED_V6)


def literal(host: str) -> Address | None:
    """The address, if the host is one and not a name."""
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        return None


def is_refused_by_name(host: str) -> bool:
    """Whether this host can be refused without looking it up: early, while somebody types it."""
    if host == "localhost" or host.endswith(".localhost"):
        return not is_allowed(IPv4Address("127.0.0.1"))
    address = literal(host)
    return address is not None and not is_allowed(address)


def places_of(host: str, port: int, seconds: float) -> list[Place]:
    """Look the host up once, and check every address it has. Raises Unreachable."""
    found = _looked_up(host, port, seconds)
    for _, sockaddr in found:
        address = literal(sockaddr[0])
        if address is None or not is_allowed(address):
            raise Unreachable(f"{host} leads to {sockaddr[0]}, which is not a public address.")
    return [Place(family, sockaddr) for family, sockaddr in found]


def _looked_up(host: str, port: int, seconds: float) -> Sequence[tuple[int, Any]]:
    """In a thread of its own, because the resolver knows no time limit but its own."""
    answer: list[Any] = []

    def look_up() -> None:
        try:
            answer.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answer.append(error)

    thread = threading.Thread(target=look_up, name="resolver", daemon=True)
    thread.start()
    thread.join(seconds)
    if not answer:
        raise Unreachable(f"The name {host} was not resolved in time.")
    if isinstance(answer[0], Exception) or not answer[0]:
        raise Unreachable(f"The name {host} cannot be resolved.")
    return [(family, sockaddr) for family, _, _, _, sockaddr in answer[0]]
