"""Characters that should not be there: controls, invisible ones, encoding damage, left-overs of other programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity
from adjudge.checks.registry import check, finding
from adjudge.wording import percent_of, pluralise

_CONTROL = re.compile("[\x01-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff\ue000-\uf8ff]")
# Joiners are part of the spelling in Persian and Indic scripts and in emoji, so only those between letters of
# scripts that do not join count; marks of direction belong to Hebrew and Arabic.
_INVISIBLE = re.compile(
    "[\u200b\u2060\ufeff\u00ad\u180e\u2061-\u2064\u206a-\u206f]"
    "|(?<=[\\s\u0021-\u024f\u0400-\u04ff])[\u200c\u200d](?=[\\s\u0021-\u024f\u0400-\u04ff])"
    "|(?<![\u0590-\u08ff])[\u200e\u200f\u202a-\u202e\u2066-\u2069](?![\u0590-\u08ff])"
)
_SIGNS = re.compile(_CONTROL.pattern[:-1] + "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
# What the bytes 0x80 to 0xBF are in Windows-1252; in Latin-1 those below 0xA0 are controls.
_WINDOWS = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_TAIL = f"[\u0080-\u00bf{_WINDOWS}]"
_DAMAGED = re.compile(f"[\u00c2-\u00f4]{_TAIL}{{1,3}}")
_CYRILLIC_DAMAGE = re.compile(
    "(?:[РС][\u0402-\u040f\u0452-\u045f°±Ііґµ¶·ё№є»јЅѕї‚„…†‡€‰‹‘’“”•–—™›¤§©«¬®¦]){3}"
)
_LOST = re.compile("\ufffd|锟斤拷|ï¿½|烫烫烫")
_LOST_FIRST = "\ufffd锟ï烫"
"""What these begin with."""
_QUESTIONS = re.compile(r"\?(?:(?<=[^\W\d_]\?)(?=[^\W\d_])|\?{3,})")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_SUBWORD = re.compile(r"@@(?<=[^\s@]@@)(?= |$)|▁|￭|##(?<= ##)[a-z]+(?![\w#])|</w>", re.MULTILINE)
_BYTE_LEVEL = re.compile(r"(?:Ġ\w+[^\sĠ]*){2}")
# Every branch starts with a literal, by which the search runs ahead; what must stand before it is looked up behind.
_TOKENS = re.compile(
    r"<unk>|\[UNK\]|<UNK>|⁇|<s>|</s>|<pad>|<eos>|<bos>|<mask>|\[CLS\]|\[SEP\]|\[PAD\]|\[MASK\]|<\|\w[^<>|\n]*\|>"
    r"|<extra_id_\d+>|<2[a-z]{2}>|\[INST\]|\[/INST\]|__(?<!\w__)[a-z]{2,3}__(?!\w)"
    r"|_(?<=[a-z]{3}_)(?:Latn|Cyrl|Arab|Deva|Hans|Hant|Hang|Jpan|Grek|Hebr|Thai|Beng)(?!\w)"
)
_TAG = re.compile(r"</?[a-zA-Z][\w:-]{0,20}(?:\s+[\w:-]+\s*=\s*(?:\"[^\"\n<>]*\"|'[^'\n<>]*'))*\s*/?>")
_CHATTER = re.compile(
    r"^(?:(?:sure|certainly)[,!.:] here|here(?: is|'s) (?:the|your|a) (?:\w+ )?translation|translation:"
    r"|as an ai\b|i(?:'m| am) sorry, (?:but )?i (?:can|am)|```)",
    re.IGNORECASE | re.MULTILINE,
)
ALIKE = 0.25
"""A text with more than this of another's share of lines with entities was escaped in the same way."""


def _odd_lines(corpus: Corpus, text: Text, pattern: re.Pattern[str]) -> dict[int, re.Match[str]]:
    """The first match of each line in which nothing beside the text has the like."""
    return _odd_matches(corpus, text, pattern, text.matches(pattern))


def _odd_signs(corpus: Corpus, text: Text, pattern: re.Pattern[str]) -> dict[int, re.Match[str]]:
    """Segments with odd characters by a pattern of single characters, most of which no text has at all."""
    places = text.positions(sign for sign in text.characters if _SIGNS.match(sign))
    matches = (
        (text.line(at), match) for at in places if (match := pattern.match(text.whole, at)) is not None
    )
    return _odd_matches(corpus, text, pattern, matches)


def _odd_matches(
    corpus: Corpus,
    text: Text,
    pattern: re.Pattern[str],
    matches: Iterable[tuple[int, re.Match[str]]],
    believed: Callable[[re.Match[str], str], bool] = lambda match, segment: True,
) -> dict[int, re.Match[str]]:
    lines: dict[int, re.Match[str]] = {}
    for line, match in matches:
        if line not in lines and believed(match, text.segments[line]):
            lines[line] = match
    beside = corpus.beside(text)
    return {
        line: match
        for line, match in lines.items()
        if not any(pattern.search(other.segments[line]) for other in beside)
    }


