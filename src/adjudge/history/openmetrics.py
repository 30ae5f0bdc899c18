"""A history in the text format of OpenMetrics, for Prometheus and whatever reads it: scores with their times.

A series has the test set's fingerprint and the signature among its labels, so that numbers which cannot be compared are
never points of one series.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from adjudge.history.records import Record, RecordedScore

PREFIX = "adjudge"
ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})

_Series = dict[tuple[tuple[str, str], ...], dict[float, float]]


def openmetrics(records: Iterable[Record]) -> str:
    """All scores of the records, each series in the order of time, the end marked as the format wants it."""
    families: dict[str, _Series] = {"score": {}, "score_low": {}, "score_high": {}}
    for record in records:
        # Milliseconds are what Prometheus keeps.
        made = round(record.made, 3)
        for score in record.scores:
            labels = _labels(score)
            values = (score.score, score.low, score.high)
            for name, value in zip(families, values, strict=True):
                if value is not None:
                    families[name].setdefault(labels, {})[made] = value
    return "".join(_text(families)) + "# EOF\n"


HELP = {
    "score": "Score of a system by a metric on a test set.",
    "score_low": "Lower end of the interval of a score.",
    "score_high": "Upper end of the interval of a score.",
}


def _text(families: Mapping[str, _Series]) -> Iterator[str]:
    for name, series in families.items():
        if not series:
            continue
        yield f"# TYPE {PREFIX}_{name} gauge\n# HELP {PREFIX}_{name} {HELP[name]}\n"
        for labels, points in series.items():
            written = ",".join(f'{key}="{value.translate(ESCAPES)}"' for key, value in labels)
            for made in sorted(points):
                yield f"{PREFIX}_{name}{{{written}}} {points[made]!r} {made!r}\n"


def _labels(score: RecordedScore) -> tuple[tuple[str, str], ...]:
    labels = {
        "system": score.system,
        "run": score.run or "",
        "metric": score.metric,
        "test_set": score.test_set,
        "fingerprint": score.fingerprint[:12],
        "level": score.level,
        "signature": score.unversioned,
    }
    return tuple((name, value) for name, value in labels.items() if value)
