"""What sacreBLEU's command line does with test sets: list, download, cite and echo them, and take parts of them."""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from adjudge.compat.sacrebleu.dataset import SUBSETS
from adjudge.compat.sacrebleu.output import subset_lines
from adjudge.compat.sacrebleu.utils import (
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_langpairs_for_testset,
)
from adjudge.io import named_sets

COUNTRY = "country:"


class Refusal(Exception):
    """What sacreBLEU says on its log before it ends with an exit code of its own."""

    def __init__(self, *lines: str, exit_code: int = 1) -> None:
        super().__init__(*lines)
        self.lines = lines
        self.exit_code = exit_code


def answer_listing(args: argparse.Namespace) -> Iterator[str] | None:
    """The lines that answer a question about test sets alone; None where outputs are to be scored."""
    if args.download:
        return _download(args)
    if args.list:
        return _list_sets(args)
    if args.citation:
        return _citations(args)
    return None


def check_named(args: argparse.Namespace) -> None:
    """Refuse test sets and language pairs that are not there, in sacreBLEU's words and order."""
    if args.test_set is None:
        if args.echo:
            raise Refusal("--echo requires a test set (--t) and a language pair (-l)")
        return
    for name in args.test_set.split(","):
        if name not in _data_sets():
            raise Refusal(
                f"Unknown test set {name!r}", "Please run with --list to see the available test sets."
            )
    if args.refs:
        raise Refusal("I need exactly one of (a) a predefined test set (-t) or (b) a list of references")
    if args.langpair is None:
        raise Refusal(
            "I need a language pair (-l). Use --list to see available language pairs for this test set."
        )
    for name in args.test_set.split(","):
        pairs = get_langpairs_for_testset(name)
        if args.langpair not in pairs:
            raise Refusal(
                f"No such language pair {args.langpair!r}",
                f"Available language pairs for {name!r} are:",
                *(f" > {pair}" for pair in pairs),
            )


def echo_fields(args: argparse.Namespace) -> Iterator[str]:
    """The fields that were asked for, of all test sets, one after the other."""
    for data_set in _sets(args):
        fields = _chosen_fields(data_set, args.echo)
        kept = _subset_mask(data_set, args.origlang, args.subset)
        for row, keep in zip(
            zip(*(data_set.fields[name] for name in fields), strict=True), kept, strict=True
        ):
            if keep:
                yield "\t".join(row)


def references(args: argparse.Namespace) -> list[list[str]]:
    """The references of all test sets, one set after the other."""
    sets = _sets(args)
    numbers = {len(loaded_set.references) for loaded_set in sets}
    if len(numbers) > 1:
        names = ", ".join(f"{loaded_set.name}: {len(loaded_set.references)}" for loaded_set in sets)
        raise Refusal(f"The test sets have different numbers of references ({names}).")
    columns = [[loaded_set.fields[name] for name in loaded_set.references] for loaded_set in sets]
    return [list(itertools.chain.from_iterable(parts)) for parts in zip(*columns, strict=True)]


def part(columns: Sequence[Sequence[str]], args: argparse.Namespace) -> list[list[str]]:
    """Those lines of all columns that --origlang and --subset leave."""
    if args.origlang is None and args.subset is None:
        return [list(column) for column in columns]
    return _filter(columns, args, args.origlang, args.subset)


def details(
    metrics: Mapping[str, Any],
    lines: Sequence[str],
    refs: Sequence[Sequence[str]],
    args: argparse.Namespace,
    *,
    colour: bool,
) -> list[str]:
    """Scores of all parts by original language and domain, for --detail."""
    results: dict[str, list[tuple[int, Any]]] = {}
    for origin, subset in _parts(args):
        system, *own = _filter([lines, *refs], args, origin, subset)
        if not system:
            continue
        name = "domain=ALL" if subset is None else f"domain={subset}"
        if subset is not None and subset.startswith(COUNTRY):
            name = f"country={subset.removeprefix(COUNTRY)}"
        scores = [(len(system), metric.corpus_score(system, own)) for metric in metrics.values()]
        results[f"origlang={origin} {name}"] = scores
    return subset_lines(results, args.width, colour=colour)


def _data_sets() -> Mapping[str, Any]:
    return named_sets.catalogue()


def _sets(args: argparse.Namespace) -> list[named_sets.SetFields]:
    return [named_sets.set_fields(name, args.langpair) for name in args.test_set.split(",")]


def _download(args: argparse.Namespace) -> Iterator[str]:
    own = named_sets.find_dataset(args.download)
    named_sets.verified_archives(own, args.langpair or "")
    return iter(())


