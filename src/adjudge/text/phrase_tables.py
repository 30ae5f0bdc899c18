"""Tables of phrases that may stand for each other: TERp's text format, and METEOR's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge import _native
from adjudge.errors import DataError
from adjudge.io import compression
from adjudge.io.files import read_errors
from adjudge.io.remote import opened, shown_address

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
    phrases = _native.TerpPhrases(references, normalized, no_punct)
    rest, before, meteor = b"", 0, False
    for piece in _pieces(path):
        rest += piece
        if before == 0:
            meteor = b"<p>" not in rest.lstrip().partition(b"\n")[0]
        end = _end_of_entries(rest, lines=3 if meteor else 1)
        _read(phrases, path, rest[:end], before, meteor=meteor)
        before += rest.count(b"\n", 0, end)
        rest = rest[end:]
    if before == 0 and not rest.strip():
        raise DataError(
            f"{path}: no phrase in it; expected were lines {FORMS[False]}, or METEOR's paraphrases"
        )
    _read(phrases, path, rest, before, meteor=meteor)
    return phrases


def _read(phrases: _native.TerpPhrases, path: str, text: bytes, before: int, *, meteor: bool) -> None:
    """Read whole entries, which so many lines stand before."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = before + text.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{path}, line {line}: not UTF-8 (0x{text[error.start]:02x}); convert the file: "
            f"iconv -f ITS-ENCODING -t UTF-8 {path}"
        ) from None
    if wrong := phrases.read(text, meteor):
        shown = text.split(b"\n", wrong)[wrong - 1][:60].decode("utf-8", "replace")
        raise DataError(
            f"{path}, line {before + wrong}: {shown!r} is no line of a phrase table; expected {FORMS[meteor]}"
        )


def _end_of_entries(text: bytes, *, lines: int) -> int:
    """Where the last whole entry of so many lines ends."""
    end = text.rfind(b"\n") + 1
    for _ in range(text.count(b"\n", 0, end) % lines):
        end = text.rfind(b"\n", 0, end - 1) + 1
    return end


def _pieces(path: str) -> Iterator[bytes]:
    """The text of a file, plain or compressed, about a megabyte at a time: tables may be larger than memory."""
    with read_errors(path), opened(path) as stored:
        yield from compression.pieces(shown_address(path), stored)
