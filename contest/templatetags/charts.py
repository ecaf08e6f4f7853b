"""`{% line_chart chart %}` draws a contest.charts.LineChart."""

from __future__ import annotations

from typing import Any

from django import template

from contest.charts import LineChart, drawn

register = template.Library()


@register.inclusion_tag("charts/_lines.html")
def line_chart(chart: LineChart) -> dict[str, Any]:
    return drawn(chart)
