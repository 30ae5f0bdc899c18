"""How a text is written: tokenised, lower-cased, in which Unicode normal form, with which spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity
from adjudge.checks.registry import check, finding
from adjudge.text.identification import SPACELESS
from adjudge.wording import percent_of, pluralise

MOST, FEW = 0.5, 0.1
"""Shares of lines that speak for a whole file being written in one way, and for it not being so."""
ENOUGH = 5
"""Lines that must show something before a file is judged."""
# French puts spaces before ; : ! ? but nobody before a comma or a full stop.
_APART = re.compile(r"[^\W_]['\"»”)]? [,.](?= |$)", re.MULTILINE)
_JOINED = re.compile(r"[^\W_]['\"»”)]?[,.](?= |$)", re.MULTILINE)
_CJK_APART = re.compile(f"[{SPACELESS}] [{SPACELESS}]")
_CJK_JOINED = re.compile(f"[{SPACELESS}][{SPACELESS}]")
_SPACES = re.compile(r"^[ \t\u00a0]+\S|\S[ \t\u00a0]+$|\S[ \t]{2,}\S|\t", re.MULTILINE)


@check(
    "tokenised",
    "tokenised output against detokenised references, the other way round, or tokenised text everywhere",
    "warning note",
    "Detokenise it: metrics tokenise by themselves, and scores of tokenised text compare with nobody else's.",
)
def tokenised(corpus: Corpus) -> Iterator[Finding]:
    """Commas and full stops that stand apart, or characters that do where words have no spaces."""
    shares = {id(text): _tokenised_share(text) for text in corpus.texts}
    bases = [shares[id(text)] for text in corpus.references if shares[id(text)] is not None]
    base = bases[0] if bases else None
    alike = []
    for text in (*corpus.references, *corpus.outputs, *corpus.astray):
        share = shares[id(text)] if id(text) in shares else _tokenised_share(text)
        if share is None:
            continue
        if share > MOST and (base is None or text.role == "reference" or base > MOST):
            alike.append((text, share))
        elif share > MOST and base is not None and base < FEW:
            what = f"is tokenised ({percent_of(share)} of its commas and full stops stand apart), the reference is not"
            yield finding(text, "warning", what, lines=_first(text))
        elif share < FEW and base is not None and base > MOST:
            yield finding(text, "warning", "is not tokenised, but the reference is")
    for text, share in alike:
        what = f"is tokenised: {percent_of(share)} of its commas and full stops stand apart"
        yield finding(text, "note", what, lines=_first(text))


def _tokenised_share(text: Text) -> float | None:
    """The share of punctuation (or of pairs of characters) that stands apart; None where there is little."""
    apart, joined = (_CJK_APART, _CJK_JOINED) if text.spaceless else (_APART, _JOINED)
    sample = text.whole[:60_000]
    if not text.spaceless and " ." not in sample and " ," not in sample:
        return 0.0 if len(joined.findall(sample)) >= ENOUGH else None
    number = len(apart.findall(sample))
    total = number + len(joined.findall(sample))
    return number / total if total >= ENOUGH else None


def _first(text: Text) -> list[int]:
    pattern = _CJK_APART if text.spaceless else _APART
    match = pattern.search(text.whole)
    return [text.line(match.start())] if match else []


@check(
    "case",
    "lower-cased or upper-cased output against cased references (or the other way round), small sentence starts",
    "warning",
    "Restore the case (recaser, truecaser), or score without case on purpose: bleu(lowercase=true).",
)
def case(corpus: Corpus) -> Iterator[Finding]:
    """Capital letters that the reference has and the output has not."""
    if not corpus.references:
        return
    base = corpus.references[0]
    capital = _capital_share(base)
    if capital is None:
        return
    for text in (*corpus.outputs, *corpus.references[1:]):
        share = _capital_share(text)
        if share is None:
            continue
        what = ""
        if capital > MOST and share < 0.05:
            what = "is lower-cased, the reference is not"
        elif capital < 0.05 and share > MOST:
            what = "has capital letters, but the reference is lower-cased"
        elif _shouts(text) and not _shouts(base):
            what = "is in capital letters, the reference is not"
        elif _shouts(base) and not _shouts(text):
            what = "is in small and capital letters, but the reference is in capitals only"
        elif capital > MOST:
            small = [
                line
                for line, (ours, theirs) in enumerate(zip(text.segments, base.segments, strict=True))
                if ours[:1].islower() and theirs[:1].isupper()
            ]
            if len(small) > max(ENOUGH, MOST * len(text)):
                share_small = percent_of(len(small) / len(text))
                what = f"starts {share_small} of its lines with a small letter, the reference does not"
        if what:
            lines = [line for line, segment in enumerate(text.segments) if segment][:1]
            yield finding(text, "warning", what, lines=lines, count=len(text))


def _capital_share(text: Text) -> float | None:
    """The share of lines with a capital letter; None where the script has none."""
    cased = capital = 0
    for segment in text.segments:
        if segment.lower() != segment:
            capital += 1
            cased += 1
        elif segment.upper() != segment:
            cased += 1
    return capital / cased if cased >= max(ENOUGH, MOST * len(text)) else None


def _shouts(text: Text) -> bool:
    sample = text.whole[:4_000]
    return sum(map(str.isupper, sample)) > 0.8 * max(1, sum(c.isupper() or c.islower() for c in sample))


@check(
    "normal-form",
    "letters composed otherwise than in the reference (NFC against NFD): they look the same and match nothing",
    "warning note",
    'Bring all files into NFC: python3 -c "import sys, unicodedata as u; '
    "[sys.stdout.write(u.normalize('NFC', l)) for l in sys.stdin]\" < FILE > NEW.",
)
def normal_form(corpus: Corpus) -> Iterator[Finding]:
    """Lines that are not in NFC, which nearly all text is."""
    odd = {id(text): _not_nfc(text) for text in corpus.everything}
    for text in corpus.everything:
        mine = odd[id(text)]
        if not mine:
            continue
        # Some scripts have letters that NFC takes apart: what all files do alike does no harm.
        alone = [line for line in mine if not any(line in odd[id(other)] for other in corpus.beside(text))]
        share = len(alone) / len(text)
        if not alone:
            continue
        severity: Severity = "warning" if share > 0.01 and corpus.beside(text) else "note"
        form = "in NFD" if all(_is_nfd(text.segments[line]) for line in alone) else "not in NFC"
        what = f"has {pluralise(len(alone), text.unit)} {form} ({percent_of(share)})"
        if corpus.beside(text):
            what += f", which {'the reference is not' if corpus.references else 'the source is not'}"
        yield finding(text, severity, what, lines=alone)


def _not_nfc(text: Text) -> dict[int, None]:
    if text.whole.isascii() or unicodedata.is_normalized("NFC", text.whole):
        return {}
    normal = unicodedata.is_normalized
    return {n: None for n, s in enumerate(text.segments) if not s.isascii() and not normal("NFC", s)}


def _is_nfd(segment: str) -> bool:
    return unicodedata.is_normalized("NFD", segment)


@check(
    "spaces",
    "spaces at the start or end of lines, double spaces, tabs",
    "note",
    "Most metrics do not mind; strip them all the same, for exact comparisons and for tables.",
)
def spaces(corpus: Corpus) -> Iterator[Finding]:
    """Spaces that nobody sees, in more lines than is usual."""
    base = [text for text in corpus.references or (corpus.sources,) if text is not None]
    usual = max((_spaced_share(text) for text in base), default=0.0)
    for text in corpus.outputs:
        share = _spaced_share(text)
        if share > 0.05 and share > 3 * usual:
            lines = sorted({line for line, _ in text.matches(_SPACES)})
            where = f"{pluralise(len(lines), text.unit)} ({percent_of(share)})"
            what = f"has spaces at an end, double spaces or tabs in {where}"
            yield finding(text, "note", what, lines=lines)


def _spaced_share(text: Text) -> float:
    number = sum(1 for s in text.segments if s != s.strip() or "  " in s or "\t" in s)
    return number / max(1, len(text))
