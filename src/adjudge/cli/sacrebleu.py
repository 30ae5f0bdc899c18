"""sacreBLEU's own command line, with the same options and the same output."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import click

from adjudge.cli import _sacrebleu_sets
from adjudge.cli._sacrebleu_arguments import FORMATS, parse
from adjudge.cli._sacrebleu_sets import Refusal
from adjudge.compat.sacrebleu.metrics import METRICS
from adjudge.compat.sacrebleu.output import many_systems, paired_cells, paired_note, single_system
from adjudge.compat.sacrebleu.significance import PairedTest
from adjudge.errors import DataError, UsageError
from adjudge.io.compression import expand_content
from adjudge.io.files import check_segments

logger = logging.getLogger("sacrebleu")


class Unparsed(click.Command):
    """A command that hands on all its arguments, `--help` and `--` among them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments as they are."""
        ctx.params["arguments"] = list(args)
        return []


@click.command(
    "sacrebleu",
    cls=Unparsed,
    short_help="sacreBLEU's own command line, with the same options and the same output.",
)
def command(arguments: list[str]) -> int:
    """Do as sacreBLEU does."""
    return run(arguments)


def run(arguments: list[str]) -> int:
    """Do what sacreBLEU does with these arguments and return its exit code."""
    try:
        args = parse(arguments)
    except SystemExit as end:  # how argparse ends --help, and a usage error after it has told about it
        return end.code if isinstance(end.code, int) else 2
    if (wanted := os.environ.get("SACREBLEU_FORMAT", "").lower()) in FORMATS:
        args.format = wanted
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # whatever the locale
    with _messages(quiet=args.quiet):
        try:
            for text in _answers(args):
                print(text)
        except Refusal as refusal:
            for line in refusal.lines:
                logger.error(line)
            return refusal.exit_code
    return 0


class System(NamedTuple):
    """A system's name and its lines."""

    name: str
    lines: list[str]


def _answers(args: argparse.Namespace) -> Iterator[str]:
    """What goes to stdout, piece by piece."""
    if (about_sets := _sacrebleu_sets.answer_listing(args)) is not None:
        return about_sets
    if args.sentence_level and len(args.metrics) > 1:
        raise Refusal("Only one metric can be used in sentence-level mode.")
    _check_references(args)
    _sacrebleu_sets.check_named(args)
    if args.echo:
        return _sacrebleu_sets.echo_fields(args)
    return iter([_answer(args)])


def _answer(args: argparse.Namespace) -> str:
    everything = _references(args)
    whole = _systems(args)
    _check_tests(len(whole), args)
    for system in whole:
        _check_lengths(system, everything, args)
    columns = _sacrebleu_sets.part([*(system.lines for system in whole), *everything], args)
    references = columns[len(whole) :]
    systems = [System(system.name, lines) for system, lines in zip(whole, columns[: len(whole)], strict=True)]
    if not systems[0].lines:
        raise Refusal(_nothing_left(args))
    metrics = {
        name: METRICS[name](**_options(name, args), references=references)
        for name in dict.fromkeys(name.upper() for name in args.metrics)
    }
    if args.sentence_level:
        [metric] = metrics.values()
        signature = metric.get_signature().format(args.short)
        scores = metric.sentence_scores(systems[0].lines)
        return "\n".join(score.format(args.width, args.score_only, signature) for score in scores)
    if args.detail and args.format == "json":
        args.format = "text"
    if len(systems) == 1:
        answer = _one_system(systems[0], metrics, args)
        if not args.detail:
            return answer
        parts = _sacrebleu_sets.details(metrics, whole[0].lines, everything, args, colour=_colour(args))
        return "\n".join([answer, *parts])
    logger.info(f"Found {len(systems)} systems.")
    return _run_paired_test(systems, metrics, args) if _is_paired(args) else _table(systems, metrics, args)


def _nothing_left(args: argparse.Namespace) -> str:
    """Why there is no sentence: what was asked of the test set."""
    asked = {"origlang": args.origlang, "subset": args.subset}
    parts = "".join(f" {name}={value}" for name, value in asked.items() if value)
    return f"Test set {args.test_set!r} contains no sentence" + (f" with{parts}" if parts else "")


