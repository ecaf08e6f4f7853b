"""The contest server for clients on other machines: who comes in (`door`, `teams`), how a team is reached (`line`), and
who plays whom (`ladder`, `practice`). Connections know nothing of scheduling: a portal brings its own teams for that.

    door = Door(("0.0.0.0", 9999), game, roster, welcome)  # calls welcome(team, stream) for everybody it lets in
    line = TeamLine(); line.attach(stream)                # any thread
    player = LinePlayer(line)                             # a participant for the referee, in another thread
"""

import resource


def make_room() -> None:
    """Three descriptors for each team; many systems begin with 1024 for all, but give more to whoever asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
