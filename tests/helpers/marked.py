"""What the tests of error spans share: judgements by MQM."""

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn, Span


def judged(*rows, labels=None):
    """Judgements from (annotator, system, item, spans)."""
    people, systems, items, spans = zip(*rows, strict=True)
    return Judgements(
        protocol="mqm",
        system=NameColumn.of(systems),
        item=NameColumn.of(items),
        annotator=NameColumn.of(people),
        score=np.full(len(rows), np.nan),
        spans=tuple(tuple(Span(*span) for span in several) for several in spans),
        labels={name: NameColumn.of(values) for name, values in (labels or {}).items()},
    )
