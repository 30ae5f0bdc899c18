"""Options, made of the words of the vocabulary, and those groups of them that several commands share.

An option is the keyword of a command (`keywords`), the field of a plan (`fields_of`), or a word of a command's list:
its name and default stand there, its meaning and type in the vocabulary.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudge.cli._outputs import FormatOption, OutputArgument, OutputOption
from adjudge.cli._vocabulary import ON_AND_OFF, SPELLINGS, WORDS, Name, Numbers
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Group = TypeVar("Group", bound="DataclassInstance")
FORMATS = ("text", "json", "tsv", "markdown", "latex")
PAGES = (*FORMATS, "html")


def option(
    name: str,
    remark: str = "",
    *,
    default: Any = None,
    repeated: bool | None = None,
    cls: type[click.Option] = click.Option,
    **facts: Any,
) -> click.Option:
    """The option that fills the argument `name`; a remark says what is peculiar to a command.

    It may be repeated where the argument has the name for several, unless `repeated` says otherwise.
    """
    spelling = SPELLINGS[name]
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
    return cls([*([f"-{word.letter}"] if word.letter else []), flags, name], **facts)


def argument(name: str, **facts: Any) -> click.Argument:
    """An argument that stands by its place."""
    return click.Argument([name], **facts)


@dataclasses.dataclass(frozen=True)
class Keywords:
    """The options that fill those keywords of a command's function that have a default."""

    remarks: Mapping[str, str]
    facts: Mapping[str, Mapping[str, Any]]

    def options(self, function: Callable[..., Any]) -> Iterator[click.Option]:
        """An option a keyword, in their order."""
        for name, default in (function.__kwdefaults__ or {}).items():
            repeated = is_repeated(function.__annotations__[name], name)
            facts = self.facts.get(name, {})
            yield option(name, self.remarks.get(name, ""), default=default, repeated=repeated, **facts)


def keywords(*, facts: Mapping[str, Mapping[str, Any]] | None = None, **remarks: str) -> Keywords:
    """An option for every keyword with a default; `facts` are for the command-line library."""
    return Keywords(remarks, facts or {})


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
    words: str,
    *,
    remarks: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
    show: bool = False,
    facts: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[click.Option]:
    """Options that fill fields of a plan (`module:Class`), with its defaults.

    `fields` are those that have another name than the argument.
    """
    made = []
    for name in words.split():
        known = {"cls": FieldOption, "show_default": show, **(facts or {}).get(name, {})}
        made.append(
            option(
                name, (remarks or {}).get(name, ""), plan=plan, field=(fields or {}).get(name, name), **known
            )
        )
    return made


def format_option(
    formats: Sequence[str] | Mapping[str, str] = FORMATS, *, checked: bool = True
) -> click.Option:
    """-f, how results are shown, the first by default.

    A mapping says what kind of file each format is. Those of judgements are `checked` where they are written.
    """
    kinds = formats if isinstance(formats, Mapping) else {form: form for form in formats}
    names = f"One of {', '.join(kinds)}." if checked else "--list names all."
    known = Name("format", tuple(kinds)) if checked else None
    return option("form", names, default=next(iter(kinds)), cls=FormatOption, kinds=kinds, type=known)


def output_option(name: str = "output", remark: str = "", **facts: Any) -> click.Option:
    """An option that names a file to be written; `holds` says what it can be, and otherwise -f does."""
    return option(name, remark, cls=OutputOption, **facts)


def output_argument(name: str, **facts: Any) -> click.Argument:
    """An argument that names a file to be written."""
    return OutputArgument([name], **facts)


FILES = ("references", "source", "test_set", "labels", "language", "input_format")
PROGRAMS = ("translator", "back_translator")
"""The options that name programs, and not files."""
STRUCTURE = ("trees", "pseudo_references", "back_translations", *PROGRAMS)
TESTED_FILES = (*FILES, "level", "realign", *STRUCTURE)
"""The files of one test set, and how their texts are read: what `load_files` takes."""


def _checked_level(_context: click.Context, _parameter: click.Parameter, text: str | None) -> str | None:
    """A level that can be read, None for segments."""
    if text is None:
        return None
    from adjudge.data.levels import SEGMENT, TextLevel

    level = str(TextLevel.of(text))
    return None if level == SEGMENT else level


GROUPS: dict[str, Sequence[str | click.Parameter]] = {
    "files": (argument("systems", metavar="SYS...", nargs=-1), *FILES),
    "structure": STRUCTURE,
    "recording": ("record", "record_as"),
    "models": (
        "allow_download",
        option("device", default="cpu"),
        option("batch_size", default=32),
        "max_requests",
        option("dry_run", "Of a language model: how many requests it would get."),
        option("concurrency", default=8),
        option("key_variable", default="ADJUDGE_KEY"),
        option("time_limit", default=600.0),
    ),
}
"""Options that many commands have together; `load_files` takes the files and their structure."""
USUAL = {
    "trees": option("trees", repeated=True),
    "level": option(
        "level",
        "segment (default), document, or window:N for N segments of a document.",
        callback=_checked_level,
    ),
    "output": output_option("output", "In the format that its name ends in, or -f."),
    "save": output_option("save", "With its rows: for gate, verify and compare.", holds=("json",)),
    "rows": output_option("rows", holds=("parquet",)),
    "threads": option("threads", default=0),
    "engine": option("engine", default="local"),
    "cache": option("cache", default=True),
}
"""Options that are the same in most commands, and more than their word."""


def group_of(kind: type[Group], options: Mapping[str, Any]) -> Group:
    """Those of a command's options that travel together: the fields of a dataclass."""
    return kind(**{field.name: options[field.name] for field in dataclasses.fields(kind)})


def options_of(words: str) -> Iterator[click.Parameter]:
    """The options of some words: each names an option or a group of them."""
    for word in words.split():
        for own in GROUPS.get(word, (word,)):
            yield own if isinstance(own, click.Parameter) else USUAL.get(own) or option(own)


PLAN = "adjudge.comparison.plan:Plan"
FIELDS = (
    *("baseline", "test", "trials", "resamples", "sampling", "interval", "confidence", "seed", "unit"),
    *("strata", "correction", "family", "alpha", "margin", "by"),
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


def plan_options(*names: str) -> list[click.Option]:
    """Options of these fields of a plan, or of all, with the plan's own defaults."""
    facts: dict[str, dict[str, Any]] = {
        "margin": {"callback": _margins, "multiple": True, "show_default": False},
        "by": {"multiple": True},
        "test": {"cls": TestOption},
    }
    return fields_of(PLAN, " ".join(names or FIELDS), remarks=REMARKS, show=True, facts=facts)
