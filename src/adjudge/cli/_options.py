"""Options that several commands share, each spelled once."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from adjudge.cli._outputs import FormatOption
from adjudge.cli._outputs import output_option as output_option_of
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from adjudge.comparison.documents import Arguments
    from adjudge.io import Loaded

Command = TypeVar("Command", bound=Callable[..., Any])
Group = TypeVar("Group", bound="DataclassInstance")
FORMATS = ("text", "json", "tsv", "markdown", "latex")


class Whole(click.IntRange):
    """A whole number in a range, called so in messages; where no end is given, it ends at a thousand million."""

    name = "whole number"

    def __init__(self, low: int, most: int = 10**9) -> None:
        super().__init__(low, most)


def number_list(kind: type[int] | type[float], what: str) -> Callable[..., tuple[float, ...] | None]:
    """A callback for one number or several, with commas between them."""

    def convert(
        context: click.Context, parameter: click.Parameter, value: str | None
    ) -> tuple[float, ...] | None:
        if value is None:
            return None
        try:
            numbers = tuple(kind(part) for part in value.split(","))
            if not all(1e-9 <= abs(number) <= 1e9 or number == 0 for number in numbers):  # nor nan
                raise ValueError
            return numbers
        except ValueError:
            raise UsageError(
                f"{parameter.opts[0]} {value}: is not {what}, nor several with commas between them"
            ) from None

    return convert


class Real(click.types.FloatParamType):
    """A number that can be reckoned with: finite, and neither so large nor so small that nothing is left of it."""

    name = "number"

    def __init__(self, smallest: float = 1e-100, least: float = -1e100) -> None:
        self.smallest, self.least = smallest, least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, refused where it is none."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number) or abs(number) > 1e100:
            self.fail(
                f"{str(value)[:30]!r} is no number to reckon with: at most 1e100 was expected", param, ctx
            )
        if 0 < abs(number) < self.smallest:
            self.fail(
                f"{str(value)[:30]!r} is too small: 0 or at least {self.smallest:g} was expected", param, ctx
            )
        if number < self.least:
            self.fail(f"{str(value)[:30]!r} is too small: at least {self.least:g} was expected", param, ctx)
        return number


MOST_DRAWS = 10**7
"""Trials, resamples or simulations: more than these say nothing more, and fill the memory."""
LARGEST_SEED = 2**63 - 1


_FILES = (
    click.argument("systems", metavar="SYS...", nargs=-1),
    click.option(
        "-r", "--reference", "references", metavar="FILE", multiple=True, help="A reference; may be repeated."
    ),
    click.option("-s", "--source", metavar="FILE", help="The source, for metrics that read it."),
    click.option(
        "-t",
        "--test-set",
        metavar="FILE",
        help="One file with references and, perhaps, systems; or sacrebleu:wmt24.",
    ),
    click.option("-L", "--labels", metavar="TSV", help="Document, domain and other labels of the segments."),
    click.option(
        "-l", "--language", metavar="LANG", help="The language pair (en-de) or the target language."
    ),
    click.option(
        "--input-format", metavar="FORMAT", help="The format of all files, where names do not tell it."
    ),
)


FILES = ("references", "source", "test_set", "labels", "language", "input_format")
STRUCTURE = ("trees", "pseudo_references", "back_translations", "translator", "back_translator")


def file_options(command: Command) -> Command:
    """SYS..., -r, -s, -t, -L, -l and --input-format: what `load_files` and `check_files` take."""
    for option in reversed(_FILES):
        command = option(command)
    return command


realign_option = click.option(
    "--realign",
    is_flag=True,
    help="Cut outputs anew by edit distance where an engine merged or split lines.",
)
level_option = click.option(
    "--level",
    metavar="LEVEL",
    callback=lambda _context, _parameter, value: checked_level(value),
    help="What is scored at once: segment (default), document, or window:N for N segments of a document.",
)


def checked_level(text: str | None) -> str | None:
    """A level that can be read, None for segments."""
    if text is None:
        return None
    from adjudge.data.levels import SEGMENT, Level

    level = str(Level.of(text))
    return None if level == SEGMENT else level


_STRUCTURE = (
    click.option(
        "--trees",
        metavar="TEXT=FILE",
        multiple=True,
        help="Trees of a text, CoNLL-U or bracketed; TEXT= where names do not tell whose. May be repeated.",
    ),
    click.option(
        "--pseudo-reference",
        "pseudo_references",
        metavar="FILE",
        multiple=True,
        help="A machine translation of the source, to serve as a reference; may be repeated.",
    ),
    click.option(
        "--back-translation",
        "back_translations",
        metavar="SYS=FILE",
        multiple=True,
        help="A system's output translated back into the source language; may be repeated.",
    ),
)
_PROGRAMS = (
    click.option(
        "--translator",
        metavar="COMMAND",
        help="A program that translates the source into a pseudo-reference: lines in, lines out.",
    ),
    click.option(
        "--back-translator",
        metavar="COMMAND",
        help="A program that translates outputs back into the source language: lines in, lines out.",
    ),
)
trees_option = _STRUCTURE[0]
PROGRAMS = ("translator", "back_translator")
"""The options that name programs, and not files."""


def structure_options(command: Command) -> Command:
    """--trees, --pseudo-reference, --back-translation and the programs that translate: `load_files` takes them too."""
    for option in reversed((*_STRUCTURE, *_PROGRAMS)):
        command = option(command)
    return command


def metric_option(default: str) -> Callable[[Command], Command]:
    """-m, as in 'bleu(tokenize=intl)', for as many metrics as wanted."""
    return click.option(
        "-m",
        "--metric",
        "metrics",
        metavar="METRIC",
        multiple=True,
        help=f"A metric, as in 'bleu(tokenize=intl)', may be repeated (adjudge score --list). Default: {default}.",
    )


def format_option(formats: Sequence[str] = FORMATS) -> Callable[[Command], Command]:
    """-f, how results are shown; the command takes it as `form`."""

    def check(context: click.Context, parameter: click.Parameter, value: str) -> str:
        if value not in formats:
            raise unknown_name("format", value, formats)
        return value

    return click.option(
        "-f",
        "--format",
        "form",
        cls=FormatOption,
        kinds={form: form for form in formats},
        metavar="FORMAT",
        default="text",
        callback=check,
        help=f"How results are shown: {', '.join(formats)}.",
    )


output_option = output_option_of(
    "-o",
    "--output",
    metavar="FILE",
    help="Write results to a file instead of stdout, in the format that its name ends in (or -f).",
)
save_option = output_option_of(
    "--save",
    metavar="FILE.json",
    holds=("json",),
    help="Keep the result with its rows, for gate, verify and compare.",
)
width_option = click.option(
    "-w", "--width", "decimals", metavar="N", type=Whole(0, 15), help="Decimals of the scores shown."
)
threads_option = click.option(
    "--threads",
    metavar="N",
    type=Whole(0, 1024),
    default=0,
    help="Threads to use; 0, the default: one a core.",
)
seed_option = click.option(
    "--seed",
    metavar="N",
    type=Whole(0, LARGEST_SEED),
    default=12345,
    help="Of what is drawn; 12345 by default.",
)
resamples_option = click.option(
    "--resamples",
    metavar="N",
    type=Whole(1, 1_000_000),
    default=1000,
    help="For the intervals; 1000 by default.",
)
draws_option = click.option(
    "--draws",
    metavar="N",
    type=Whole(1, 1_000_000),
    default=1000,
    help="Resamples and permutations; 1000 by default. Many metrics take more permutations by themselves.",
)
training_option = click.option(
    "--training",
    metavar="FILE",
    multiple=True,
    help="A text that a system was trained on, of any size; may be repeated: what of the test set stands in it?",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No warnings and no progress on stderr.")


def group_of(kind: type[Group], options: Mapping[str, Any]) -> Group:
    """Those of a command's options that travel together: the fields of a dataclass."""
    return kind(**{field.name: options[field.name] for field in fields(kind)})


