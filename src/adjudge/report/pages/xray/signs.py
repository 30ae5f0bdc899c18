"""What stands for each kind of link, and what it means."""

GLYPHS = {
    "exact": "■",
    "stem": "◆",
    "synonym": "●",
    "paraphrase": "▲",
    "shift": "↷",
    "substitution": "×",
}
MEANING = {
    "exact": "the same word",
    "stem": "another form of the word",
    "synonym": "another word of the same meaning",
    "paraphrase": "other words of the same meaning",
    "shift": "the same word, moved",
    "substitution": "another word in its place",
}
OTHER = "◆"
EXTRA, MISSING = "+", "-"


def in_order(kinds: set[str]) -> list[str]:
    """Kinds as they are always listed: from the same word to another one, then those of future metrics."""
    return [kind for kind in GLYPHS if kind in kinds] + sorted(kinds - set(GLYPHS))


def kind_class(kind: str) -> str:
    """The class that colours a kind of link on a page; those of future metrics share one."""
    return kind if kind in GLYPHS else "other" if kind else "none"
