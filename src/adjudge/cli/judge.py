"""Let a language model or a metric judge outputs, and write its judgements."""

from __future__ import annotations

from typing import Any

from adjudge.cli._command import subcommand
from adjudge.cli._files import load_files
from adjudge.cli._options import format_option, keywords, option, output_option
from adjudge.cli._run import CommandRun
from adjudge.cli.human._store import KINDS
from adjudge.errors import UsageError, unknown_name
from adjudge.wording import pluralise


@subcommand(
    "judge",
    "Let a language model or a metric judge outputs, and write its judgements.",
    "files",
    option("metric", "The judge, as in 'llm(model=NAME,url=…)'.", required=True),
    keywords(
        name="Default: the name of the judge's model.",
    ),
    "threads cache quiet",
    format_option(KINDS, checked=False),
    output_option(private=True),
    "models",
)
def command(
    run: CommandRun, *, systems: tuple[str, ...], metric: str, name: str = "", runs: int = 1, **files: Any
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
    from adjudge.comparison.judging import judge
    from adjudge.io.judgements import OUTPUT_FORMATS, write

    if run.form not in OUTPUT_FORMATS:
        raise unknown_name("format", run.form, OUTPUT_FORMATS)
    chosen = metrics.metric(metric)
    with run.working():
        loaded = load_files(systems, doing="judge", **files)
        if "\t" in name or "\n" in name:
            raise UsageError("--name: a name without tabs and line breaks was expected")
        judged = judge(loaded.test_set, loaded.outputs, chosen, name=name, runs=runs, threads=run.threads)
    written = write(judged.judgements, judged.texts, run.form)
    run.warn((*loaded.notes, *judged.notes, *written.warnings))
    missing = judged.asked - len(judged.judgements)
    lost = f"; {pluralise(missing, 'answer')} missing" if missing else ""
    told = f"{pluralise(len(judged.judgements), 'judgement')} in {run.output} ({run.form}){lost}"
    run.write_data(written.data, told)
