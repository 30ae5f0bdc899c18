"""Judgements of translations: files in, a table of judgements out, and back; one module per tool.

To add a format: a module here with a `TOOL` (`tool.py` says what it may offer), and its name in `TOOLS` of
`formats.py`. A reader makes a `FileContent` (judgements and warnings) from an `InputFile`; a writer makes a
`JudgementFile` (bytes and warnings) from a `WriteRequest`, and warns about what the format has no place for. No tool
imports another: what several need is here (`columns.py`, `ratings.py`, `spans.py`, `output.py`) and above
(`io/sheet.py`, `io/column_names.py`), what needs no file in `data/`. docs/judgements.md explains the decisions.
"""

from adjudge.data.texts import Texts
from adjudge.io.judgements.columns import ONLY_SYSTEM
from adjudge.io.judgements.formats import CAMPAIGN_FORMATS, FORMATS, OUTPUT_FORMATS
from adjudge.io.judgements.judgement_files import LoadedJudgements, read, read_each, read_texts, write
from adjudge.io.judgements.labels import JudgementLabels, join_labels, read_labels
from adjudge.io.judgements.output import JudgementFile

__all__ = [
    "CAMPAIGN_FORMATS",
    "FORMATS",
    "ONLY_SYSTEM",
    "OUTPUT_FORMATS",
    "JudgementFile",
    "JudgementLabels",
    "LoadedJudgements",
    "Texts",
    "join_labels",
    "read",
    "read_each",
    "read_labels",
    "read_texts",
    "write",
]
