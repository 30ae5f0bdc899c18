"""What people import from `sacrebleu.utils`: opening files, and test sets through the sacreBLEU that is installed."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from adjudge.compat.sacrebleu.dataset import DATASETS
from adjudge.errors import MissingExtraError, UsageError
from adjudge.io import named_sets
from adjudge.io.compression import expand_content

SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(os.path.expanduser("~"), ".sacrebleu"))
"""Where sacreBLEU keeps what it downloads."""


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a file that may be compressed by gzip; its lines end at `\\n` and nowhere else."""
    if not file.endswith(".gz"):
        return open(file, mode=mode, encoding=encoding, newline="\n")
    if mode == "rt":
        return io.TextIOWrapper(
            io.BytesIO(expand_content(file, Path(file).read_bytes())), encoding, newline="\n"
        )
    opener: Any = gzip.open
    handle: IO[Any] = opener(file, mode=mode, encoding=encoding, newline="\n")
    return handle


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Add rows of statistics up, column by column."""
    return lists[0] if len(lists) == 1 else [sum(column) for column in zip(*lists, strict=True)]


def get_available_testsets() -> list[str]:
    """The test sets that sacreBLEU knows; none where it is not installed."""
    return sorted(DATASETS, reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The test sets that have a language pair, in either direction."""
    source, target = langpair.split("-")[:2]
    wanted = {f"{source}-{target}", f"{target}-{source}"}
    return [dataset.name for dataset in DATASETS.values() if wanted & set(dataset.langpairs)]


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set; none where sacreBLEU does not know it."""
    return list(DATASETS[testset].langpairs) if testset in DATASETS else []


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """The files of a test set, downloaded where they are not there; without a language pair, the archives."""
    return (
        named_sets.verified_archives(_find_entry(test_set))
        if langpair is None
        else get_files(test_set, langpair)
    )


def get_source_file(test_set: str, langpair: str) -> str:
    """The file with the sources, in sacreBLEU's cache."""
    return str(_fetch_entry(test_set, langpair).get_source_file(langpair))


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The files with the references, in sacreBLEU's cache."""
    return list(_fetch_entry(test_set, langpair).get_reference_files(langpair))


def get_files(test_set: str, langpair: str) -> list[str]:
    """The files of all fields, in sacreBLEU's cache."""
    return list(_fetch_entry(test_set, langpair).get_files(langpair))


def _find_entry(test_set: str) -> Any:
    """The entry of a test set; where there is none, an error as sacreBLEU raises it."""
    try:
        return named_sets.find_dataset(test_set)
    except MissingExtraError:
        raise
    except UsageError as error:
        raise UsageError(f"No such test set {test_set}: {error}") from None


def _fetch_entry(test_set: str, langpair: str) -> Any:
    """The entry of a test set once its archives are there, and are what they should be."""
    dataset = _find_entry(test_set)
    named_sets.set_fields(test_set, langpair)
    return dataset
