"""Options, made of the words of the vocabulary, and those groups of them that several commands share.

An option is the keyword of a command (`keywords`), the field of a plan (`fields_of`), or one of a group (`options`):
its name and default stand there, its meaning and type in the vocabulary.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from adjudge.cli._outputs import FormatOption, OutputOption, declared
from adjudge.cli._vocabulary import ON_AND_OFF, WORDS, Name, Numbers, argument_names
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from adjudge.comparison.documents import Arguments
    from adjudge.io import Loaded

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]
Group = TypeVar("Group", bound="DataclassInstance")
FORMATS = ("text", "json", "tsv", "markdown", "latex")
PAGES = (*FORMATS, "html")
SPELLINGS = argument_names()


def option(
    name: str,
    remark: str = "",
    *,
    spelling: str | None = None,
    default: Any = None,
    repeated: bool | None = None,
    **facts: Any,
) -> Decorator:
    """The option that fills the argument `name`; a remark says what is peculiar to a command.

    It may be repeated where the argument has the name for several, unless `repeated` says otherwise.
    """
    spelling = spelling or SPELLINGS[name]
    word = WORDS[spelling]
    facts.setdefault("help", f"{word.meaning} {remark}".strip())
    flags = f"--{spelling}/--no-{spelling}" if spelling in ON_AND_OFF else f"--{spelling}"
    if not word.value:
        facts.setdefault("default", default if spelling in ON_AND_OFF else bool(default))
        facts["is_flag"] = True
    else:
        facts = {"metavar": word.value, "type": word.type} | facts
        if repeated if repeated is not None else name == word.many:
            facts["multiple"] = True
        elif default is not None:
            facts["default"], facts["show_default"] = default, default != ""
    return click.option(*([f"-{word.letter}"] if word.letter else []), flags, name, **facts)


def options(*parts: str | Decorator, **defaults: Any) -> Decorator:
    """A group of options as one decorator, in the order in which help shows them: those without a default first.

    A part is the name of an option, or an option or group that was made before.
    """
    decorators = [option(part) if isinstance(part, str) else part for part in parts]
    decorators += [option(name, default=default) for name, default in defaults.items()]

    def add(command: Function) -> Function:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return add


def keywords(*, facts: Mapping[str, Mapping[str, Any]] | None = None, **remarks: str) -> Decorator:
    """An option for every keyword of a command that has a default; `facts` are for the command-line library."""

    def add(command: Function) -> Function:
        function: Any = command
        while hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        return options(
            *(
                option(
                    name,
                    remarks.get(name, ""),
                    default=default,
                    repeated=is_repeated(function.__annotations__[name], name),
                    **(facts or {}).get(name, {}),
                )
                for name, default in function.__kwdefaults__.items()
            )
        )(command)

    return add


def is_repeated(annotation: str, name: str) -> bool:
    """Whether an argument of that type takes an option that may be repeated."""
    takes_several = isinstance(WORDS[SPELLINGS[name]].type, Numbers | click.Tuple)
    return annotation.startswith("tuple[") and not takes_several


class FieldOption(click.Option):
    """An option whose default is that of a plan's field, which is looked up where somebody asks for it."""

    def __init__(self, *args: Any, plan: str, field: str, **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.plan, self.field = plan, field

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        """The default of the field; nothing is loaded for completion, nor for help without it."""
        if ctx.resilient_parsing and (call or not self.show_default):
            return None
        module, _, name = self.plan.partition(":")
        plan = getattr(importlib.import_module(module), name)
        (field,) = (own for own in dataclasses.fields(plan) if own.name == self.field)
        return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def fields_of(
    plan: str,
    *names: str,
    remarks: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
    show: bool = False,
    facts: Mapping[str, Mapping[str, Any]] | None = None,
) -> Decorator:
    """Options that fill fields of a plan (`module:Class`), with its defaults.

    `fields` are those that have another name than the argument.
    """
    known: dict[str, Any] = {"cls": FieldOption, "show_default": show}
    return options(
        *(
            option(
                name,
                (remarks or {}).get(name, ""),
                plan=plan,
                field=(fields or {}).get(name, name),
                **known | dict((facts or {}).get(name, {})),
            )
            for name in names
        )
    )


FILES = ("references", "source", "test_set", "labels", "language", "input_format")
PROGRAMS = ("translator", "back_translator")
"""The options that name programs, and not files."""
STRUCTURE = ("trees", "pseudo_references", "back_translations", *PROGRAMS)

file_options = options(click.argument("systems", metavar="SYS...", nargs=-1), options(*FILES))
"""SYS..., -r, -s, -t, -L, -l and --input-format: what `load_files` and `check_files` take."""
trees_option = option("trees", repeated=True)
structure_options = options(trees_option, options(*STRUCTURE[1:]))
"""--trees, --pseudo-reference, --back-translation and the programs that translate: `load_files` takes them too."""


def _checked_level(_context: click.Context, _parameter: click.Parameter, text: str | None) -> str | None:
    """A level that can be read, None for segments."""
    if text is None:
        return None
    from adjudge.data.levels import SEGMENT, TextLevel

    level = str(TextLevel.of(text))
    return None if level == SEGMENT else level


level_option = option(
    "level",
    "segment (default), document, or window:N for N segments of a document.",
    callback=_checked_level,
)


def format_option(formats: Sequence[str] | Mapping[str, str] = FORMATS, *, checked: bool = True) -> Decorator:
    """-f, how results are shown, the first by default; the command takes it as `form`.

    A mapping says what kind of file each format is. Those of judgements are `checked` where they are written.
    """
    kinds = formats if isinstance(formats, Mapping) else {form: form for form in formats}
    names = f"One of {', '.join(kinds)}." if checked else "--list names all."
    known = Name("format", tuple(kinds)) if checked else None
    return option("form", names, default=next(iter(kinds)), cls=FormatOption, kinds=kinds, type=known)


def output_option(
    name: str = "output",
    remark: str = "",
    *,
    holds: tuple[str, ...] = (),
    folders: tuple[str, ...] = (),
    private: bool = False,
    **facts: Any,
) -> Decorator:
    """An option that names a file to be written; `holds` says what it can be, and otherwise -f does."""
    made: Decorator = option(name, remark, cls=OutputOption, **facts)
    return declared(made, holds, folders, private)


results_option = output_option("output", "In the format that its name ends in, or -f.")
save_option = output_option("save", "With its rows: for gate, verify and compare.", holds=("json",))


def group_of(kind: type[Group], options: Mapping[str, Any]) -> Group:
    """Those of a command's options that travel together: the fields of a dataclass."""
    return kind(**{field.name: options[field.name] for field in dataclasses.fields(kind)})


def study_of(systems: Sequence[str], files: Mapping[str, Any]) -> str | None:
    """The study that was named in place of files; None where there are files."""
    from adjudge.io.names import suffix

    studies = [text for text in systems if suffix(text) == ".toml"]
    if not studies:
        return None
    superfluous = [name for name, value in files.items() if value and name in _STUDY_SAYS]
    if len(systems) > 1 or superfluous:
        what = f" (without --{superfluous[0].replace('_', '-')})" if superfluous else ""
        raise UsageError(f"{studies[0]} is a study, which names all files itself: give it alone{what}")
    return studies[0]


_STUDY_SAYS = (
    "references",
    "source",
    "test_set",
    "labels",
    "language",
    "input_format",
    "level",
    "realign",
    "pseudo_references",
    "back_translations",
    "trees",
    "translator",
    "back_translator",
    "scores",
    "by",
)
"""Options that say of single files what a study says of its own, or that it has no place for."""


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
    scores: Sequence[str],
    options: Mapping[str, Any],
    labels: str | None,
    *,
    lower_is_better: bool,
    common: bool,
) -> Arguments:
    """How files of scores were named, for results that are to be computed again."""
    from adjudge.comparison.documents import Arguments

    return Arguments(
        scores=tuple(scores), labels=labels, options=options, lower_is_better=lower_is_better, common=common
    )


