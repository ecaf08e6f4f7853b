"""The contest server for teams' own programs."""
