"""The REST API under /api/v1: what the pages show and do, for programs.

Here is what every address shares: tokens, refusals, paging, caching, the schema. The addresses of each app are in its
own `api`. An address reads through the same `Access` and `Sight` as the page of the same reader, calls the same
functions, and refuses with the same words.
"""