def stdin_bytes() -> BinaryIO | None:
    """Standard input as it comes, None where there is none."""
    return sys.stdin.buffer if sys.stdin is not None else None


PLAN = "adjudge.comparison.plan:Plan"
FIELDS = (
    *(
        "baseline",
        "test",
        "trials",
        "resamples",
        "sampling",
        "interval",
        "confidence",
        "seed",
        "unit",
        "strata",
    ),
    *("correction", "family", "alpha", "margin", "by"),
)
"""The fields that have an option; those that commands have no use for are left to Python."""
REMARKS = {
    "test": "randomisation (paired, approximate) or bootstrap; of metrics that are means of segment scores also "
    "signed-rank (paired) or rank-sum, and clustered-t for units of two kinds (--unit document,domain).",
    "trials": "Default: 10000, or more where the correction needs them.",
    "resamples": "Default: 1000.",
    "interval": "Of differences: test (what the test would not reject), percentile or basic.",
    "unit": "segment, document or the groups of a label; auto: documents where they are labelled.",
    "margin": "For several metrics, repeat it as NAME=X: bleu=1.",
    "by": "document, domain, origin (origlang), length or another one; repeated: crossed.",
}


class TestOption(FieldOption):
    """`--test`, whose help also names the tests that its sentence does not know."""

    __test__ = False

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help."""
        from adjudge.stats.tests import all_of  # late: few ask for help
        from adjudge.stats.tests.systems.base import SystemTest

        record = super().get_help_record(ctx)
        more = [name for name in all_of(SystemTest) if name not in str(self.help)]
        return record if record is None or not more else (record[0], f"{record[1]} Also {', '.join(more)}.")


def _margins(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> float | dict[str, float] | None:
    """One number, or one for each metric that is named."""
    margins: dict[str, float] = {}
    for text in values:
        name, _, amount = text.rpartition("=")
        try:
            value = float(amount)
        except ValueError:
            raise UsageError(f"--margin {text}: a number was expected, or METRIC=NUMBER (bleu=1)") from None
        from adjudge.stats.equivalence import check_margin  # late: it loads numpy

        check_margin(value)
        if name in margins:
            raise UsageError(
                f"--margin {text}: there is one{f' of {name}' if name else ''} already"
                + ("" if name else "; with several metrics say of which (bleu=1)")
            )
        margins[name] = value
    if "" not in margins:
        return margins or None
    if len(margins) > 1:
        raise UsageError("--margin with a metric and without one: give each its metric (bleu=1)")
    return margins[""]


def plan_options(*names: str) -> Decorator:
    """Options of these fields of a plan, or of all, with the plan's own defaults."""
    facts: dict[str, dict[str, Any]] = {
        "margin": {"callback": _margins, "multiple": True, "show_default": False},
        "by": {"multiple": True},
        "test": {"cls": TestOption},
    }
    return fields_of(PLAN, *(names or FIELDS), remarks=REMARKS, show=True, facts=facts)
