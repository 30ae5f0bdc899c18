"""A file of judgements in one format as a file in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudge.errors import UsageError
from adjudge.human.mqm import as_scores
from adjudge.io import Input
from adjudge.io.judgements import JudgementFile, read, read_texts, write
from adjudge.io.judgements.appraise.campaign import with_campaign_texts
from adjudge.io.judgements.formats import WRITERS
from adjudge.io.judgements.judgement_files import read_campaign


@dataclass(frozen=True)
class Conversion:
    """What is read, and what is to be written."""

    files: Sequence[str]
    output_format: str = "jsonl"
    input_format: str | None = None
    protocol: str | None = None
    column: str | None = None
    campaign: Sequence[str] = ()
    """The files of the campaign in which it was judged, where the judgements have no texts (Appraise's CSV)."""
    languages: tuple[str, str] | None = None
    segments: int = 0
    """How many there are, for formats with a line for each, judged or not; 0 where all were judged."""
    for_spreadsheet: bool = False


@dataclass(frozen=True)
class ConvertedFile:
    """The file, and what was found on the way."""

    written: JudgementFile
    format: str
    """Of what was read."""
    judgements: int
    inputs: tuple[Input, ...] = field(default=())
    warnings: tuple[str, ...] = ()
    """Of reading; those of writing are with the file."""


def convert_judgements(wanted: Conversion) -> ConvertedFile:
    """Judgements and the texts beside them, read and written; what a format has no place for is a warning."""
    loaded = read(
        list(wanted.files),
        input_format=wanted.input_format,
        protocol=wanted.protocol,
        column=wanted.column,
        joint=True,
    )
    judgements, warnings = loaded.judgements, loaded.warnings
    if wanted.campaign:
        if loaded.format != "appraise":
            raise UsageError(
                f"a campaign tells the texts of Appraise's exports; these judgements are {loaded.format}"
            )
        judgements, texts, notes = with_campaign_texts(judgements, read_campaign(list(wanted.campaign)))
        warnings = (*warnings, *notes)
    else:
        texts = read_texts(judgements)
        if loaded.format == "appraise" and any(judgements.spans or ()) and texts.target is None:
            warnings = (
                *warnings,
                "there are no texts in it: places of errors are those of a browser, which differ from ours where "
                "there are characters like 😀 (--batches batches.json tells the texts)",
            )
    if (writer := WRITERS.get(wanted.output_format)) is not None and writer.only_scores:
        judgements = as_scores(judgements)
    items = tuple(str(number) for number in range(1, wanted.segments + 1))
    written = write(
        judgements,
        texts,
        wanted.output_format,
        items=items,
        languages=wanted.languages,
        for_spreadsheet=wanted.for_spreadsheet,
    )
    return ConvertedFile(written, loaded.format, len(judgements), loaded.inputs, warnings)
