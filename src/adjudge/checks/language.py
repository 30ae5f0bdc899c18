"""Outputs that are not translations: copies of the source, and text in another language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity
from adjudge.checks.registry import check, finding
from adjudge.data import languages
from adjudge.errors import AdjudgeError
from adjudge.stats.distributions import binomial_cdf
from adjudge.text.identification import Identify, identifier, most_common, of_segments
from adjudge.wording import percent_of, pluralise

SAMPLE = 5000
"""Segments of a longer text that are identified first, and twice as many as long as it is not clear."""
NOTED = 0.002
"""The share of segments in another language from which on there is a note."""
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
        what = f"is the source itself in {pluralise(len(lines), 'line')} ({percent_of(share)})"
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
    names = _Names(identify)
    for text in (*corpus.references, *corpus.astray, *corpus.outputs, corpus.sources):
        if text is None or text.role == "labels":
            continue
        step = 1 << max(1, len(text) // SAMPLE).bit_length() - 1
        while step > 1 and not _is_clear(text, corpus, names, step):
            step //= 2
        if step == 1:
            yield from _check_text(text, corpus, names)


class _Names:
    """The language of segments, each identified once however often it occurs."""

    def __init__(self, identify: Identify) -> None:
        self._identify = identify
        self._known: dict[str, str] = {}

    def of(self, text: Text, step: int = 1) -> list[str]:
        """The language of every k-th segment, "" where it is not sure."""
        segments = text.segments[::step]
        new = [segment for segment in dict.fromkeys(segments) if segment not in self._known]
        self._known |= zip(new, of_segments(new, self._identify), strict=True)
        return [self._known[segment] for segment in segments]


def _is_clear(text: Text, corpus: Corpus, names: _Names, step: int) -> bool:
    """Whether every k-th segment is enough to see that there is nothing to find.

    So few of them are in another language as one text in a thousand would show that has enough of these for a note.
    """
    named, expected = names.of(text, step), _expected_language(text, corpus, names, step)
    main, share = most_common(named)
    if expected and main and not _same_family(main, expected) and share > 0.5:
        return False
    elsewhere = len(_elsewhere(text, expected or main, corpus, names, step))
    return bool(binomial_cdf(elsewhere, sum(map(bool, named)), NOTED) < 0.001)


def _expected_language(text: Text, corpus: Corpus, names: _Names, step: int = 1) -> str:
    given = corpus.source_language if text.role == "source" else corpus.target_language
    if given or text.role == "source":
        return given or text.language
    if text.role == "system" and corpus.references:
        return corpus.references[0].language or most_common(names.of(corpus.references[0], step))[0]
    return text.language


def _elsewhere(text: Text, expected: str, corpus: Corpus, names: _Names, step: int = 1) -> list[int]:
    """Lines in another language than expected, and than a reference of the same line; counted in steps."""
    beside = []
    if text in corpus.outputs:
        beside = [names.of(other, step) for other in corpus.references if other is not text]
    return [
        line
        for line, name in enumerate(names.of(text, step))
        if name and not _same_family(name, expected) and not any(other[line] == name for other in beside)
    ]


def _check_text(text: Text, corpus: Corpus, names: _Names) -> Iterator[Finding]:
    named, expected = names.of(text), _expected_language(text, corpus, names)
    main, share = most_common(named)
    if expected and main and not _same_family(main, expected) and share > 0.6:
        lines = [line for line, name in enumerate(named) if name == main]
        what = f"is {main}, not {expected}: {pluralise(len(lines), 'segment')} identified as {main}"
        yield finding(text, "error", what, lines=lines)
        return
    expected = expected or main
    lines = _elsewhere(text, expected, corpus, names)
    identified = sum(map(bool, named))
    if not lines or text.role == "source" or len(lines) < max(2, NOTED * identified):
        return
    kinds = Counter(named[line] for line in lines).most_common(3)
    some = ", ".join(f"{name} {number:,}" for name, number in kinds)
    severity: Severity = "warning" if len(lines) > 0.02 * identified else "note"
    what = f"has {pluralise(len(lines), 'segment')} that look like another language than {expected} ({some})"
    yield finding(text, severity, what, lines=lines)


def _same_family(code: str, other: str) -> bool:
    return code == other or any(code in group and other in group for group in _ALIKE)
