"""What everybody sees of the tournaments: brackets, standings, matches, replays, the story of a team.

`contest.permissions.contest_page` guards the pages of a contest, `replays.visible_match` the pages of a match, and what
of the results they may show they ask `visibility.sight`. The number of queries of a page does not depend on the number
of its rows (benchmarks/pages.py).
"""
