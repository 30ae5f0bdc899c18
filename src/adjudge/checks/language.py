"""Outputs that are not translations: copies of the source, and text in another language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity
from adjudge.checks.registry import check, finding
from adjudge.data import languages
from adjudge.errors import AdjudgeError
from adjudge.text.identification import identifier, most_common, of_segments
from adjudge.wording import counted, percent_of

# The small model knows 176 languages; these are the codes of two letters among them.
_OF_TWO = """
af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr ga gd gl gu he hi hr hu hy id is it ja ka kk
km kn ko ku ky la lb lo lt lv mg mk ml mn mr ms mt my ne nl nn no oc or pa pl ps pt ro ru rw sa sd si sk sl so sq sr
su sv sw ta te tg th tk tl tr tt ug uk ur uz vi yi yo zh
"""
_KNOWN = frozenset(_OF_TWO.split())
# Languages that are hard to tell apart by a sentence count as one.
_ALIKE = (
    {"bs", "hr", "sr", "sh"},
    {"no", "nn", "da"},
    {"id", "ms", "jv", "su"},
    {"zh", "wuu", "yue"},
    {"cs", "sk"},
    {"gl", "pt"},
    {"fa", "ps", "pnb", "ur"},
    {"hi", "mr", "ne", "bh"},
    {"az", "tr"},
    {"de", "als", "nds", "bar"},
)


def known_language(code: str) -> str:
    """A language's code of two letters from a code or a locale (pt_BR); "" if it is none that can be identified."""
    try:
        short = languages.code(code)
    except AdjudgeError:
        return ""
    return short if short in _KNOWN else ""


def languages_of(pair: str) -> tuple[str, str]:
    """Source and target language from `en-de`, or the target language alone."""
    try:
        source, target = languages.pair(pair)
    except AdjudgeError:
        return "", ""
    return known_language(source), known_language(target)


@check(
    "untranslated",
    "outputs (or references) that are the source itself",
    "error warning note",
    "The source was passed through. Fine for names and codes; else look whether the system read the right language.",
)
def untranslated(corpus: Corpus) -> Iterator[Finding]:
    """Segments of three words or more equal to the source, where no reference is."""
    sources = corpus.sources
    if sources is None:
        return
    copied = {id(text): _copies(text, sources) for text in (*corpus.references, *corpus.outputs)}
    meant = set().union(*(copied[id(reference)] for reference in corpus.references))
    for text in (*corpus.references, *corpus.outputs):
        mine = copied[id(text)]
        lines = sorted(mine - meant if text.role == "system" else mine)
        share = len(lines) / len(text)
        if text.role == "reference" and share < 0.02:
            continue  # a translator may leave a line as it is
        if not lines or (len(lines) < 2 and share < 0.01):
            continue
        severity: Severity = "error" if share > 0.2 else "warning" if share > 0.01 else "note"
        advice = "Is this the right file for the reference?" if text.role == "reference" else ""
        what = f"is the source itself in {counted(len(lines), 'line')} ({percent_of(share)})"
        yield finding(text, severity, what, lines=lines, advice=advice)


def _copies(text: Text, sources: Text) -> set[int]:
    return {
        line
        for line, (ours, source) in enumerate(zip(text.segments, sources.segments, strict=True))
        if abs(len(ours) - len(source)) < 5
        and (ours == source or ours.casefold().split() == source.casefold().split())
        and len(ours) > 12
        and (ours.count(" ") > 1 or text.spaceless)
        and sum(map(str.isalpha, ours)) > len(ours) / 2
    }


@check(
    "language",
    "text in another language than expected (needs the extra `lid`)",
    "error warning note",
    "Expected is the language of -l, of the file's suffix or of the reference. Look at these segments; give -l if the "
    "expectation is wrong.",
)
def language(corpus: Corpus) -> Iterator[Finding]:
    """Whole files, and segments of files, that an offline identifier puts elsewhere."""
    if not corpus.everything:
        return
    identify = identifier()
    if identify is None:
        yield Finding(
            "note",
            "",
            "languages were not identified: the extra is not installed",
            "pip install 'adjudge[lid]', or --skip language.",
        )
        return
    told: dict[int, list[str]] = {}
    for text in (*corpus.references, *corpus.astray, *corpus.outputs, corpus.sources):
        if text is None or text.role == "labels":
            continue
        told[id(text)] = named = of_segments(text.segments, identify)
        expected = _expected(text, corpus, told)
        yield from _judged(text, expected, named, corpus, told)


def _expected(text: Text, corpus: Corpus, told: dict[int, list[str]]) -> str:
    given = corpus.source_language if text.role == "source" else corpus.target_language
    if given or text.role == "source":
        return given or text.language
    if text.role == "system" and corpus.references:
        return corpus.references[0].language or most_common(told[id(corpus.references[0])])[0]
    return text.language


def _judged(
    text: Text, expected: str, named: list[str], corpus: Corpus, told: dict[int, list[str]]
) -> Iterator[Finding]:
    main, share = most_common(named)
    if expected and main and not _alike(main, expected) and share > 0.6:
        lines = [line for line, name in enumerate(named) if name == main]
        what = f"is {main}, not {expected}: {counted(len(lines), 'segment')} identified as {main}"
        yield finding(text, "error", what, lines=lines)
        return
    expected = expected or main
    beside = [told[id(other)] for other in corpus.references if id(other) in told and other is not text]
    lines = [
        line
        for line, name in enumerate(named)
        if name
        and not _alike(name, expected)
        and not (text in corpus.outputs and any(other[line] == name for other in beside))
    ]
    identified = sum(map(bool, named))
    if not lines or text.role == "source" or len(lines) < max(2, 0.002 * identified):
        return
    kinds = Counter(named[line] for line in lines).most_common(3)
    some = ", ".join(f"{name} {number:,}" for name, number in kinds)
    severity: Severity = "warning" if len(lines) > 0.02 * identified else "note"
    what = f"has {counted(len(lines), 'segment')} that look like another language than {expected} ({some})"
    yield finding(text, severity, what, lines=lines)


def _alike(code: str, other: str) -> bool:
    return code == other or any(code in group and other in group for group in _ALIKE)
