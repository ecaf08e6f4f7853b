"""Casual games: anybody sits down and plays, in the browser. Nothing of it counts, and no other room knows of it.

- `tables`: setting a table, joining, leaving and coming back, under the limits of `limits`.
- `moves`: what a person is asked, and their answer. The browser's answer becomes a row here, in the web server.
- `sitting`: a game as it is played, in a thread of the casual server (`server`, `manage.py casualserver`). Every
  decision is a row before the rules hear of it: whoever inserts its number first has made it. So a person cannot move
  twice, and a server that is killed goes on where it was.
- `news` wakes the server; only the database decides. `people` ends what nobody plays, deletes what
  is old, and hands out what belongs to a person.
"""
