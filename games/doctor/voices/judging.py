"""What a game makes of an answer."""

from __future__ import annotations

from collections.abc import Callable

from games.doctor.visit import Exchange
from games.engine import Action, Fault, FaultKind, State

Parse = Callable[[bytes], Action]


def judged(exchange: Exchange, parse: Parse, state: State) -> Action | None:
    """Note what can be read in an exchange, and return the action of its first answer if it is legal."""
    exchange.readable = [can_be_read(parse, line) for line in (*exchange.early, *exchange.came)]
    if not exchange.came:
        return None
    line = exchange.came[0]
    try:
        action = parse(line)
        if not state.is_legal(action):
            raise Fault(FaultKind.ILLEGAL, state.objection(action), line)
    except Fault as fault:
        exchange.fault = fault
        return None
    return None if exchange.spoilt else action


def can_be_read(parse: Parse, line: bytes) -> bool:
    """Whether a line has the form of an answer. It need not be allowed now."""
    try:
        parse(line)
    except Fault as fault:
        return fault.kind is not FaultKind.GARBLED
    return True
