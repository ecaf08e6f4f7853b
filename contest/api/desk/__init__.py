"""The organisers' part of the API that concerns the contest and its people. Stages and matches: `tournaments.api.desk`.

Its addresses stand below `contests/SLUG/desk/`, as the pages of the desk do. They need a token of the scope `desk`, and
the roles have the same rights as on the pages.
"""
