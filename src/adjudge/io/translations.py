"""Back-translations of outputs: whose they are, and what goes with which output."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.data import Outputs
from adjudge.errors import unknown_name
from adjudge.io.names import system_and_run
from adjudge.wording import counted


def back_translated(
    outputs: Sequence[Outputs], files: Sequence[tuple[str, str, Sequence[str]]]
) -> tuple[dict[str, str], list[str]]:
    """The back-translation of each output by its text, and what to tell of it; files are (name, path, segments)."""
    by_name = {(output.system, output.run): output for output in outputs}
    given: list[tuple[Sequence[str], Sequence[str]]] = []
    for name, path, segments in files:
        output = by_name.get(system_and_run(name))
        if output is None and len(files) == len(outputs) == 1:
            output = outputs[0]
        if output is None:
            raise unknown_name(
                "system",
                name,
                [output.title for output in outputs],
                f"say whose back-translation {path} is: --back-translation SYS={path}",
            )
        given.append((output.segments, segments))
    return by_text(given)


def by_text(columns: Sequence[tuple[Sequence[str], Sequence[str]]]) -> tuple[dict[str, str], list[str]]:
    """Translations by the text that was translated, the first of each; a warning counts texts that have several."""
    translations: dict[str, str] = {}
    unclear: dict[str, None] = {}
    for texts, translated in columns:
        for text, translation in zip(texts, translated, strict=True):
            if translations.setdefault(text, translation) != translation:
                unclear[text] = None
    if not unclear:
        return translations, []
    example = next(iter(unclear))[:40]
    return translations, [
        f"{counted(len(unclear), 'output')} with several back-translations, of which the first counts (as {example!r})"
    ]
