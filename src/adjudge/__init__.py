"""Which machine-translation system is better, by how much, and whether you may believe it."""

from __future__ import annotations

# Nothing is imported here: `adjudge` would show a traceback where Ctrl-C comes while it is (see __main__).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from adjudge.data import Outputs as Outputs
    from adjudge.data import TestSet as TestSet
    from adjudge.evaluate import compare as compare
    from adjudge.evaluate import score as score
    from adjudge.metrics import metric as metric

__version__ = "0.1.0"

# Nothing heavy is imported until it is asked for.
_HOME = {
    "AdjudgeError": "adjudge.errors",
    "Outputs": "adjudge.data",
    "TestSet": "adjudge.data",
    "compare": "adjudge.evaluate",
    "metric": "adjudge.metrics",
    "score": "adjudge.evaluate",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        import importlib

        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'adjudge' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
