"""The project's own test set, and ways to spoil it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudge.checks import Finding, LintReport, examine
from adjudge.data import Outputs, TestSet
from conftest import read_lines


@dataclass(frozen=True)
class Clean:
    source: tuple[str, ...]
    reference: tuple[str, ...]
    second: tuple[str, ...]
    output: tuple[str, ...]

    def report(self, output: Sequence[str], **changes: object) -> LintReport:
        """What is found where the output is another one, or something else was changed."""
        parts = {"source": self.source, "references": [self.reference], "labels": {}, **changes}
        test_set = TestSet(references=parts["references"], sources=parts["source"], labels=parts["labels"])
        return examine(test_set, [Outputs("mine", tuple(output))])

    def found(self, check: str, output: Sequence[str], **changes: object) -> list[Finding]:
        return [f for f in self.report(output, **changes).findings if f.check == check]


@pytest.fixture(scope="session")
def clean(examples: Path) -> Clean:
    return Clean(
        read_lines(examples / "source.pt"),
        read_lines(examples / "reference.en"),
        read_lines(examples / "reference-b.en"),
        read_lines(examples / "systems" / "neural-fixed.en"),
    )


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Sequence[str] | bytes], str]:
    """Write a file of lines, or of bytes as they are."""

    def to_file(name: str, content: Sequence[str] | bytes) -> str:
        path = tmp_path / name
        if not isinstance(content, bytes):
            content = "".join(f"{line}\n" for line in content).encode()
        path.write_bytes(content)
        return str(path)

    return to_file
