"""Translations by another program: any that reads lines and writes as many, as `apertium eng-spa` does.

What it wrote is kept by the command and the text. Only when it has written a line for every line, and has ended well,
is anything kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudge import workspace
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.io import Loaded
from adjudge.io.content_store import key_of
from adjudge.io.load import by_text
from adjudge.io.programs import arguments_of, filter_lines
from adjudge.wording import are, pluralise

KIND = "translations"
"""Under which translations are kept in the store."""


def with_translations(
    loaded: Loaded, *, translator: str | None = None, back_translator: str | None = None
) -> Loaded:
    """A loaded test set with its source translated as one more pseudo-reference, and with outputs translated back."""
    test_set = loaded.test_set
    notes: list[str] = []
    if translator:
        test_set = with_pseudo_reference(test_set, translator)
    if back_translator:
        test_set, notes = with_back_translations(test_set, loaded.outputs, back_translator)
    return replace(loaded, test_set=test_set, notes=(*loaded.notes, *notes))


def with_pseudo_reference(test_set: TestSet, command: str) -> TestSet:
    """The test set with a program's translation of the source as its last reference."""
    if test_set.sources is None:
        raise UsageError(f"--translator {command!r} translates the source, and there is none: -s FILE")
    pseudo = translate_texts(test_set.sources, command, "--translator")
    references = (*test_set.references, tuple(pseudo))
    return replace(test_set, references=references, pseudo=test_set.pseudo + 1)


def with_back_translations(
    test_set: TestSet, outputs: Sequence[Outputs], command: str
) -> tuple[TestSet, list[str]]:
    """The test set with outputs translated back by a program, those that were given left as they are; and warnings."""
    texts = [
        text
        for text in dict.fromkeys(text for output in outputs for text in output.segments)
        if text not in test_set.back_translations
    ]
    back = translate_texts(texts, command, "--back-translator")
    known, notes = by_text([(texts, back)])
    return replace(test_set, back_translations=known | dict(test_set.back_translations)), notes


def translate_texts(texts: Sequence[str], command: str, option: str = "--translator") -> list[str]:
    """A translation of each text, an empty one of a blank text; what the store has is not translated again.

    A program that a stored result names is run only where the user allows that.
    """
    here = workspace.current()
    keys = {text: key_of(command, text) for text in dict.fromkeys(texts) if text.strip()}
    kept = here.store.get(KIND, list(keys.values())) if here.store is not None else {}
    known = {text: kept[key].decode("utf-8") for text, key in keys.items() if key in kept}
    missing = [text for text in keys if text not in known]
    if missing and not here.may_run:
        raise DataError(
            f"the result was made with translations by {command!r}, of which {pluralise(len(missing), 'text')} "
            f"{are(len(missing))} not kept here, and no program is run because a file names it: "
            "allow it with --allow-programs, if you trust the file"
        )
    if missing:
        new = _run(missing, command, option)
        known.update(zip(missing, new, strict=True))
        if here.store is not None:
            values = {keys[text]: known[text].encode("utf-8") for text in missing}
            here.store.put(KIND, values)
    return [known.get(text, "") for text in texts]


def _run(texts: Sequence[str], command: str, option: str) -> list[str]:
    """The lines that a program wrote for as many lines."""
    here = workspace.current()
    here.tell(f"translating with {command}", 0, len(texts))
    way_out = f"{option} takes a program that writes a line for every line it reads, in the same order"
    lines = [" ".join(text.split()) for text in texts]
    return filter_lines(arguments_of(command), lines, time_limit=here.time_limit, way_out=way_out)
