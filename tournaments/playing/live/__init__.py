"""The contest server: teams whose own programs connect to it play the contest's matches there (manage.py botserver).

    lobby    who may come in, who is there, and what the teams' pages say of it; the test port
    tables   matches in which somebody plays through a connection: claimed, played, written
    server   one process for all of it: keeps the duty, looks around, leaves in order

Theory of operation. The listening ports and everybody who is not yet in belong to a thread for each port
(games.server.door); every match and everybody who practises has a thread; results are written by one more, so that
a hundred matches do not fight for the database. The main thread looks around four times a second: it claims matches,
renews the leases of all of them with one UPDATE, and confirms who is connected with another. Threads talk to each other
through lines (games.server.line), a queue of results, and flags.

There is one server for all: it holds the duty `botserver` like a lease, and whoever takes it over puts what the last
one was playing back into the queue at once. Every result names the attempt, so a server that comes too late changes
nothing.
"""