def metric_specs(given: Sequence[str]) -> list[str]:
    """The specs in the values of -m, each of which may hold several with commas between them."""
    from adjudge import metrics

    return [spec for text in given for spec in metrics.split(text) or [text]]


def check_files(
    systems: Sequence[str],
    *,
    doing: str,
    references: Sequence[str],
    source: str | None,
    test_set: str | None,
    pseudo_references: Sequence[str] = (),
    **others: Any,
) -> None:
    """Refuse what cannot be scored or compared (`doing`) before anything is read."""
    from adjudge.metrics import names

    for system in systems:
        if not os.path.exists(system) and system.lower() in names():
            raise UsageError(
                f"{system} is a metric, but a file was expected; -m for each: -m bleu -m {system}"
            )
    if not systems and test_set is None:
        raise UsageError(f"no system output to {doing}: adjudge {doing} -r REFERENCE SYS... (- is stdin)")
    if not (references or pseudo_references) and source is None and test_set is None:
        raise UsageError(f"no reference to {doing} against: -r FILE, or -t FILE for a test set in one file")


def load_files(systems: Sequence[str], *, doing: str, **files: Any) -> Loaded:
    """The test set and the outputs that the file options name; stdin is read for `-`."""
    loaded = load_material(systems, files)
    if not loaded.outputs:
        raise UsageError(f"{files['test_set']} holds no system output to {doing}: -t FILE SYS...")
    return loaded


def load_material(systems: Sequence[str], files: Mapping[str, Any]) -> Loaded:
    """The same where it is known that there are outputs; programs translate what they are asked to."""
    from adjudge import io

    programs = {name: files[name] for name in PROGRAMS if files.get(name)}
    named = {name: value for name, value in files.items() if name not in PROGRAMS}
    loaded = io.load(systems=systems, stdin=stdin_bytes(), **named)
    if not programs:
        return loaded
    from adjudge.text.translators import with_translations

    return with_translations(loaded, **programs)


def arguments(
    systems: Sequence[str],
    specs: Sequence[str],
    options: Mapping[str, Any] | None = None,
    runs: Sequence[str] = (),
    **files: Any,
) -> Arguments:
    """How files and metrics were named, for results that are to be computed again; patterns are expanded."""
    from adjudge.comparison.documents import Arguments
    from adjudge.io.names import expand_pattern

    lists: dict[str, Any] = {
        name: tuple(path for text in files.pop(name, ()) for path in expand_pattern(text, named=named))
        for name, named in ARGUMENT_LISTS.items()
    }
    return Arguments(
        systems=tuple(argument for text in systems for argument in expand_pattern(text, named=True)),
        **lists,
        metrics=tuple(specs),
        options=options or {},
        runs=tuple(runs),
        **files,
    )


ARGUMENT_LISTS = {"references": False, "pseudo_references": False, "back_translations": True, "trees": True}
"""Options that may be repeated, and whether NAME=FILE is allowed."""


def score_arguments(
    scores: Sequence[str], options: Mapping[str, Any], labels: str | None, *, lower: bool, common: bool
) -> Arguments:
    """How files of scores were named, for results that are to be computed again."""
    from adjudge.comparison.documents import Arguments

    return Arguments(
        scores=tuple(scores), labels=labels, options=options, lower_is_better=lower, common=common
    )


def stdin_bytes() -> BinaryIO | None:
    """Standard input as it comes, None where there is none."""
    return sys.stdin.buffer if sys.stdin is not None else None
