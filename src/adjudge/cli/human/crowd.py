"""Commands for campaigns on a marketplace: hits, release, import."""

from __future__ import annotations

from adjudge.cli._command import subcommand
from adjudge.cli._options import argument, format_option, keywords, output_option
from adjudge.cli._run import CommandRun
from adjudge.cli.human._store import BASE_URL_OPTION, DEFAULT_DATABASE, NAME_ARGUMENT, open_store
from adjudge.errors import DataError, UsageError
from adjudge.wording import are, pluralise


@subcommand(
    "hits",
    "Write a campaign's hits as rows for a marketplace.",
    NAME_ARGUMENT,
    keywords(),
    "quiet",
    BASE_URL_OPTION,
    output_option(holds=("csv",), private=True),
)
def hits_command(
    run: CommandRun,
    *,
    name: str,
    database: str = DEFAULT_DATABASE,
    base_url: str,
    worker: str = "",
    session: str = "",
    only_open: bool = False,
) -> None:
    """Write the hits of the campaign NAME as CSV, a row a hit: hit, url, items, assignments.

    Upload it where the work is offered: each row is an external question or a link, for so many different workers
    (assignments). `adjudge human import` takes the results back.
    """
    from adjudge.campaigns import crowd
    from adjudge.campaigns.store import campaigns, people

    with open_store(database, writes=False) as store:
        stored = campaigns.find(store, name)
        workers = {
            annotator.name for annotator in people.annotators(store, stored) if annotator.kind == "crowd"
        }
        hits = [
            hit
            for hit in campaigns.hits(store, stored)
            if not hit.annotator or (hit.annotator in workers and not only_open)
        ]
    rows = crowd.external_hits(hits, base_url, stored.name, worker=worker, session=session)
    run.write(crowd.external_hits_csv(rows))
    wanted = sum(row.assignments for row in rows)
    run.say(f"{pluralise(len(rows), 'hit')} of {stored.name!r}, {wanted:,} assignments in all")
    if base_url.startswith("http://127.0.0.1"):
        run.warn(["nobody else reaches http://127.0.0.1; say --base-url https://…"])


@subcommand(
    "release",
    "Let others take hits whose workers went away.",
    argument("name"),
    argument("hits", nargs=-1, metavar="[HIT]..."),
    keywords(),
    "quiet",
)
def release_command(
    run: CommandRun,
    *,
    name: str,
    hits: tuple[str, ...],
    idle: int | None = None,
    database: str = DEFAULT_DATABASE,
) -> None:
    """Let other workers take HITs of the campaign NAME; answers that were given stay and count."""
    from adjudge.campaigns.store import campaigns, hit_owners
    from adjudge.database.problems import StoreError

    if not hits and idle is None:
        raise UsageError("nothing is to be released: name hits, or give --idle HOURS")
    with open_store(database) as store:
        stored = campaigns.find(store, name)
        if idle is not None:
            hits = (*hits, *hit_owners.abandoned_hits(store, stored, idle * 3600.0))
        freed = [hit for hit in dict.fromkeys(hits) if hit_owners.release_hit(store, stored, hit)]
        missing = [hit for hit in hits if hit not in freed]
    if missing:
        raise StoreError(f"no hit {missing[0]!r} of {stored.name!r} is in anybody's hands")
    run.say(
        f"{pluralise(len(freed), 'hit')} {are(len(freed))} free again{': ' if freed else ''}{', '.join(freed)}"
    )