def _is_paired(args: argparse.Namespace) -> bool:
    return bool(args.paired_ar or args.paired_bs)


def _check_tests(systems: int, args: argparse.Namespace) -> None:
    if args.sentence_level and systems > 1:
        raise Refusal("Only one system can be evaluated in sentence-level mode.")
    if args.sentence_level and (args.confidence or _is_paired(args)):
        raise Refusal("Statistical tests are unavailable in sentence-level mode.")
    if _is_paired(args) and systems == 1:
        raise Refusal("Paired tests require multiple input systems given to --input (-i).")
    if args.confidence and systems > 1:
        raise Refusal("Use paired tests (--paired) for multiple systems.")


def _one_system(system: System, metrics: dict[str, Any], args: argparse.Namespace) -> str:
    as_json = args.format == "json"
    results = []
    for _, metric in sorted(metrics.items()):
        score = metric.corpus_score(system.lines, None, args.confidence_n if args.confidence else 1)
        signature = metric.get_signature().format(args.short and not as_json)
        results.append(score.format(args.width, args.score_only, signature, as_json))
    return single_system(results, args.format, colour=_colour(args))


def _table(systems: list[System], metrics: dict[str, Any], args: argparse.Namespace) -> str:
    scores: dict[str, list[str]] = {}
    signatures: dict[str, str] = {}
    for system in systems:
        for _, metric in sorted(metrics.items()):
            score = metric.corpus_score(system.lines, None)
            signatures[score.name] = metric.get_signature().format(args.short)
            scores.setdefault(score.name, []).append(score.format(args.width, True))
    names = [system.name for system in systems]
    return many_systems(names, scores, signatures, args.format, colour=_colour(args))


def _run_paired_test(systems: list[System], metrics: dict[str, Any], args: argparse.Namespace) -> str:
    kind, samples = ("bs", args.paired_bs_n) if args.paired_bs else ("ar", args.paired_ar_n)
    test = PairedTest(systems, metrics, None, kind, samples, n_jobs=args.paired_jobs)
    signatures, columns = test()
    names = columns.pop("System")
    return many_systems(
        names,
        paired_cells(columns, args.format, args.width),
        {metric: signature.format(args.short) for metric, signature in signatures.items()},
        args.format,
        note=paired_note(kind, samples, names[0], colour=_colour(args)),
        colour=_colour(args),
    )


def _colour(args: argparse.Namespace) -> bool:
    return sys.stdout.isatty() and not args.no_color and not os.environ.get("NO_COLOR")


def _options(metric: str, args: argparse.Namespace) -> dict[str, Any]:
    if metric == "BLEU":
        return {
            "smooth_method": args.smooth_method,
            "smooth_value": args.smooth_value,
            "tokenize": args.tokenize,
            "lowercase": args.lowercase,
            "force": args.force,
            "trg_lang": args.langpair.split("-")[1] if args.langpair else "",
            # Sentence BLEU leaves out the orders a short sentence cannot have.
            "effective_order": args.sentence_level,
        }
    prefix = metric.lower() + "_"
    return {name.removeprefix(prefix): value for name, value in vars(args).items() if name.startswith(prefix)}


def _check_references(args: argparse.Namespace) -> None:
    if args.num_refs != 1 and (args.test_set is not None or len(args.refs) > 1):
        raise Refusal(
            "--num-refs splits the lines of a single reference file at tabs; give one file, not several, and no -t."
        )
    if args.test_set is None and not args.refs:
        raise Refusal(
            "I need references: give their files before the -i/--input argument, or a test set (-t; --list has all)."
        )


def _references(args: argparse.Namespace) -> list[list[str]]:
    if args.test_set is not None:
        if args.tokenize == "none":
            logger.warning(
                "You are turning off BLEU's internal tokenizer presumably to supply your own tokenized files."
            )
            logger.warning("Published numbers will not be comparable to other papers.")
        references = _sacrebleu_sets.references(args)
        if not references:
            raise Refusal(f"No references found for test set {args.test_set}/{args.langpair}.")
        return references
    if args.num_refs == 1:
        return [_lines(path, args.encoding) for path in args.refs]
    rows = []
    for number, line in enumerate(_lines(args.refs[0], args.encoding), 1):
        fields = line.split("\t", maxsplit=args.num_refs - 1)
        if len(fields) != args.num_refs:
            raise Refusal(
                f"FATAL: line {number}: expected {args.num_refs} fields, but found {len(fields)}.",
                exit_code=17,
            )
        rows.append(fields)
    return [[row[column] for row in rows] for column in range(args.num_refs)]


