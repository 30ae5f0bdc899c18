"""What of a test set stands in a training text, also as labels to group by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.analysis.base import AnalysisInputs
from adjudge.checks.contamination import KINDS, MUCH, WORDS, SeenSegments, seen_texts, worst_kinds
from adjudge.comparison.documents import result_document
from adjudge.display import Column, Data, Displayable, Records, Section
from adjudge.errors import UsageError
from adjudge.wording import percent, percent_of, pluralise


@dataclass(frozen=True)
class Contamination(Displayable):
    """What a training text has of source and references."""

    texts: dict[str, SeenSegments]

    @property
    def title(self) -> str:
        """Of its page."""
        return "What of the test set stands in the training text"

    def sections(self) -> list[Section]:
        """How many segments of each text are seen, and how."""
        columns = (
            Column.of("text", "Text", value=lambda row: row[0]),
            Column.of("segments", "segments", 0, value=lambda row: len(row[1])),
            *(
                Column.of(kind, kind, 0, text=lambda row, kind=kind: _share(row[1].count(kind), len(row[1])))
                for kind in KINDS
            ),
        )
        records = [(name, text.kinds) for name, text in self.texts.items()]
        lines = next(iter(self.texts.values())).lines
        notes = (
            f"{pluralise(lines, 'line')} of training text. exact: a line is the segment; alike: but for case, spaces "
            f"and punctuation; overlap: at least {percent(MUCH)} of its words stand in runs of {WORDS} that the "
            "text has.",
        )
        return [
            Section("Segments that the training text has", (Records(columns, records).table(),), notes=notes)
        ]

    def data(self) -> Data:
        """One row per segment, as a file of labels: the worst kind of its texts, and the largest share of its words."""
        shares = zip(*(text.covered for text in self.texts.values()), strict=True)
        kinds = worst_kinds(self.texts)
        return Data(
            ["contamination", "covered"],
            [[kind, round(max(share), 4)] for kind, share in zip(kinds, shares, strict=True)],
        )

    def document(self) -> Mapping[str, object]:
        """For JSON: also a word for each segment."""
        return {
            "texts": {
                name: result_document(text) | {"kinds": text.kinds} for name, text in self.texts.items()
            }
        }


def _share(count: int, total: int) -> str:
    return f"{count:,} ({percent_of(count / max(1, total))})"


def analyse(inputs: AnalysisInputs, *, training: tuple[str, ...] = (), threads: int = 0) -> Contamination:
    """Show what of source and references stands in a training text: as it is, nearly, or in large part.

    With -f tsv, a label a segment, for -L and --by: scores of seen and unseen segments beside each other.

    \b
    adjudge analyse contamination -s source.pt -r reference.en --training train.en
    adjudge analyse contamination -r reference.en --training train.en.gz -o seen.tsv
    adjudge compare -r reference.en -L seen.tsv --by contamination rulebased.en neural.en
    """
    if not training:
        raise UsageError("no training text to look into: --training FILE")
    return Contamination(seen_texts(inputs.load_texts().test_set, training, threads=threads))