def _list_sets(args: argparse.Namespace) -> Iterator[str]:
    known = _data_sets()
    if args.test_set:
        named_sets.find_dataset(args.test_set)
        for pair in [args.langpair] if args.langpair else get_langpairs_for_testset(args.test_set):
            yield f"{pair}: {', '.join(named_sets.field_names(args.test_set, pair))}"
        return
    if args.langpair:
        yield f"The available test sets for {args.langpair} are:"
        names = get_available_testsets_for_langpair(args.langpair)
    else:
        yield "The available test sets are:"
        names = get_available_testsets()
    yield from (f"{name:<30}: {known[name].description.strip()}" for name in sorted(names))


def _citations(args: argparse.Namespace) -> Iterator[str]:
    if not args.test_set:
        raise Refusal("I need a test set (-t).")
    for name in args.test_set.split(","):
        citation = named_sets.find_dataset(name).citation
        if not citation:
            raise Refusal(f"No citation found for {name}")
        yield citation


def _chosen_fields(data_set: named_sets.SetFields, wanted: Sequence[str]) -> list[str]:
    if "all" in wanted:
        if len(wanted) != 1:
            raise Refusal("Cannot use --echo all with other fields")
        return list(data_set.fields)
    first = min((name for name in data_set.fields if name.startswith("ref")), default="ref")
    chosen = [first if name == "ref" and "ref" not in data_set.fields else name for name in wanted]
    for name in chosen:
        if name not in data_set.fields:
            raise Refusal(
                f"No such field {name} in test set {data_set.name} for language pair {data_set.pair}.",
                f"available fields for {data_set.name}/{data_set.pair}: {', '.join(data_set.fields)}",
                *(
                    [f"'ref' also allowed for backwards compatibility (will return {first})"]
                    if "ref" not in data_set.fields
                    else []
                ),
            )
    return chosen


class _Document(NamedTuple):
    """What is known of a segment's document."""

    origin: str
    tags: str | None


def _documents(data_set: named_sets.SetFields) -> list[_Document]:
    """The document of every segment; nothing where the format of the set tells none."""
    if "origlang" not in data_set.fields or not any(data_set.fields["origlang"]):
        return []
    origins = data_set.fields["origlang"]
    if "domain" in data_set.fields:
        return list(map(_Document, origins, data_set.fields["domain"]))
    tags = SUBSETS.get(data_set.name)
    if tags is None:
        return [_Document(origin, None) for origin in origins]
    names = data_set.fields["docid"]
    return [_Document(origin, tags.get(name, "")) for origin, name in zip(origins, names, strict=True)]


def _subset_mask(data_set: named_sets.SetFields, origin: str | None, subset: str | None) -> list[bool]:
    """Which segments are of an original language (non-de: of any other) and of documents that a pattern fits."""
    if origin is None and subset is None:
        return [True] * len(data_set.fields["src"])
    documents = _documents(data_set)
    if not documents:
        raise Refusal(
            f"--origlang and --subset: test set {data_set.name} does not say where its documents are from."
        )
    if subset is not None and all(document.tags is None for document in documents):
        raise Refusal(f"No subset annotation available for test set {data_set.name}")
    try:
        pattern = re.compile((subset or "").removeprefix(COUNTRY))
    except re.error as error:
        raise Refusal(f"--subset {subset}: no regular expression: {error}") from None

    def fits(document: _Document) -> bool:
        if origin is not None and (document.origin == origin.removeprefix("non-")) == origin.startswith(
            "non-"
        ):
            return False
        return subset is None or (document.tags is not None and bool(pattern.search(document.tags)))

    return list(map(fits, documents))


def _filter(
    columns: Sequence[Sequence[str]], args: argparse.Namespace, origin: str | None, subset: str | None
) -> list[list[str]]:
    if args.test_set is None or args.langpair is None:
        raise Refusal("Filtering for --origlang or --subset needs a test (-t) and a language pair (-l).")
    kept = [keep for data_set in _sets(args) for keep in _subset_mask(data_set, origin, subset)]
    return [list(itertools.compress(column, kept)) for column in columns]


def _parts(args: argparse.Namespace) -> Iterator[tuple[str, str | None]]:
    """Original languages with their domains and countries."""
    if args.test_set is None:
        return
    sets = _sets(args)
    documents = [document for loaded_set in sets for document in _documents(loaded_set)]
    origins = [args.origlang] if args.origlang else sorted({document.origin for document in documents})
    subsets = {args.subset} if args.subset is not None else set(itertools.chain(*map(_subsets, sets)))
    for origin in origins:
        yield from ((origin, subset) for subset in (None, *sorted(subsets)))


def _subsets(data_set: named_sets.SetFields) -> Iterator[str]:
    if "domain" in data_set.fields:
        yield from data_set.fields["domain"]
    for tags in SUBSETS.get(data_set.name, {}).values():
        country, domain, *_ = tags.split("-")
        yield from (COUNTRY + country, domain)