def _report(
    text: Text, lines: dict[int, re.Match[str]], what: str, severity: Severity, advice: str = ""
) -> Finding:
    numbers = sorted(lines)
    share = percent_of(len(numbers) / max(1, len(text)))
    return finding(
        text,
        severity,
        f"{what} in {pluralise(len(numbers), text.unit)} ({share})",
        lines=numbers,
        at=[lines[n].start() - text.starts[n] for n in numbers],
        advice=advice,
    )


@check(
    "control",
    "control characters, characters that are none, and private ones",
    "warning note",
    "Delete them: they count as words or parts of words, and no screen shows them.",
)
def control(corpus: Corpus) -> Iterator[Finding]:
    """Characters that print as nothing or as a box."""
    for text in corpus.everything:
        lines = _odd_signs(corpus, text, _CONTROL)
        if lines:
            kinds = Counter(f"U+{ord(match[0]):04X}" for match in lines.values()).most_common(3)
            what = f"has control characters ({', '.join(kind for kind, _ in kinds)})"
            yield _report(text, lines, what, "warning" if len(lines) > 0.001 * len(text) else "note")


@check(
    "invisible",
    "zero-width characters, soft hyphens and marks of direction that the other files do not have",
    "warning note",
    "Delete them: words with them in are other words to every metric.",
)
def invisible(corpus: Corpus) -> Iterator[Finding]:
    """Characters without width."""
    for text in corpus.everything:
        lines = _odd_signs(corpus, text, _INVISIBLE)
        if lines:
            kinds = Counter(f"U+{ord(match[0]):04X}" for match in lines.values()).most_common(3)
            what = f"has invisible characters ({', '.join(kind for kind, _ in kinds)})"
            yield _report(text, lines, what, "warning" if len(lines) > 0.01 * len(text) else "note")


@check(
    "mojibake",
    "encoding damage: UTF-8 read as Latin-1 or Windows-1252, once or twice; replacement characters",
    "error warning",
    "The text was decoded with the wrong encoding before it was written. Make it again with UTF-8 throughout; "
    "what U+FFFD replaced cannot be recovered.",
)
def mojibake(corpus: Corpus) -> Iterator[Finding]:
    """Sequences that are UTF-8 if read back as the wrong encoding."""
    for text in corpus.everything:
        lines = _odd_matches(corpus, text, _DAMAGED, text.beyond_ascii(_DAMAGED), _is_damage)
        if "Р" in text.characters or "С" in text.characters:
            lines |= _odd_lines(corpus, text, _CYRILLIC_DAMAGE)
        if lines:
            match = lines[min(lines)]
            what = f"has damaged characters ({match[0]}{_meant(match[0])})"
            yield _report(text, lines, what, "error" if len(lines) > 0.05 * len(text) else "warning")
        lost = () if text.characters.isdisjoint(_LOST_FIRST) else text.beyond_ascii(_LOST)
        lines = _odd_matches(corpus, text, _LOST, lost)
        if lines:
            yield _report(text, lines, "has lost characters (U+FFFD or what became of it)", "warning")
        lines = _odd_lines(corpus, text, _QUESTIONS)
        if len(lines) > max(2, 0.01 * len(text)) and text.role != "source":
            yield _report(text, lines, "has question marks inside words, as if letters were lost", "warning")


def _is_damage(match: re.Match[str], segment: str) -> bool:
    sequence = match[0][: 2 + (match[0][0] >= "à") + (match[0][0] >= "ð")]
    meant = _undone(sequence)
    if len(meant) != 1 or not (
        meant.isalpha() or meant in "\u00a0°£§©®«»–—‘’“”„…•€™¿¡·²³½" or ord(meant) > 0x2190
    ):
        return False
    if sequence[0] in "ÂÃ" or len(sequence) > 2:
        # A capital before a closing quote is no damage: AMANHÃ”.
        after = segment[segment.find(sequence) + len(sequence) :][:1]
        return len(sequence) > 2 or sequence[1] not in "‘’“”„…–—»" or after.isalpha()
    return len(_DAMAGED.findall(segment)) > 2 and ord(meant) < 0x530


def _undone(text: str) -> str:
    """What a sequence is once it is read as UTF-8; "" if that is nothing."""
    raw = bytearray()
    for character in text:
        try:
            raw += character.encode("cp1252")
        except UnicodeEncodeError:
            if ord(character) > 0xFF:
                return ""
            raw.append(ord(character))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _meant(text: str) -> str:
    meant = _undone(text) or _undone(text[:2])
    return f" for {meant}" if meant.isprintable() and meant.strip() else ""


