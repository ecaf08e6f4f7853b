"""The contest server for clients on other machines: who comes in (`door`, `teams`), how a team is reached (`line`), and
who plays whom (`ladder`, `practice`). Connections know nothing about scheduling: a portal brings its own teams for
that.

    door = Door(("0.0.0.0", 9999), game, roster, welcome)  # calls welcome(team, stream) for every client it lets in
    line = TeamLine(); line.attach(stream)                # any thread
    player = LinePlayer(line)                             # a participant for the referee, in another thread
"""

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]


def make_room() -> None:
    """Raise the limit of descriptors to three per team. Many systems start with 1024 but allow more on request."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