@subcommand(
    "import",
    "Take back what workers of a marketplace handed in, or answers given in another tool.",
    argument("name"),
    argument("file", metavar="FILE"),
    keywords(renamed="With --answers: annotators, as they are called there and here."),
    "quiet",
    format_option(("text", "json", "tsv", "markdown")),
    output_option(
        "output", "A CSV for upload: Approve, or a reason to reject.", holds=("csv",), private=True
    ),
)
def import_results_command(
    run: CommandRun,
    *,
    name: str,
    file: str,
    database: str = DEFAULT_DATABASE,
    answers: bool = False,
    renamed: tuple[str, ...] = (),
    dry_run: bool = False,
) -> None:
    """Hold results of a marketplace (CSV) against the completion codes of the campaign NAME.

    Needed are columns of the worker's id and of the code that was entered, as Mechanical Turk's batch results and
    Prolific's submissions have them; a column `hit` (Input.hit) says which hit it was. What people answered is in the
    campaign already.

    With --answers, FILE has judgements that were made in Appraise or pearmut, or exported elsewhere (any format that
    `adjudge human analyse` reads): they become answers of the campaign, where there is none yet.
    """
    if answers:
        if run.output is not None:
            raise UsageError("-o is for results of a marketplace; there is nothing to be paid for --answers")
        _take_over(run, name, file, database, renamed, dry_run)
        return
    if renamed:
        raise UsageError("--renamed is for --answers")
    from adjudge.campaigns import crowd
    from adjudge.campaigns.crowd_display import CrowdDisplay
    from adjudge.campaigns.store import campaigns, completions
    from adjudge.io.files import read_bytes
    from adjudge.report.render.formats import renderer_of

    results = crowd.read_results(file)
    _, sha256 = read_bytes(file)
    with open_store(database) as store:
        stored = campaigns.find(store, name)
        verdicts = crowd.verdicts(results, completions.roster(store, stored))
        is_new = not dry_run and completions.record_results(store, stored, sha256, verdicts)
    if run.output is not None:
        run.write(crowd.review_csv(verdicts))
    run.show(renderer_of(CrowdDisplay(verdicts), version=None, ascii_only=False), on_screen=True)
    if not (dry_run or is_new):
        run.say("the same file with the same results is in the log already")


def _take_over(
    run: CommandRun, name: str, file: str, database: str, renamed: tuple[str, ...], dry_run: bool
) -> None:
    """Judgements of a file as answers of the campaign."""
    from dataclasses import replace

    from adjudge.campaigns.store import campaigns, import_answers, people
    from adjudge.campaigns.store.import_answers import match_answers
    from adjudge.io.judgements import read

    pairs = dict(_pair(text) for text in renamed)
    loaded = read([file], joint=True)
    judgements = loaded.judgements
    unknown = [theirs for theirs in pairs if theirs not in judgements.annotator.names]
    if unknown:
        raise UsageError(f"--renamed {unknown[0]}: there is no judgement of theirs in {file}")
    judgements = replace(
        judgements,
        annotator=judgements.annotator.renamed(
            {who: pairs.get(who, who) for who in judgements.annotator.names}
        ),
    )
    with open_store(database) as store:
        stored = campaigns.find(store, name)
        known = {
            annotator.name for annotator in people.annotators(store, stored) if annotator.kind == "person"
        }
        strangers = [who for who in judgements.annotator.names if who not in known]
        if strangers:
            raise DataError(
                f"{file}: {strangers[0]!r} is no annotator of {stored.name!r} ({', '.join(sorted(known)) or 'none'}); "
                f"say who that is: --renamed {strangers[0]}=NAME"
            )
        matched = match_answers(
            stored.campaign, campaigns.material(store, stored), campaigns.hits(store, stored), judgements
        )
        run.warn(loaded.warnings)
        run.warn(matched.refused[:5])
        if not matched.answers:
            raise DataError(f"{file}: no judgement in it is an answer to a task of {stored.name!r}")
        if dry_run:
            taken = None
        else:
            taken = import_answers.import_answers(store, stored, matched.answers, loaded.inputs[0].sha256)
    if taken is None:
        run.say(f"{pluralise(len(matched.answers), 'answer')} would be taken over")
    else:
        run.say(
            f"{pluralise(taken.new, 'answer')} taken over; already there: {taken.again:,}; "
            f"with another answer here, which stays: {taken.answered:,}"
        )
    if matched.missing:
        first, count = matched.missing[0], len(matched.missing)
        run.say(f"{pluralise(count, 'judgement')} {are(count)} of no task here (first: {first})")
    if matched.refused:
        count = len(matched.refused)
        run.say(f"{pluralise(count, 'judgement')} {are(count)} no answer to what is asked here")


def _pair(text: str) -> tuple[str, str]:
    theirs, _, ours = text.partition("=")
    if not theirs or not ours:
        raise UsageError(f"--renamed {text}: write THEIRS=OURS")
    return theirs, ours
