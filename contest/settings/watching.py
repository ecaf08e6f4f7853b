"""What operators see of the portal: figures, logs and alarms."""

from ipaddress import ip_network

from contest.settings.environment import text, words

# /metrics answers who sends this token, or asks from one of these networks, and nobody else.
METRICS_TOKEN = text("METRICS_TOKEN")
METRICS_ADDRESSES = [str(ip_network(each, strict=False)) for each in words("METRICS_ADDRESSES", [])]
FIGURES = (
    "tournaments.attention.figures.matches",
    "tournaments.attention.figures.builds",
    "tournaments.attention.figures.stages",
    "tournaments.attention.figures.webhooks",
)

# Alarms (contest/watching): who is told. The desk shows them anyway.
ALARM_MAIL = words("ALARM_MAIL", [])
ALARM_WEBHOOK = text("ALARM_WEBHOOK")
if ALARM_WEBHOOK and not ALARM_WEBHOOK.startswith(("https://", "http://")):
    raise ValueError("ALARM_WEBHOOK must be an address that begins with https:// or http://")
WATCHMAN = "contest.watching.watchman.start"  # called in each process of the web server
