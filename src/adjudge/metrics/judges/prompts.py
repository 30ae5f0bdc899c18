"""What a model is asked: texts with fields, ours in versions that never change, or a file of the user's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from adjudge.data import languages
from adjudge.errors import UsageError
from adjudge.io.files import read_bytes, whole_text

OWN = {"score": "score.v1", "esa": "esa.v1", "mqm": "mqm.v1", "pairwise": "pairwise.v1"}
"""The prompt of each protocol; another wording is another version, for scores are published with it."""
FIELD = re.compile(r"\{([a-z_]+)\}")
COMMON = frozenset({"source", "reference", "source_language", "target_language"})
NEEDED = {"pairwise": frozenset({"a", "b"})}
FOLDER = Path(__file__).parent / "prompts"


@dataclass(frozen=True)
class Prompt:
    """A text with fields, and the name it goes by in signatures."""

    text: str
    name: str

    def filled(self, values: Mapping[str, str | None]) -> str:
        """The question about one segment; a paragraph with a field that has no value is left out.

        Fields are filled in one pass, so that a translation in which one is named stays as it is.
        """
        paragraphs = [
            paragraph
            for paragraph in re.split(r"\n{2,}", self.text.strip())
            if all(values.get(name) is not None for name in FIELD.findall(paragraph))
        ]
        return FIELD.sub(lambda field: str(values[field[1]]), "\n\n".join(paragraphs))

    @property
    def shows_reference(self) -> bool:
        """Whether there is a place for the reference."""
        return "reference" in FIELD.findall(self.text)


@cache
def prompt(protocol: str, path: str = "") -> Prompt:
    """The prompt of a protocol: ours, or the one in the user's file, named by its hash."""
    if not path:
        return Prompt((FOLDER / f"{OWN[protocol]}.txt").read_text("utf-8"), OWN[protocol])
    data, _ = read_bytes(path)
    text = whole_text(path, data)
    needed = NEEDED.get(protocol, frozenset({"output"}))
    fields = set(FIELD.findall(text))
    for name in sorted(needed - fields):
        raise UsageError(f"{path}: a prompt for {protocol} has the field {{{name}}}, and this one lacks it")
    for name in sorted(fields - needed - COMMON):
        known = ", ".join(f"{{{field}}}" for field in sorted(needed | COMMON))
        raise UsageError(f"{path}: unknown field {{{name}}}; there are {known}")
    return Prompt(text, f"sha256-{hashlib.sha256(data).hexdigest()[:12]}")


def language_names(pair: str) -> tuple[str, str]:
    """How the two languages of a pair are called in a question."""
    source, target = languages.pair(pair) if pair else ("", "")
    return _name(source, "the source language"), _name(target, "the target language")


def _name(tag: str, unknown: str) -> str:
    if not tag:
        return unknown
    name = languages.name(tag)
    if len(name) <= 3:  # no name is known, only a code
        return f"the language {tag}"
    return name.capitalize() + ("" if tag.isalpha() else f" ({tag})")
