"""Checks of files as they lie on the disk: what readers drop, repair or refuse."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.checks.corpus import Corpus, Raw
from adjudge.checks.findings import SHOWN, Finding, Severity, excerpt
from adjudge.checks.registry import check, finding
from adjudge.wording import pluralise

UTF8_BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
# What str.splitlines (and so many a script) takes for the end of a line, and `\n` is not.
BREAKS = {
    "\u2028": "U+2028 (line separator)",
    "\u2029": "U+2029 (paragraph separator)",
    "\x85": "U+0085 (next line)",
    "\x0b": "U+000B (vertical tab)",
    "\x0c": "U+000C (form feed)",
    "\x1c": "U+001C",
    "\x1d": "U+001D",
    "\x1e": "U+001E",
    "\r": "U+000D (carriage return)",
    "\n": "U+000A (line feed)",
}


def lenient_lines(data: bytes) -> list[str]:
    """The lines of any bytes whatever: bad ones are read as Windows-1252, so that the rest can be examined."""
    if data.startswith(UTF16_BOMS):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    data = data.removeprefix(UTF8_BOM).replace(b"\r\n", b"\n")
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        lines = [_decode(line) for line in data.split(b"\n")]
    if lines[-1] == "":
        lines.pop()
    return lines


def _decode(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


@check(
    "refused",
    "a file that cannot be read, or that `adjudge score` would refuse",
    "error",
    "Mend the file as the message says; until then nothing can be scored.",
)
def refused(corpus: Corpus) -> Iterator[Finding]:
    """What io says of a file it does not take."""
    for path, why in corpus.refused:
        yield Finding("error", "", why, file=path)


@check(
    "encoding",
    "bytes that are not UTF-8, and files in UTF-16",
    "error note",
    "Convert the file: iconv -f ITS-ENCODING -t UTF-8 FILE > NEW.",
)
def encoding(corpus: Corpus) -> Iterator[Finding]:
    """Bytes that no reader of UTF-8 takes."""
    for raw in corpus.raw:
        if raw.data.startswith(UTF16_BOMS):
            what = "is UTF-16; it is read here, but other tools expect UTF-8"
            yield _make_finding(raw, "note", what, advice=_convert(raw, "UTF-16"))
            continue
        try:
            raw.data.decode("utf-8")
            continue
        except UnicodeDecodeError:
            pass
        bad = []
        for number, line in enumerate(raw.data.split(b"\n")):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                bad.append((number, error.start, line))
        number, start, line = bad[0]
        shown = line.decode("utf-8", "backslashreplace")
        place = len(line[:start].decode("utf-8", "backslashreplace"))
        whole_file = len(bad) / max(1, raw.data.count(b"\n"))
        yield _make_finding(
            raw,
            "error",
            f"has bytes that are not UTF-8 in {pluralise(len(bad), 'line')}, first 0x{line[start]:02x} at byte "
            f"{start + 1} of line {number + 1}",
            lines=[number for number, *_ in bad],
            example=f"line {number + 1}: {excerpt(shown, place)}",
            advice=_convert(raw, "WINDOWS-1252", " (if that is its encoding)") if whole_file > 0.01 else "",
        )


@check("nul", "NUL characters: binary data, or UTF-16 without its mark", "error", "Is this a text file?")
def nul(corpus: Corpus) -> Iterator[Finding]:
    """NUL characters in a file that is not marked as UTF-16."""
    for raw in corpus.raw:
        if b"\0" not in raw.data or raw.data.startswith(UTF16_BOMS):
            continue
        lines = [number for number, line in enumerate(raw.data.split(b"\n")) if b"\0" in line]
        advice = ""
        if raw.data.count(b"\0") > len(raw.data) / 4:
            order = "BE" if raw.data[:1] == b"\0" else "LE"
            advice = _convert(raw, f"UTF-16{order}")
        yield _make_finding(
            raw, "error", f"has NUL characters in {pluralise(len(lines), 'line')}", lines=lines, advice=advice
        )


@check(
    "bom",
    "a byte order mark at the start of a UTF-8 file",
    "warning",
    "adjudge drops it, other tools take it for a part of the first word: sed -i '1s/^\\xEF\\xBB\\xBF//' FILE.",
)
def bom(corpus: Corpus) -> Iterator[Finding]:
    """The mark that some editors write in front of UTF-8."""
    for raw in corpus.raw:
        if raw.data.startswith(UTF8_BOM):
            yield _make_finding(raw, "warning", "starts with a byte order mark", lines=[0])


@check(
    "line-ends",
    "Windows line ends (CRLF), mixed line ends, old Mac line ends (CR)",
    "error warning",
    "adjudge drops the CR before a line feed, other tools keep it as part of the last word: sed -i 's/\\r$//' FILE.",
)
def line_ends(corpus: Corpus) -> Iterator[Finding]:
    """Carriage returns at the ends of lines."""
    for raw in corpus.raw:
        if raw.data.startswith(UTF16_BOMS) or b"\r" not in raw.data:
            continue
        windows, unix = raw.data.count(b"\r\n"), raw.data.count(b"\n")
        if not unix and raw.data.count(b"\r") > 1:
            yield _make_finding(
                raw,
                "error",
                "has old Mac line ends (CR only): all of it is one line",
                advice="Convert the file: tr '\\r' '\\n' < FILE > NEW.",
            )
        elif windows == unix:
            yield _make_finding(raw, "warning", "has Windows line ends (CRLF)", count=windows)
        elif windows:
            ends = enumerate(raw.data.split(b"\n")[:-1])
            lines = [number for number, line in ends if line.endswith(b"\r")]
            of = f"{len(lines):,} of {unix:,} lines end in CRLF"
            yield _make_finding(raw, "warning", f"has mixed line ends: {of}", lines=lines)


@check(
    "final-newline",
    "a last line without line feed, on which `cat` and `wc -l` trip",
    "note",
    "Add a line feed at the end: files joined with cat would otherwise grow together there.",
)
def final_newline(corpus: Corpus) -> Iterator[Finding]:
    """A file that ends in the middle of a line."""
    for raw in corpus.raw:
        if raw.data and not raw.data.endswith(b"\n") and not raw.data.startswith(UTF16_BOMS):
            yield _make_finding(raw, "note", "does not end in a line feed")


@check(
    "line-breaks",
    "characters inside a line at which other tools would split it (U+2028, NEL, form feed, lone CR, ...)",
    "warning",
    "Put a space in its place in all files: tools that split there see more lines than there are.",
)
def line_breaks(corpus: Corpus) -> Iterator[Finding]:
    """Line breaks that are none to us."""
    for text in corpus.everything:
        places = text.positions(sign for sign in BREAKS if sign != "\n")
        if text.whole.count("\n") > len(text):  # some are not those between segments
            between = {start - 1 for start in text.starts}
            places = sorted((*places, *(place for place in text.positions("\n") if place not in between)))
        hits: dict[int, int] = {}
        for place in places:
            hits.setdefault(text.line(place), place)
        if not hits:
            continue
        kinds = sorted({BREAKS[text.whole[place]] for place in hits.values()})
        what = f"has {', '.join(kinds)} inside {pluralise(len(hits), text.unit)}"
        at = [place - text.starts[line] for line, place in hits.items()]
        yield finding(text, "warning", what, lines=list(hits), at=at)


def _convert(raw: Raw, encoding: str, doubt: str = "") -> str:
    return f"Convert the file{doubt}: iconv -f {encoding} -t UTF-8 {raw.file} > NEW."


def _make_finding(
    raw: Raw,
    severity: Severity,
    what: str,
    *,
    lines: list[int] | None = None,
    count: int | None = None,
    example: str = "",
    advice: str = "",
) -> Finding:
    number = len(lines) if lines and count is None else count
    total = max(1, raw.data.count(b"\n") + (not raw.data.endswith(b"\n")))
    return Finding(
        severity,
        "",
        f"{raw.name} {what}",
        advice,
        file=raw.file,
        system=raw.system,
        lines=tuple(line + 1 for line in (lines or [])[:SHOWN]),
        count=number,
        share=None if number is None else min(1.0, number / total),
        example=example,
    )
