"""The public pages of tournaments: brackets, standings, matches, replays, team pages.

`contest.permissions.contest_page` guards the pages of a contest, `replays.visible_match` those of a match. Both ask
`visibility.sight` which results they may show. The number of queries of a page does not depend on its number of rows
(benchmarks/pages.py).
"""
