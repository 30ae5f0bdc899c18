"""Let a language model or a metric judge outputs, and write its judgements."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._workspace import model_options
from adjudge.cli.human._store import KINDS
from adjudge.errors import UsageError, unknown_name
from adjudge.wording import pluralise


@click.command(
    "judge", short_help="Let a language model or a metric judge outputs, and write its judgements."
)
@_options.file_options
@_options.option("metric", "The judge, as in 'llm(model=NAME,url=…)'.", required=True)
@_options.keywords(
    name="Default: the name of the judge's model.",
)
@_options.format_option(KINDS, checked=False)
@_options.output_option(private=True)
@model_options
def command(
    *,
    systems: tuple[str, ...],
    metric: str,
    name: str = "",
    runs: int = 1,
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Let a language model or a metric judge outputs, and write its judgements as those of people are written.

    `adjudge human analyse`, `adjudge human spans` and `adjudge judge-card` read them. A judge that marks errors
    (llm with protocol=esa or mqm, XCOMET) writes them too; a pairwise judge (protocol=pairwise) sees every two
    systems in both orders. Answers that cannot be read are left out, and said.

    \b
    adjudge judge -s source.pt -m 'llm(model=qwen3,url=http://127.0.0.1:8000/v1,protocol=mqm)' -o llm.jsonl systems/*.en
    adjudge judge -s source.pt -m 'llm(model=qwen3,url=…,protocol=pairwise)' --runs 2 -o pairs.jsonl a.en b.en
    """
    from adjudge import metrics
    from adjudge.cli._workspace import progress
    from adjudge.comparison.judging import judge
    from adjudge.io.judgements import OUTPUT_FORMATS, write

    if form not in OUTPUT_FORMATS:
        raise unknown_name("format", form, OUTPUT_FORMATS)
    chosen = metrics.metric(metric)
    _options.check_files(systems, doing="judge", **files)
    with progress(quiet=quiet):
        loaded = _options.load_files(systems, doing="judge", **files)
        _outputs.check_not_read(loaded.inputs)
        if "\t" in name or "\n" in name:
            raise UsageError("--name: a name without tabs and line breaks was expected")
        judged = judge(loaded.test_set, loaded.outputs, chosen, name=name, runs=runs, threads=threads)
    written = write(judged.judgements, judged.texts, form)
    _show.warn((*loaded.notes, *judged.notes, *written.warnings), quiet=quiet)
    _show.show_bytes(written.data, output)
    if output is not None and not quiet:
        missing = judged.asked - len(judged.judgements)
        lost = f"; {pluralise(missing, 'answer')} missing" if missing else ""
        _show.say(f"{pluralise(len(judged.judgements), 'judgement')} in {output} ({form}){lost}")
