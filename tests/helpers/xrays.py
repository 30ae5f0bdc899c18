"""What the tests of x-rays share: alignments and their pages."""

from adjudge.analysis.alignments import structure
from adjudge.analysis.xray import SegmentView, SystemView, Xray, xray
from adjudge.data import Alignment, Outputs, TestSet
from adjudge.report.pages.xray import xray as report
from adjudge.report.render.text import plain


def looked(reference: str | list[str], *outputs: str | list[str], **options: object) -> Xray:
    def column(text: str | list[str]) -> list[str]:
        return [text] if isinstance(text, str) else text

    test_set = TestSet(
        references=[column(reference)], sources=[f"src {i}" for i in range(len(column(reference)))]
    )
    systems = [Outputs(f"sys{i}", column(text)) for i, text in enumerate(outputs, 1)]
    options = options or {"segments": [1]}
    return xray(test_set, systems, "ter", **options)  # type: ignore[arg-type]


def drawn(result: Xray, width: int | None = 80) -> str:
    return plain(report.renderer(result, version="0").lines(width=width))


def with_alignment(*alignments: Alignment) -> Xray:
    result = looked("a", *("a" for _ in alignments))
    views = tuple(
        SystemView(f"sys{i}", 0.5, 0.25, 0.75, 0.5, a, structure(a), 1) for i, a in enumerate(alignments, 1)
    )
    segment = SegmentView(7, None, ("a",), views, 0.25)
    return Xray(**{**vars(result), "segments": (segment,)})
