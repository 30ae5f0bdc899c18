"""Where and why systems differ: errors, words, n-grams, groups of segments."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import click

from adjudge.cli._command import Subcommand
from adjudge.cli._files import load_files, load_material, metric_specs, read_judgements
from adjudge.cli._group import CommandsByFile
from adjudge.cli._options import PAGES, format_option, is_repeated, option
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input, Loaded
    from adjudge.io.judgements import LoadedJudgements

FOLDER = Path(__file__).parent
ANALYSES = FOLDER.parent.parent / "analysis"
_ANALYSE = re.compile(r"^def analyse\(", re.MULTILINE)


class Analyses(CommandsByFile):
    """The files of this folder, and all files of `analysis` that define `analyse`, whose keywords are its options."""

    def summaries(self) -> dict[str, str]:
        """Every analysis by the name of its file, with the first line of the docstring."""
        analyses = (path for path in ANALYSES.glob("*.py") if _is_analysis(path))
        return super().summaries() | {path.stem.replace("_", "-"): _summary(path) for path in analyses}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, made of its analysis."""
        if not _is_analysis(_file(cmd_name)):
            return super().get_command(ctx, cmd_name)
        return analysis_command(cmd_name, importlib.import_module(f"adjudge.analysis.{_file(cmd_name).stem}"))


def _summary(path: Path) -> str:
    with path.open(encoding="utf-8") as opened:
        return opened.readline().strip().strip('"').rstrip(".")


def _file(name: str) -> Path:
    return ANALYSES / f"{name.replace('-', '_')}.py"


def _is_analysis(path: Path) -> bool:
    return path.is_file() and _ANALYSE.search(path.read_text(encoding="utf-8")) is not None


def analysis_command(name: str, module: ModuleType) -> Subcommand:
    """The command of an analysis: files in, the keywords of `analyse` as options, its result in every format out."""
    keywords: dict[str, Any] = dict(module.analyse.__kwdefaults__ or {})
    of_trees = [key for key in keywords if key == "trees"]

    def run_analysis(run: CommandRun, *, systems: tuple[str, ...], **given: Any) -> None:
        asked = {key: given[key] for key in keywords if key in given}
        if "metrics" in asked:
            asked["metrics"] = metric_specs(asked["metrics"]) or keywords["metrics"]
        with run.working() as work:
            asked |= {key: getattr(work, key) for key in ("threads", "cache") if key in keywords}
            files = {key: value for key, value in given.items() if key not in asked or key in of_trees}
            inputs = CommandInputs(f"analyse {name}", systems, files, work.progress)
            result = module.analyse(inputs, **asked)
        run.warn(inputs.notes)
        run.show(result, inputs.read)

    run_analysis.__doc__ = module.analyse.__doc__
    options = (_option(module, key, default) for key, default in keywords.items() if key != "trees")
    summary = str(module.__doc__).partition("\n")[0]
    parts = ("files", *options, "quiet", *of_trees, format_option(PAGES), "output")
    return Subcommand(name, summary, run_analysis, parts)


def _option(module: ModuleType, name: str, default: Any) -> click.Option | str:
    """The option of a keyword; `Annotated` has a remark on it."""
    if name == "cache":
        return name
    annotation = module.analyse.__annotations__[name]
    remark = ""
    if annotation.startswith("Annotated["):
        hint = eval(annotation, vars(module))
        assert get_origin(hint) is Annotated
        _, remark = get_args(hint)
        annotation = annotation.removeprefix("Annotated[").lstrip()
    repeated = is_repeated(annotation, name)
    return option(name, remark, default=() if repeated else default, repeated=repeated)


class CommandInputs:
    """The files that a command names, each read when an analysis asks for it."""

    def __init__(
        self,
        doing: str,
        systems: Sequence[str],
        files: dict[str, Any],
        progress: Callable[[str, int, int], None] | None,
    ) -> None:
        self._doing, self._systems, self._files = doing, systems, files
        self.progress = progress
        self.read: tuple[Input, ...] = ()
        self.notes: tuple[str, ...] = ()

    def load(self) -> Loaded:
        """The test set, and at least one output."""
        return self._merge_notes(load_files(self._systems, doing=self._doing, **self._files))

    def load_texts(self) -> Loaded:
        """The test set, with outputs or without."""
        if not (self._files["references"] or self._files["source"] or self._files["test_set"]):
            raise UsageError("no test set to look for: -r FILE, -s FILE or -t FILE")
        return self._merge_notes(load_material(self._systems, self._files))

    def read_judgements(self, paths: Sequence[str]) -> LoadedJudgements | None:
        """The judgements of files; None of no file."""
        if not paths:
            return None
        judgements = read_judgements(paths)
        self.read += tuple(judgements.inputs)
        self.notes += tuple(judgements.warnings)
        return judgements

    def _merge_notes(self, loaded: Loaded) -> Loaded:
        """Texts come before judgements in what is said of them."""
        self.read = (*loaded.inputs, *self.read)
        self.notes = (*loaded.notes, *self.notes)
        return loaded


@click.command("analyse", cls=Analyses, folder=FOLDER)
def command() -> None:
    """Where and why systems differ: errors, words, n-grams, groups of segments."""
