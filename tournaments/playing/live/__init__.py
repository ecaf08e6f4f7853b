"""The contest server: teams connect their own programs to it and play the contest's matches (manage.py botserver).

    lobby    who may connect, who is connected, and what the teams' pages say about it; the test port
    tables   matches with connected teams: claimed, played, written
    server   one process for all of it: holds the duty, watches, shuts down in order

Theory of operation. Each port has a thread that listens and handles clients until they are let in
(games.server.door). Each match and each practising program has a thread. One more thread writes results, so that a
hundred matches do not compete for the database. The main thread runs four times a second: it claims matches, renews all
their leases with one UPDATE, and confirms all connections with another. Threads communicate through lines
(games.server.line), a queue of results, and flags.

There is one server for everybody: it holds the duty `botserver` like a lease. A server that takes over requeues the
matches of the last one at once. Every result names the attempt, so a server that is late changes nothing.
"""
