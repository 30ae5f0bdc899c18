"""What people import from `sacrebleu.utils`: opening files, and the doors to test sets, which stay shut."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from typing import IO, Any, NoReturn

from adjudge.errors import UsageError

SACREBLEU_DIR = "~/.sacrebleu"
"""Where sacreBLEU keeps what it downloads; adjudge neither reads nor writes it."""


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a file that may be compressed by gzip; its lines end at `\\n` and nowhere else."""
    opener: Any = gzip.open if file.endswith(".gz") else open
    handle: IO[Any] = opener(file, mode=mode, encoding=encoding, newline="\n")
    return handle


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Add rows of statistics up, column by column."""
    return lists[0] if len(lists) == 1 else [sum(column) for column in zip(*lists, strict=True)]


def get_available_testsets() -> list[str]:
    """The test sets that can be downloaded: none."""
    return []


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The test sets of a language pair that can be downloaded: none."""
    return []


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set: none, as with any set that sacreBLEU does not know."""
    return []


def download_test_set(test_set: str, langpair: str | None = None) -> NoReturn:
    """Refuse, and say what to do instead."""
    raise no_test_set(test_set)


def get_source_file(test_set: str, langpair: str) -> NoReturn:
    """Refuse, and say what to do instead."""
    raise no_test_set(test_set)


def get_reference_files(test_set: str, langpair: str) -> NoReturn:
    """Refuse, and say what to do instead."""
    raise no_test_set(test_set)


def get_files(test_set: str, langpair: str) -> NoReturn:
    """Refuse, and say what to do instead."""
    raise no_test_set(test_set)


def no_test_set(test_set: str) -> UsageError:
    """The answer to everyone who asks for one of sacreBLEU's test sets."""
    return UsageError(
        f"test set {test_set!r}: adjudge downloads no test sets; write its references to a file "
        f"(sacrebleu -t {test_set} -l SRC-TRG --echo ref > ref.txt) and pass the file"
    )
