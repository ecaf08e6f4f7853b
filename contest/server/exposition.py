"""All figures and counts in the format of Prometheus. Imported by the first scrape of a process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby

import redis
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import choose_encoder

from contest import counting
from contest.counting import COUNTERS, ENDLESS, HISTOGRAMS, Key, Labels
from contest.server import figures
from contest.server.figures import Figure

PREFIX = "kibitz_"


def exposed(accept: str) -> tuple[bytes, str]:
    """Everything in the format that this Accept header asks for, and its content type."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Everything())
    encode, kind = choose_encoder(accept)
    return encode(registry), kind


class Everything:
    """A collector of prometheus_client."""

    def collect(self) -> Iterator[Metric]:
        yield from gauges(figures.current())
        try:
            sums = counting.counted()
        except redis.RedisError:
            return  # part_ok{part="broker"} says why there is nothing
        yield from counters(sums.items())
        yield from histograms(sums.items())


def gauges(found: Iterable[Figure]) -> Iterator[Metric]:
    for name, group in groupby(sorted(found, key=lambda it: it.name), key=lambda it: it.name):
        all_of = list(group)
        names = sorted(all_of[0].labels)
        family = GaugeMetricFamily(f"{PREFIX}{name}", all_of[0].text, labels=names)
        for each in all_of:
            family.add_metric([each.labels[label] for label in names], each.value)
        yield family


def counters(sums: Iterable[tuple[Key, float]]) -> Iterator[Metric]:
    found = list(sums)
    for name, text in COUNTERS.items():
        mine = [(labels, amount) for (other, labels), amount in found if other == name]
        names = [label for label, _ in mine[0][0]] if mine else []
        family = CounterMetricFamily(f"{PREFIX}{name}", text, labels=names)
        for labels, amount in mine:
            family.add_metric([each for _, each in labels], amount)
        if not mine:
            family.add_metric([], 0.0)  # so that a rule about it has something to look at
        yield family


def histograms(sums: Iterable[tuple[Key, float]]) -> Iterator[Metric]:
    found = dict(sums)
    for name, (text, bounds) in HISTOGRAMS.items():
        edges = [*(str(float(bound)) for bound in bounds), ENDLESS]
        series: dict[Labels, dict[str, float]] = {}
        for (other, labels), amount in found.items():
            if other == name:
                rest = tuple(pair for pair in labels if pair[0] != "le")
                series.setdefault(rest, {})[dict(labels)["le"]] = amount
        names = [label for label, _ in next(iter(series))] if series else []
        family = HistogramMetricFamily(f"{PREFIX}{name}_seconds", text, labels=names)
        for labels, each in series.items():
            heights = accumulate(each.get(edge, 0.0) for edge in edges)
            values = [value for _, value in labels]
            family.add_metric(values, list(zip(edges, heights, strict=True)), found.get((f"{name}_sum", labels), 0.0))
        yield family
