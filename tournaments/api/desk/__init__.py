"""The organisers' part of the API about stages, matches and results. What all of it shares is in `contest.api.desk`."""
