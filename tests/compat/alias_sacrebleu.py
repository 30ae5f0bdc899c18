"""A pytest plugin for another process: there, `import sacrebleu` means `adjudge.compat.sacrebleu`."""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class Alias(MetaPathFinder, Loader):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name.split(".")[0] == "sacrebleu" else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return importlib.import_module(f"adjudge.compat.{spec.name}")

    def exec_module(self, module: ModuleType) -> None:
        """It has been executed under its own name."""


sys.meta_path.insert(0, Alias())


def pytest_sessionfinish() -> None:
    """Prove that not a single module of the real package was loaded."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "sacrebleu":
            assert "adjudge" in str(module.__file__), module
