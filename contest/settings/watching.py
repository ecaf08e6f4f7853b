"""Who may read the figures of the portal."""

from ipaddress import ip_network

from contest.settings.environment import text, words

# /metrics answers who sends this token, or asks from one of these networks, and nobody else.
METRICS_TOKEN = text("METRICS_TOKEN")
METRICS_ADDRESSES = [str(ip_network(each, strict=False)) for each in words("METRICS_ADDRESSES", [])]
