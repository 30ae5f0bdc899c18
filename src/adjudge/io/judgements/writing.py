"""Judgements as a file of one of the formats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adjudge.data.judgements import Judgements
from adjudge.data.texts import Texts
from adjudge.errors import DataError, unknown_name
from adjudge.io.judgements.formats import WRITERS
from adjudge.io.judgements.output import JudgementFile, WriteRequest
from adjudge.io.whole import write_whole


def write(
    judgements: Judgements,
    texts: Texts | None = None,
    output_format: str = "jsonl",
    *,
    items: Sequence[str] = (),
    languages: tuple[str, str] | None = None,
    for_spreadsheet: bool = False,
    path: str | Path | None = None,
) -> JudgementFile:
    """Judgements as a file, which is also put at `path` if one is given; `texts` has a row a judgement.

    `items` are all that could have been judged, in their order, for formats with a line for each. `languages` says
    from which to which was translated where the judgements do not. `for_spreadsheet` keeps spreadsheets from taking
    cells for formulas (in our own CSV they never do) and tells them that it is UTF-8.
    """
    if output_format not in WRITERS:
        raise unknown_name("format of judgements", output_format, WRITERS)
    if not len(judgements):
        raise DataError("there are no judgements to write")
    texts = texts or Texts()
    texts.check(len(judgements))
    writer = WRITERS[output_format]
    file = writer.write(WriteRequest(judgements, texts, tuple(items), languages or ("", ""), for_spreadsheet))
    if not judgements.higher_is_better and not writer.says_direction:
        file = file.warned(
            f"lower is better here, which a file of this format cannot say: whoever reads it takes the highest score "
            f"for the best one (to adjudge, say --protocol {judgements.protocol} then)"
        )
    if path is not None:
        write_whole(path, file.data, private=True)  # it names annotators
    return file
