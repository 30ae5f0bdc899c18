"""Which format judgements are written in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from adjudge.data.judgements import Judgements
from adjudge.errors import DataError, unknown_name
from adjudge.io.judgements.texts import Texts
from adjudge.io.judgements.writing import appraise, google, mtme, own, pearmut, rankings, wmt
from adjudge.io.judgements.writing.written import Order, Written
from adjudge.io.whole import write_whole

FORMATS = {
    "jsonl": "adjudge's own, a JSON object a judgement: nothing is lost",
    "csv": "the same in columns, safe in spreadsheets: nothing is lost",
    "appraise": "Appraise's export, rows without a header (CSV)",
    "appraise-short": "Appraise: UserID, SystemID, SegmentID, Type, Score, StartTime, EndTime (CSV)",
    "appraise-jsonl": "Appraise's export as JSON lines, with the texts",
    "wmt-da": "WMT's direct assessment, with HITs and kinds of items",
    "rankings": "WMT's rankings, a row a pair (CSV)",
    "rankings-wide": "WMT's rankings, a row a ranking (CSV)",
    "choices": "two systems, and the one that was preferred (CSV)",
    "pearmut": "pearmut's log of annotations (JSON lines)",
    "pearmut-progress": "how far everyone has come, as pearmut keeps it beside the log",
    "mqm": "Google's MQM, a row an error, marked in the text (TSV)",
    "mqm-scores": "the mean scores that Google has beside it",
    "mtme-seg": "mt-metrics-eval, scores of segments (*.seg.score)",
    "mtme-sys": "mt-metrics-eval, scores of systems (*.sys.score)",
    "mtme-domain": "mt-metrics-eval, scores of domains (*.domain.score)",
    "mtme-rating": "mt-metrics-eval, the errors that one rater marked (*.seg.rating)",
}

ONLY_SCORES = ("mqm-scores", "mtme-seg", "mtme-sys", "mtme-domain")
"""Formats that hold nothing but scores: errors are weighed before they are written."""


def write(
    judgements: Judgements,
    texts: Texts | None = None,
    output_format: str = "jsonl",
    *,
    items: Sequence[str] = (),
    languages: tuple[str, str] | None = None,
    for_spreadsheet: bool = False,
    path: str | Path | None = None,
) -> Written:
    """Judgements as a file, which is also put at `path` if one is given; `texts` has a row a judgement.

    `items` are all that could have been judged, in their order, for formats with a line for each. `languages` says
    from which to which was translated where the judgements do not. `for_spreadsheet` keeps spreadsheets from taking
    cells for formulas (in our own CSV they never do) and tells them that it is UTF-8.
    """
    if output_format not in FORMATS:
        raise unknown_name("format of judgements", output_format, FORMATS)
    if not len(judgements):
        raise DataError("there are no judgements to write")
    texts = texts or Texts()
    texts.check(len(judgements))
    order = Order(judgements, texts, tuple(items), languages or ("", ""), for_spreadsheet)
    written = _WRITERS[output_format](order)
    if not judgements.higher_is_better and output_format in _ONLY_UP:
        written = written.warned(
            f"lower is better here, which a file of this format cannot say: whoever reads it takes the highest score "
            f"for the best one (to adjudge, say --protocol {judgements.protocol} then)"
        )
    if path is not None:
        write_whole(path, written.data)
    return written


_ONLY_UP = (
    *("appraise", "appraise-short", "appraise-jsonl", "wmt-da"),
    *("mqm-scores", "mtme-seg", "mtme-sys", "mtme-domain"),
)
"""Formats of scores that say nothing of their direction."""
_WRITERS: dict[str, Callable[[Order], Written]] = {
    "jsonl": own.json_lines,
    "csv": own.csv,
    "appraise": appraise.rows,
    "appraise-short": appraise.short,
    "appraise-jsonl": appraise.json_lines,
    "wmt-da": wmt.direct_assessment,
    "rankings": rankings.pairs,
    "rankings-wide": rankings.wide,
    "choices": rankings.choices,
    "pearmut": pearmut.log,
    "pearmut-progress": pearmut.progress,
    "mqm": google.errors,
    "mqm-scores": google.scores,
    "mtme-seg": mtme.segments,
    "mtme-sys": mtme.systems,
    "mtme-domain": mtme.domains,
    "mtme-rating": mtme.ratings,
}