def _systems(args: argparse.Namespace) -> list[System]:
    if args.input is None:
        systems = _piped_systems(args.encoding)
        if _is_paired(args):
            names = ["Baseline", *(f"System {index}" for index in range(1, len(systems)))]
            return [System(name, lines) for name, (_, lines) in zip(names, systems, strict=True)]
        return systems
    if not args.input:
        raise UsageError("-i/--input needs a file (leave it out to read stdin)")
    paths: list[str] = []
    for path in args.input:
        if path not in paths:
            paths.append(path)
        elif _is_paired(args) and path == paths[0]:
            logger.info(f"Ignoring {path!r} as it was also given as the baseline.")
        else:
            raise Refusal(
                f"{path!r} already used to name a system.",
                "Make sure to have a different basename for each system.",
            )
    systems = [System(path, _lines(path, args.encoding)) for path in paths]
    if _is_paired(args):
        systems[0] = System(f"Baseline: {paths[0]}", systems[0].lines)
    return systems


def _piped_systems(encoding: str) -> list[System]:
    if sys.stdin is None:
        raise Refusal("stdin is closed: there is no system output to score.")
    lines = _split(sys.stdin.buffer.read(), encoding, "stdin")
    if not lines:
        raise Refusal("stdin is empty: there is no system output to score.")
    columns = [[field] for field in lines[0].split("\t")]
    for line in lines[1:]:
        fields = line.split("\t")
        if len(fields) != len(columns):
            raise Refusal(
                "FATAL: the number of tab-delimited fields in the input stream differ across lines.",
                exit_code=17,
            )
        for column, field in zip(columns, fields, strict=True):
            column.append(field.rstrip())
    return [System(f"System {index}", column) for index, column in enumerate(columns, 1)]


def _check_lengths(system: System, references: list[list[str]], args: argparse.Namespace) -> None:
    if not system.lines:
        raise Refusal(f"{system.name} contains no sentence")
    if args.test_set is not None:
        if len(references[0]) != len(system.lines):
            raise Refusal(
                "System and reference streams have different lengths.",
                f"{system.name} has {len(system.lines)} lines, but {args.test_set} has {len(references[0])}.",
            )
        return
    paths = args.refs * (len(references) if args.num_refs != 1 else 1)
    for path, reference in zip(paths, references, strict=True):
        if len(reference) != len(system.lines):
            raise Refusal(
                "System and reference streams have different lengths.",
                f"{system.name} has {len(system.lines)} lines, but {path} has {len(reference)}.",
            )


def _lines(path: str, encoding: str) -> list[str]:
    return _split(expand_content(path, Path(path).read_bytes()), encoding, path)


def _split(data: bytes, encoding: str, where: str) -> list[str]:
    """Lines without the whitespace at their ends; only a line feed ends a line, on stdin too."""
    try:
        text = data.decode(encoding)
    except LookupError:
        raise UsageError(f"--encoding {encoding}: no such encoding") from None
    except UnicodeError as error:
        place = ""
        if isinstance(error, UnicodeDecodeError):
            start = data.rfind(b"\n", 0, error.start) + 1
            place = f" at line {data.count(bytes([10]), 0, error.start) + 1}, byte {error.start - start + 1}"
        raise DataError(f"{where}: not {encoding}{place}; -e names another encoding") from None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    check_segments(where, lines)
    return [line.rstrip() for line in lines]


@contextmanager
def _messages(*, quiet: bool) -> Iterator[None]:
    """Send the log to stderr as sacreBLEU does, and leave logging as it was."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s" if quiet else "sacreBLEU: %(message)s"))
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.WARNING if quiet else logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before[0])
        logger.propagate = before[1]
