"""What long computations may use, and what no score depends on: a store of earlier work, progress, a budget.

Commands and notebooks set it once (`with workspace.use(Workspace(...))`); parsers, models and judges deep inside a
metric ask for the `current()` one. Whatever changes a number is an option of the metric instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Protocol


class Store(Protocol):
    """Values kept by content, under a kind (`trees`, `embeddings`, …) and a key that names all they depend on."""

    def get(self, kind: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values that are known, by key."""

    def put(self, kind: str, values: Mapping[bytes, bytes]) -> None:
        """Keep values; all of them or, where nothing can be written, none."""


class MemoryStore:
    """A store that lasts as long as the process."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, bytes], bytes] = {}

    def get(self, kind: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values that are known, by key."""
        return {key: self._values[kind, key] for key in keys if (kind, key) in self._values}

    def put(self, kind: str, values: Mapping[bytes, bytes]) -> None:
        """Keep values."""
        self._values.update({(kind, key): value for key, value in values.items()})


@dataclass
class Usage:
    """What services were asked, or would be in a dry run; one for all of a command."""

    requests: int = 0
    known: int = 0
    """Answers that were known already."""
    tokens: int = 0
    """About so many of questions, in a dry run."""
    most_answered: int = 0
    """Tokens that all answers may have at most, in a dry run; 0 where nothing limits them."""

    counted: set[bytes] = field(default_factory=set, repr=False)
    """The questions of a dry run, by their keys."""

    def add(self, key: bytes, tokens: int, most_answered: int) -> None:
        """Count a question that would be asked, once."""
        if key in self.counted:
            return
        self.counted.add(key)
        self.requests += 1
        self.tokens += tokens
        self.most_answered += most_answered


class DryRun(Exception):
    """All questions are counted, and none is asked; `usage` says how many there are."""

    def __init__(self, usage: Usage) -> None:
        super().__init__("a dry run ends before anything is scored")
        self.usage = usage


@dataclass(frozen=True)
class Workspace:
    """What a computation may use."""

    store: Store | None = None
    """Where what was computed is kept for the next time; None where nothing is to be kept."""
    progress: Callable[[str, int, int], None] | None = None
    """Told what is being done, how many steps are done and how many there are."""
    allow_download: bool = False
    """Whether a model that is not on this machine may be fetched."""
    device: str = "cpu"
    """Where models run, as torch calls it."""
    batch_size: int = 32
    """Texts that a model takes at once, at most."""
    max_requests: int | None = None
    """Requests to a service, at most; None for as many as it takes."""
    dry_run: bool = False
    """Whether services are only counted on, not asked."""
    time_limit: float = 600.0
    """Seconds that another program may go without an answer."""
    concurrency: int = 8
    """Requests to a service that are under way at once."""
    key: str = field(default="", repr=False, compare=False)
    """The key of a service; it goes into a request's header and nowhere else."""
    usage: Usage = field(default_factory=Usage, compare=False)
    """What services were asked so far."""
    allow_programs: bool = False
    """Whether programs and models may be run that a file names, not the user."""
    named_by_file: bool = False
    """Whether what is computed was named by a file."""
    offset: int = 0
    """How many segments come before those that are scored, where these are a chunk of more."""
    subject: str = ""
    """Whose outputs are being scored, for notes to name."""
    notes: list[str] = field(default_factory=list, compare=False)
    """What a reader of the scores should know, in the order it was noticed."""

    def note(self, text: str) -> None:
        """Let the reader of the scores know something, once."""
        if text not in self.notes:
            self.notes.append(text)

    @property
    def may_run(self) -> bool:
        """Whether a metric may run what its options name: a file from elsewhere could name anything."""
        return self.allow_programs or not self.named_by_file

    def end_dry_run(self) -> None:
        """Stop here where services were only counted on: there is nothing to reckon with."""
        if self.dry_run:
            raise DryRun(self.usage)

    def tell(self, doing: str, done: int, steps: int) -> None:
        """Report progress, where somebody listens."""
        if self.progress is not None:
            self.progress(doing, done, steps)


_current: ContextVar[Workspace | None] = ContextVar("workspace", default=None)
_process = Workspace(store=MemoryStore())


def current() -> Workspace:
    """The workspace in use; outside of any, one that keeps what was computed as long as the process lasts."""
    return _current.get() or _process


@contextmanager
def use(workspace: Workspace) -> Iterator[Workspace]:
    """Let computations within the block use a workspace."""
    token = _current.set(workspace)
    try:
        yield workspace
    finally:
        _current.reset(token)


@contextmanager
def notes_of_block() -> Iterator[list[str]]:
    """What is noted within the block, in a list of its own."""
    with use(replace(current(), notes=[])) as own:
        yield own.notes


def with_settings(**fields: Any) -> Workspace:
    """The workspace in use with some fields set."""
    return replace(current(), **fields)
