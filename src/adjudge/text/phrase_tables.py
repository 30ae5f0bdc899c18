"""Tables of phrases that may stand for each other: TERp's text format, and METEOR's."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge import _native
from adjudge.errors import DataError
from adjudge.io import files

FORMS = {
    False: "PROBABILITY <p>PHRASE</p> <p>PHRASE</p>",
    True: "a probability, a phrase and its paraphrase on lines of their own",
}


def terp_phrases(
    path: str, references: Sequence[_native.Texts], *, normalized: bool, no_punct: bool
) -> _native.TerpPhrases:
    """The pairs of a table, plain or compressed, of which one phrase is somewhere in the references.

    TERp's tables say what may stand in place of a phrase of the reference (of two probabilities in a line the cheaper
    counts, as in TERp's program); METEOR's hold in both directions.
    """
    data, _ = files.read_bytes(path)
    files.check_text(path, data)
    meteor = b"<p>" not in data.lstrip().partition(b"\n")[0]
    phrases = _native.TerpPhrases(references, normalized, no_punct)
    if wrong := phrases.read(data, meteor):
        line = data.split(b"\n", wrong)[wrong - 1][:60].decode("utf-8", "replace")
        raise DataError(
            f"{path}, line {wrong}: {line!r} is no line of a phrase table; expected {FORMS[meteor]}"
        )
    return phrases
