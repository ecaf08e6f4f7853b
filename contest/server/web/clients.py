"""Who asks, and how much of the server one address may take: connections, and requests that are in work or wait."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from contest.server.web.asgi import Scope

logger = logging.getLogger(__name__)

Network = IPv4Network | IPv6Network

OWN = ("127.0.0.0/8", "::1/128")  # addresses of this machine, which are not limited
PREFIX = 56  # bits of an IPv6 address that are the same for all machines of a provider's customer
TOLD_BY_PROXIES = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO",
                   "HTTP_X_FORWARDED_PORT", "HTTP_X_REAL_IP")  # fmt: skip
"""Variables of WSGI that anybody could send. They are believed from a proxy alone."""

MOST_WAITING = 400  # requests of one address that wait for a thread


class Full(Exception):
    """There is no room for more."""


class Clients:
    """Knows the proxies. `proxies`: how many of them, one behind the other, write into `X-Forwarded-For`."""

    def __init__(self, proxies: int = 0, networks: Iterable[str] = OWN) -> None:
        self.proxies = proxies
        self.networks: list[Network] = [ip_network(each, strict=False) for each in networks]
        self.own: list[Network] = [ip_network(each) for each in OWN]
        self.warned = False

    def is_proxy(self, peer: str) -> bool:
        """Whether to believe what this machine says about who asks. Without an address it is a private socket."""
        return not peer or _in(peer, self.networks)

    def address(self, scope: Scope) -> str:
        """The address of the client, as it is counted: of IPv6, its network. Blank: it is not limited."""
        peer = peer_of(scope)
        if self.proxies and self.is_proxy(peer):
            said = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
            names = b",".join(said).decode("latin-1").split(",") if said else []
            peer = names[-min(self.proxies, len(names))].strip() if names else peer
        return "" if _in(peer, self.own) else shortened(peer)

    def limits_connections(self, peer: str) -> bool:
        """Not those of a proxy, which come from many clients."""
        return bool(peer) and not _in(peer, self.own) and not (self.proxies and self.is_proxy(peer))

    def without_lies(self, environ: dict[str, object], peer: str) -> None:
        """Remove what only a proxy may say."""
        if self.is_proxy(peer):
            return
        for name in TOLD_BY_PROXIES:
            if environ.pop(name, None) is not None and self.proxies and not self.warned:
                self.warned = True
                logger.warning("%s of %s is not believed: name your proxies in PROXY_ADDRESSES", name, peer)


def peer_of(scope: Scope) -> str:
    return str((scope.get("client") or ("", 0))[0] or "")


def shortened(address: str) -> str:
    """The address, or of IPv6 the network."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:60]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, PREFIX), strict=False))
    return str(found)


def _in(address: str, networks: Sequence[Network]) -> bool:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found in network for network in networks)


class Places:
    """The threads, which the addresses that ask take in turn. One address never has all of them, except this machine's
    own. `most_of_one` says otherwise: places that are free again soon, whatever a client does."""

    def __init__(self, size: int, most_waiting: int = MOST_WAITING, most_of_one: int = 0) -> None:
        self.free = size
        self.most_of_one = most_of_one or max(size - 2, 1)
        self.most_waiting = most_waiting
        self.taken: Counter[str] = Counter()
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}  # whose turn is next comes first

    async def take(self, address: str) -> None:
        """Wait for a place. Whoever has it calls `give_back`. Raises Full."""
        if self.free and self._may(address) and not self.waiting.get(address):
            self._take(address)
            return
        queue = self.waiting.setdefault(address, deque())
        if address and len(queue) >= self.most_waiting:
            raise Full
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was our turn, and nobody takes it
                self.give_back(address)
            elif turn in queue:
                queue.remove(turn)
                self._forget(address)
            raise

    def give_back(self, address: str) -> None:
        self.free += 1
        self.taken[address] -= 1
        if not self.taken[address]:
            del self.taken[address]
        self._pass_on()

    def _pass_on(self) -> None:
        while self.free:
            address = next((each for each in self.waiting if self._may(each)), None)
            if address is None:
                return
            queue = self.waiting.pop(address)
            turn = queue.popleft()
            if queue:
                self.waiting[address] = queue  # after all others
            if not turn.done():
                self._take(address)
                turn.set_result(None)

    def _take(self, address: str) -> None:
        self.free -= 1
        self.taken[address] += 1

    def _may(self, address: str) -> bool:
        return not address or self.taken[address] < self.most_of_one

    def _forget(self, address: str) -> None:
        if not self.waiting.get(address, True):
            del self.waiting[address]
