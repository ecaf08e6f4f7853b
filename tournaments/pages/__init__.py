"""What everybody sees of the tournaments: brackets, standings, matches, replays, the story of a team.

`contest.permissions.contest_page` guards the pages of a contest, `Match.objects.visible_to` the pages of a match; the
number of queries of a page does not depend on the number of its rows (benchmarks/pages.py).
"""
