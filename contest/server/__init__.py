"""Running the portal: its processes, the web server, the private broker, the workers, the ports for teams' programs,
health and logs.

Nothing here knows contests, teams or accounts.
"""
