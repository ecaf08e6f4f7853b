"""The contest server for clients on other machines: who comes in (`door`, `teams`), and who plays whom (`ladder`,
`practice`). Connections know nothing of scheduling: a portal brings its own teams and its own schedule.

    door = Door(("0.0.0.0", 9999), roster, welcome)       # calls welcome(team, stream) for everybody it lets in
    line = TeamLine(); line.attach(stream)                # any thread
    player = LinePlayer(line)                             # a participant for the referee, in another thread
"""
