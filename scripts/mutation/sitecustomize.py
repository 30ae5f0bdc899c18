"""Read by every Python that scripts/mutants starts: lays a mutant over its module, or notes which lines run."""

import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType


class MutantLoader(SourceFileLoader):
    """Loads a module from its own place, with another text."""

    def get_code(self, fullname: str) -> CodeType:
        """The mutant's, which nobody stores for the next one."""
        with open(os.environ["MUTANT_FILE"], "rb") as file:
            return compile(file.read(), self.path, "exec", dont_inherit=True)


class Finder:
    """Knows one module."""

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The mutant's, asked for before all others."""
        if name != os.environ.get("MUTANT_MODULE"):
            return None
        place = os.environ["MUTANT_PLACE"]
        return importlib.util.spec_from_file_location(name, place, loader=MutantLoader(name, place))


sys.meta_path.insert(0, Finder())
if "COVERAGE_PROCESS_START" in os.environ:
    import coverage

    coverage.process_startup()
