"""Results kept with their rows (`--save`), for gate, verify and compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.evaluate import Scores
    from adjudge.evaluate.documents import Arguments
    from adjudge.io import Loaded


def save_scores(path: str, scores: Scores, loaded: Loaded, arguments: Arguments) -> None:
    """Write scores that have their rows."""
    from adjudge import __version__
    from adjudge.evaluate import stored
    from adjudge.evaluate.documents import score_document
    from adjudge.evaluate.groups import labels_of

    document = score_document(scores, version=__version__, inputs=loaded.inputs, arguments=arguments)
    stored.write(path, document, stored.rows_of(stored.measured_of(scores)), labels_of(loaded.test_set))
