"""A command under way: how its results are shown and kept, and who computes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adjudge.cli import _show

if TYPE_CHECKING:
    from adjudge.cli._record import Recording
    from adjudge.comparison import Progress
    from adjudge.display import Displayable
    from adjudge.engine.cache import RowCache
    from adjudge.history.records import Evaluation
    from adjudge.io import Input
    from adjudge.report.render.formats import Renderer

WORKSPACE = (
    *("allow_programs", "allow_download", "device", "batch_size", "max_requests", "dry_run"),
    *("concurrency", "key_variable", "time_limit"),
)
"""The options of programs, models and services, which metrics find in the workspace."""
RECORD = ("record", "record_as")
SHARED = ("form", "output", "save", "quiet", "threads", "cache", "engine")
OF_THE_RUN = {*SHARED, *RECORD, *WORKSPACE}
"""What stays with the run, unless a command asks for it."""


@dataclass(frozen=True)
class CommandRun:
    """The options of a command on which no answer depends, and what is done with them."""

    form: str = "text"
    output: str | None = None
    save: str | None = None
    quiet: bool = False
    threads: int = 0
    cache: bool = True
    engine: str = "local"
    recording: Recording | None = None
    workspace: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> CommandRun:
        """From the options of a command; a place where nothing can be recorded is refused."""
        shared = {name: options[name] for name in SHARED if name in options}
        recording = None
        if any(options.get(name) is not None for name in RECORD):
            from adjudge.cli._record import recording_of

            place, label = (options[name] for name in RECORD)
            recording = recording_of(place, label, quiet=bool(shared.get("quiet")))
        workspace = {name: options[name] for name in WORKSPACE if name in options}
        return cls(**shared, recording=recording, workspace=workspace)

    @contextmanager
    def working(self) -> Iterator[Workers]:
        """The workspace of the command, with a bar for progress."""
        from adjudge.cli import _workspace

        with _workspace.progress(quiet=self.quiet, cache=self.cache, **self.workspace) as progress:
            yield Workers(self.threads, self.engine, progress, _workspace.row_cache(self.cache))

    def warn(self, messages: Iterable[str]) -> None:
        """Say what people should know, unless they want to hear nothing."""
        _show.warn(messages, quiet=self.quiet)

    def say(self, message: str) -> None:
        """Say what was done, unless nobody wants to hear it."""
        if not self.quiet:
            _show.say(message)

    def show(
        self,
        result: Displayable | Renderer,
        inputs: Sequence[Input] | None = None,
        *,
        on_screen: bool = False,
    ) -> None:
        """A result in the format that was asked for; `on_screen` where the output is something else."""
        from adjudge import __version__
        from adjudge.report.render.formats import Renderer, renderer_of

        if not isinstance(result, Renderer):
            result = renderer_of(result, version=__version__, inputs=inputs)
        _show.show(result, self.form, None if on_screen else self.output)

    def write(self, text: str, *, use: str = "") -> None:
        """A text to the output; `use` says what the file is good for."""
        _show.show_text(text, self.output)
        if use:
            self.say(f"adjudge: wrote {self.output}; use it: {use}")

    def write_data(self, data: bytes, told: str) -> None:
        """A file as it is; where it does not go to the screen, it is told what is in it."""
        _show.show_bytes(data, self.output)
        if self.output is not None:
            self.say(told)

    def recorded(self, make: Callable[[], Evaluation]) -> AbstractContextManager[None]:
        """Keep a result in the history, if that was asked for, before the block shows it."""
        if self.recording is None:
            return nullcontext()
        from adjudge.cli._record import keep_result

        return keep_result(self.recording, make)


@dataclass
class Workers:
    """Who computes: what functions of the library take."""

    threads: int
    engine: str
    progress: Progress | None
    cache: RowCache | None
    """Of rows; None where there is to be none, or no place for it."""
    options: dict[str, Any] = field(init=False)
    """All of it but the engine, as arguments of what scores."""

    def __post_init__(self) -> None:
        self.options = {"threads": self.threads, "cache": self.cache, "progress": self.progress}