@check(
    "entities",
    "HTML entities (&quot;, &amp;amp;, Moses' &#124;) where the other files have none",
    "warning note",
    'Unescape the text: python3 -c "import html, sys; [sys.stdout.write(html.unescape(l)) for l in sys.stdin]".',
)
def entities(corpus: Corpus) -> Iterator[Finding]:
    """Characters written as HTML or Moses write them."""
    shares = {
        id(text): len(text.by_line(_ENTITY)) / len(text) if "&" in text.characters else 0.0
        for text in corpus.everything
    }
    for text in corpus.everything:
        lines = _odd_lines(corpus, text, _ENTITY) if shares[id(text)] else {}
        if lines:
            # A reference that is escaped as well was written in the same way: nothing is lost between the two.
            alike = any(shares[id(other)] > ALIKE * shares[id(text)] for other in corpus.beside(text))
            severity: Severity = "warning" if len(lines) >= 0.002 * len(text) and not alike else "note"
            elsewhere = ", as the texts beside it have in others" if alike else ""
            found_here = _report(text, lines, "has HTML entities", severity)
            yield replace(found_here, message=found_here.message + elsewhere)


@check(
    "subwords",
    "left-over marks of subwords (@@, ▁, ##, </w>, Ġ)",
    "error warning note",
    "Join the pieces: sed 's/@@ //g' for BPE, the decode of the sentencepiece model for ▁.",
)
def subwords(corpus: Corpus) -> Iterator[Finding]:
    """Pieces of words that nobody joined."""
    for text in corpus.everything:
        lines: dict[int, re.Match[str]] = {}
        if any(mark in text.whole for mark in ("@@", "▁", "\uffed", "￭", "##", "</w>")):
            lines = _odd_lines(corpus, text, _SUBWORD)
        if "Ġ" in text.characters:
            lines |= _odd_lines(corpus, text, _BYTE_LEVEL)
        if lines:
            few: Severity = "warning" if len(lines) > 0.002 * len(text) else "note"
            severity: Severity = "error" if len(lines) > 0.05 * len(text) else few
            yield _report(text, lines, f"has marks of subwords ({lines[min(lines)][0]})", severity)


@check(
    "special-tokens",
    "<unk>, </s>, <pad>, language codes and other tokens of the system's own",
    "warning note",
    "The system writes its inner tokens into the text. Take out those of control; words behind <unk> are lost.",
)
def special_tokens(corpus: Corpus) -> Iterator[Finding]:
    """Tokens that mean something to a system and nothing to a reader."""
    for text in (*corpus.references, *corpus.outputs, *corpus.astray):
        if not any(sign in text.characters for sign in "<[⁇_"):
            continue
        lines = _odd_lines(corpus, text, _TOKENS)
        if lines:
            kinds = Counter(match[0] for match in lines.values()).most_common(3)
            shown = ", ".join(kind for kind, _ in kinds)
            severity: Severity = "warning" if len(lines) > 0.001 * len(text) else "note"
            yield _report(text, lines, f"has special tokens ({shown})", severity)


@check(
    "markup",
    "tags that the source does not have, and tags of the source that were lost",
    "warning note",
    "Metrics take tags for words. Take them out of all files, or see that the system keeps them.",
)
def markup(corpus: Corpus) -> Iterator[Finding]:
    """Markup on one side only."""
    for text in corpus.outputs:
        if "<" in text.characters:
            lines = {n: m for n, m in _odd_lines(corpus, text, _TAG).items() if not _TOKENS.match(m[0])}
            if lines:
                severity: Severity = "warning" if len(lines) > 0.005 * len(text) else "note"
                yield _report(text, lines, "has tags that neither source nor reference has", severity)
        if corpus.sources is not None and "<" in corpus.sources.characters:
            wanted = {line for line, _ in corpus.sources.matches(_TAG)}
            for reference in corpus.references:
                wanted &= {line for line, _ in reference.matches(_TAG)}
            lost = sorted(line for line in wanted if not _TAG.search(text.segments[line]))
            if lost:
                severity = "warning" if len(lost) > 0.1 * len(wanted) else "note"
                what = (
                    f"has no tags in {pluralise(len(lost), 'line')} of {len(wanted):,} whose source has some"
                )
                yield finding(text, severity, what, lines=lost)


@check(
    "chatter",
    "a language model that talks about the translation instead of giving it",
    "warning note",
    "Ask the model for the translation alone, or cut off what stands around it.",
)
def chatter(corpus: Corpus) -> Iterator[Finding]:
    """Lines that begin as an assistant's answers do, and source and references do not."""
    for text in corpus.outputs:
        # Tried where lines begin only: the pattern has no first letter by which a search could run ahead.
        starts = (0, *(end.end() for end in re.finditer("\n", text.whole)))
        matches = (match for start in starts if (match := _CHATTER.match(text.whole, start)))
        lines = _odd_matches(corpus, text, _CHATTER, ((text.line(match.start()), match) for match in matches))
        if lines and (corpus.references or len(lines) > 2):
            severity: Severity = "warning" if len(lines) > 0.002 * len(text) else "note"
            yield _report(text, lines, "begins like an assistant's answer", severity)
