"""A fixture for pytest: `def test_quality(translation_quality)` fails where `adjudge gate` would, in its words.

Pytest imports this module wherever adjudge is installed, so nothing else of adjudge is until the fixture is called.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from adjudge.comparison.plan import Plan
    from adjudge.history.gate_result import Gate
    from adjudge.history.stored import StoredResult
    from adjudge.io import Loaded

BASELINE = "adjudge_baseline"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The setting `adjudge_baseline`: the saved result that all tests hold translations against."""
    parser.addini(BASELINE, "what translation_quality holds translations against, as adjudge --save wrote it")


@pytest.fixture
def translation_quality(request: pytest.FixtureRequest) -> TranslationQuality:
    """Hold translations against a saved result: the test fails on a significant drop."""
    return TranslationQuality(request)


class TranslationQuality:
    """What the fixture gives: a gate to call."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def __call__(
        self,
        translations: str | os.PathLike[str] | Iterable[str],
        against: str | os.PathLike[str] | None = None,
        *,
        name: str = "new",
        references: Sequence[str] = (),
        source: str | None = None,
        test_set: str | None = None,
        metrics: Sequence[str] | None = None,
        system: str | None = None,
        tolerance: float = 0.0,
        look: int | None = None,
        max_looks: int | None = None,
        plan: Plan | None = None,
    ) -> Gate:
        """Fail where translations are significantly worse than a saved result, and else say what was seen.

        `translations` are a file, or the segments themselves, as a system called `name`. All else is as in
        `adjudge gate`: references are those that the result names, unless others are given, metrics its own or some;
        `look` is which look at the result this is, `max_looks` how many there will be at most.
        """
        from adjudge.comparison.study_material import StudyMaterial
        from adjudge.errors import AdjudgeError
        from adjudge.history.gate import gate
        from adjudge.stats.looks import Look

        problem = ""
        try:
            files = {"references": references, "source": source, "test_set": test_set}
            run, loaded = self._load(translations, against, name, files)
            result = gate(
                run,
                [StudyMaterial(name, loaded.test_set, loaded.outputs)],
                metrics,
                plan,
                system=system,
                tolerance=tolerance,
                look=Look(look, max_looks),
            )
        except AdjudgeError as error:
            problem = f"translations could not be held against a saved result: {error}"
        if problem:  # failed out here, where the error above is no part of the message
            pytest.fail(problem, pytrace=False)
        words = _words(result, loaded)
        if not result.passed:
            pytest.fail(words, pytrace=False)
        self._request.node.add_report_section("call", "adjudge", words)  # `pytest -rP` shows it
        return result

    def _load(
        self,
        translations: str | os.PathLike[str] | Iterable[str],
        against: str | os.PathLike[str] | None,
        name: str,
        files: dict[str, str | Sequence[str] | None],
    ) -> tuple[StoredResult, Loaded]:
        """The saved result, and its test set with the new translations."""
        from dataclasses import replace

        from adjudge import io
        from adjudge.data import Outputs
        from adjudge.history import stored
        from adjudge.history.reload import files_of

        run = stored.read(self._baseline(against), study=False)
        named = files_of(run, **files)
        if isinstance(translations, str | os.PathLike):
            return run, io.load(systems=[self._find(translations)], **named)
        loaded = io.load(**named)
        return run, replace(loaded, outputs=(Outputs(name, tuple(translations)),))

    def _baseline(self, against: str | os.PathLike[str] | None) -> str:
        from adjudge.errors import UsageError

        path = against or self._request.config.getini(BASELINE)
        if not path:
            raise UsageError(
                f"none is named: translation_quality(…, against=FILE), or {BASELINE} = FILE in the settings of pytest"
            )
        return self._find(path)

    def _find(self, path: str | os.PathLike[str]) -> str:
        """A path as it is, or as it is seen from the folder of pytest's settings where a test runs elsewhere."""
        text = os.fspath(path)
        from_root = os.path.join(self._request.config.rootpath, text)
        return from_root if not os.path.exists(text) and os.path.exists(from_root) else text


def _words(result: Gate, loaded: Loaded) -> str:
    """What `adjudge gate` prints, with its warnings below."""
    from adjudge import __version__
    from adjudge.display import visible
    from adjudge.report.render.formats import TEXT, render, renderer_of

    warnings = [f"warning: {visible(text)}" for text in (*loaded.notes, *result.warnings)]
    shown = render(renderer_of(result, version=__version__, inputs=loaded.inputs), TEXT).strip("\n")
    return "\n".join([shown, *warnings])
