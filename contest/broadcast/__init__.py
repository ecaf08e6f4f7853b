"""Games in progress, followed card by card.

    publish    the referee's events on their way to Redis; whoever plays a match never waits for it
    channel    reads them again, from any position
    following  what a view answers to a browser that asks for what is new

A *broadcast* is the events of a game in progress as its referee writes them. Its *channel* names it: `match:17:2` is
the second attempt at match 17. It lives in Redis beside the cache, holds everything in full, and never leaves the
server as it is: what readers may see is folded out of it as out of a record. The record remains the truth, so a
broadcast that is lost costs nothing but the pleasure of watching.
"""
