"""Where segments were first written: in the source language (forward), or in the target language (reverse)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.errors import UsageError

ORIGIN = "origin"
"""The label that holds the original language."""
FORWARD, REVERSE, OTHER = "forward", "reverse", "other"
SPELLED = {
    FORWARD: frozenset({"forward", "fwd", "f", "source-original", "source"}),
    REVERSE: frozenset({"reverse", "rev", "r", "target-original", "target"}),
}


def directions(origins: Sequence[str], languages: tuple[str, str]) -> dict[str, str]:
    """The direction of each origin for a (source, target) pair; '' if it is unknown.

    Origins may also say `forward` and `reverse` themselves. Languages are compared by their first part (en, en-GB).
    """
    ways: dict[str, str] = {}
    names = list(dict.fromkeys(origin for origin in origins if origin))
    source, target = (_language(language) for language in languages)
    for name in names:
        spelled = next((way for way, known in SPELLED.items() if name.lower() in known), None)
        if spelled:
            ways[name] = spelled
        elif _language(name) == source:
            ways[name] = FORWARD
        elif _language(name) == target:
            ways[name] = REVERSE
    if len(names) == 2 and len(ways) == 1:  # of two languages the other one is the other half
        (rest,) = (name for name in names if name not in ways)
        ((_, way),) = ways.items()
        known = source if way == REVERSE else target
        ways[rest] = OTHER if known else (FORWARD if way == REVERSE else REVERSE)
    if not ways and names:
        origins = f"the origins are {', '.join(names[:6])}"
        given = "-".join(filter(None, languages))
        if given:
            raise UsageError(f"{origins}, and none of them is a language of the pair: --language {given}")
        pair = "-".join(names[:2]) if len(names) > 1 else "SOURCE-TARGET"
        raise UsageError(
            f"{origins}, but which of them is the source language? Say the pair: --language {pair}"
        )
    return {name: ways.get(name, OTHER) for name in names}


def _language(name: str) -> str:
    return name.lower().replace("_", "-").split("-")[0]
