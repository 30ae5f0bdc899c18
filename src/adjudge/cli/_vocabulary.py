"""The words of the command line: every option once, with its meaning, the value it takes and its type.

An option has the same meaning in all commands. A command may add a remark (its default, what it is good for there), but
it never says something else by the same word; `tests/cli/test_vocabulary.py` holds all commands to that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from adjudge.errors import UsageError, unknown_name

MOST_DRAWS = 10**7
"""Trials, resamples or simulations: more than these say nothing more, and fill the memory."""
LARGEST_SEED = 2**63 - 1


class Whole(click.IntRange):
    """A whole number in a range, called so in messages; where no end is given, it ends at a thousand million."""

    name = "whole number"

    def __init__(self, low: int, most: int = 10**9) -> None:
        super().__init__(low, most)


class Real(click.types.FloatParamType):
    """A number that can be reckoned with: finite, and neither so large nor so small that nothing is left of it."""

    name = "number"

    def __init__(self, smallest: float = 1e-100, least: float = -1e100) -> None:
        self.smallest, self.least = smallest, least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, refused where it is none."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number) or abs(number) > 1e100:
            self.fail(
                f"{str(value)[:30]!r} is no number to reckon with: at most 1e100 was expected", param, ctx
            )
        if 0 < abs(number) < self.smallest:
            self.fail(
                f"{str(value)[:30]!r} is too small: 0 or at least {self.smallest:g} was expected", param, ctx
            )
        if number < self.least:
            self.fail(f"{str(value)[:30]!r} is too small: at least {self.least:g} was expected", param, ctx)
        return number


class Numbers(click.ParamType[Any]):
    """One number or several, with commas between them."""

    name = "numbers"

    def __init__(self, kind: type[int] | type[float] = float) -> None:
        self.kind = kind

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """All of them; an error where one is none."""
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(self.kind(part) for part in value.split(","))
            if not all(1e-9 <= abs(number) <= 1e9 or number == 0 for number in numbers):  # nor nan
                raise ValueError
            return numbers
        except ValueError:
            what = "a whole number" if self.kind is int else "a number"
            raise UsageError(
                f"{param.opts[0] if param else ''} {value}: is not {what}, nor several with commas between them"
            ) from None


class Name(click.ParamType[str]):
    """One of a few names; an error for another one tells the nearest."""

    name = "name"

    def __init__(self, kind: str, names: Sequence[str]) -> None:
        self.kind, self.names = kind, names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if it is known."""
        if value not in self.names:
            raise unknown_name(self.kind, value, self.names)
        return str(value)


class Word(NamedTuple):
    """What an option means, whatever the command."""

    meaning: str
    value: str = ""
    """What stands for its value in help; empty for a flag."""
    type: click.ParamType[Any] | None = None
    letter: str = ""
    many: str = ""
    """The argument's name in Python where the option may be repeated."""
    argument: str = ""
    """The argument's name where Python has the word already."""


_SHARE = Real(1e-9)
_COST = Real(least=0)
_SECONDS = Real(0.001, 0.001)

WORDS = {
    # What is read.
    "reference": Word("A reference; may be repeated.", "FILE", letter="r", many="references"),
    "source": Word("The source, a line a segment.", "FILE", letter="s"),
    "test-set": Word("One file with texts and, perhaps, systems; or sacrebleu:wmt24.", "FILE", letter="t"),
    "labels": Word("Document, domain and other labels of the segments.", "TSV", letter="L"),
    "language": Word(
        "The language pair (en-de) or the target language.", "LANG", letter="l", many="languages"
    ),
    "input-format": Word("The format of the files, where it cannot be told.", "FORMAT"),
    "level": Word("The level at which texts are scored or correlated.", "LEVEL"),
    "realign": Word("Cut outputs anew by edit distance where an engine merged or split lines."),
    "trees": Word(
        "Trees of a text, CoNLL-U or bracketed; TEXT= where names do not tell whose. May be repeated.",
        "TEXT=FILE",
    ),
    "pseudo-reference": Word(
        "A machine translation of the source, to serve as a reference; may be repeated.",
        "FILE",
        many="pseudo_references",
    ),
    "back-translation": Word(
        "A system's output translated back into the source language; may be repeated.",
        "SYS=FILE",
        many="back_translations",
    ),
    "translator": Word(
        "A program that translates the source into a pseudo-reference: lines in, lines out.", "COMMAND"
    ),
    "back-translator": Word(
        "A program that translates outputs back into the source language: lines in, lines out.", "COMMAND"
    ),
    "stream": Word(
        "Read files in chunks: for those that memory does not hold. Plain text, also compressed, and Parquet."
    ),
    "scores": Word("Scores of segments from elsewhere: system, segment, score.", "FILE"),
    "lower-is-better": Word("Lower scores are better."),
    "lower-metric": Word(
        "A metric by which lower scores are better; may be repeated.", "NAME", many="lower_metrics"
    ),
    "common": Word("Of --scores: leave out segments that not all systems have."),
    "training": Word(
        "A text that a system was trained on, of any size, also .gz, .xz, .zst, .bz2; may be repeated.",
        "FILE",
    ),
    "set": Word("This test set only.", "NAME", many="set_names", argument="set_name"),
    "system": Word("A system, by its name.", "NAME", many="systems"),
    "system-output": Word("A system's output; may be repeated.", "NAME=FILE", many="system_outputs"),
    # By what is measured.
    "metric": Word(
        "A metric, as in 'bleu(tokenize=intl)' (adjudge score --list).", "METRIC", letter="m", many="metrics"
    ),
    "tokenize": Word("What a word is, as in bleu. Default: the language decides.", "NAME"),
    "lowercase": Word("Lower-case everything first."),
    "levels": Word(
        "Say what people gave outputs with such scores: wmt, or a table that adjudge meta levels wrote.",
        "FILE",
    ),
    "differences": Word(
        "What differences are worth, as adjudge meta fit-differences wrote it, in place of WMT's; none: not a word.",
        "FILE",
    ),
    # How differences are tested: the fields of a Plan, of AnalysisOptions and of a CampaignPlan.
    "baseline": Word("Test the others against this system only.", "SYSTEM"),
    "test": Word("The statistical test.", "NAME"),
    "trials": Word("Trials behind each p.", "N", Whole(1, MOST_DRAWS)),
    "resamples": Word("Resamples behind intervals and ranks.", "N", Whole(1, MOST_DRAWS)),
    "draws": Word("Resamples and permutations.", "N", Whole(1, 1_000_000)),
    "sampling": Word("bootstrap (n of n with replacement) or half (half of them without).", "NAME"),
    "interval": Word("How intervals are found.", "NAME"),
    "confidence": Word("Confidence of intervals.", "X", _SHARE),
    "seed": Word("Seed of the random numbers.", "N", Whole(0, LARGEST_SEED)),
    "unit": Word("What is drawn at random.", "LABEL"),
    "strata": Word("Draw within the groups of this label.", "LABEL"),
    "correction": Word("Correction for many comparisons: holm, bh (Benjamini-Hochberg) or none.", "NAME"),
    "family": Word(
        "What is corrected together: metric (the pairs of each metric) or all (those of all metrics).", "NAME"
    ),
    "alpha": Word("Level of significance.", "X", _SHARE),
    "margin": Word(
        "A difference that would not matter: test whether systems are the same within it.", "MARGIN"
    ),
    "one-sided": Word("Test in one direction only."),
    "expected": Word(
        "For --one-sided: all systems in the order that was expected before anyone saw scores.",
        "BEST,…,WORST",
    ),
    "by": Word("Groups of segments by this label: results for each of them; may be repeated.", "LABEL"),
    "tolerance": Word("A drop that is smaller than this never counts.", "X", Real()),
    "look": Word("Which look at the results this is, from 1.", "N", Whole(1)),
    "looks": Word("Looks on the way: how many, or after which shares: 0.5,0.75,1.", "K"),
    "max-looks": Word(
        "How many looks at this run there will be at most: each has an equal share of alpha.",
        "N",
        Whole(1, 1000),
    ),
    "against": Word("The stored run to compare with, as --save wrote it.", "RUN.json"),
    # Where and why systems differ.
    "bucket-by": Word("The property that segments or words are put into buckets by.", "NAME"),
    "cuts": Word("Where the next bucket begins, as in 1,2,5,10. Default: usual bounds.", "X,X,…", Numbers()),
    "frequency-text": Word(
        "A text in the target language that frequencies are counted in, in place of the reference.", "FILE"
    ),
    "kind": Word(
        "Which n-grams: match (the reference has them), over (it has not), under (of the reference, and not there).",
        "NAME",
    ),
    "shortest": Word("Words of the shortest n-grams.", "N", Whole(1, 20)),
    "longest": Word("Words of the longest n-grams.", "N", Whole(1, 20)),
    "smoothing": Word("What is added to counts: the more, the more frequent n-grams are.", "X", Real()),
    "top": Word("How many to show.", "K", Whole(1, 100_000)),
    "bins": Word("Bins of the histograms.", "N", Whole(2, 200)),
    "window": Word("Words of a window of MATTR.", "N", Whole(1, 1_000_000)),
    "glossary": Word("Terms and their translations: TSV (several translations: a | b), CSV or TBX.", "FILE"),
    "match": Word("How terms are found: exact but for case, or stem (endings do not count).", "NAME"),
    "entities": Word(
        "A pipeline of spaCy of the target language, to see which names of the reference are lost.", "NAME"
    ),
    "segment": Word("This segment; may be repeated.", "N", Whole(0)),
    "show": Word(
        "Which segments: different (default for two systems), gains or losses (of the second over the first), worst "
        "(default for one), best.",
        "WHICH",
    ),
    "rank": Word(
        "How segments are sorted: balanced (scores weighed by length; default), score (favours short segments), "
        "influence (on the system's score; favours long ones).",
        "HOW",
    ),
    # What people said.
    "judgements": Word(
        "What people said of the outputs, in any format of adjudge human.", "FILE", letter="j"
    ),
    "people": Word("What people said of the same translations; may be repeated.", "FILE"),
    "judge": Word("Whose judgements count, where a file has several people's.", "NAME"),
    "campaign": Word("A campaign, by its name in the database.", "NAME"),
    "campaign-file": Word(
        "A campaign's file: its systems, its test and how much is judged, unless options say otherwise.",
        "FILE",
    ),
    "batches": Word(
        "What was judged (Appraise's batches.json), for exports that have places of errors and no texts.",
        "FILE",
    ),
    "criterion": Word("Of a campaign that asks for several: this one (fluency).", "NAME"),
    "protocol": Word("How people were asked (da, esa, mqm, hter, …), where files do not say.", "NAME"),
    "column": Word("The column with the scores or ranks, where names do not tell.", "NAME"),
    "only": Word("Take judgements with that label (item, system, …) only.", "NAME=PATTERN"),
    "without": Word("Leave such judgements out: --without 'item=U-*'.", "NAME=PATTERN"),
    "pool-languages": Word(
        "Rank systems by their mean over language pairs, each counting alike; otherwise each pair stands by itself."
    ),
    "score": Word("Which score of judgements: z (annotators on one scale) or raw.", "NAME"),
    "repeats": Word("Count repeated items for a system's score; they are left out otherwise."),
    "rescale": Word(
        "After --only or --without: z by what is left of an annotator's judgements, not by all of them."
    ),
    "resubmissions": Word(
        "Of judgements that were sent again, the same or another answer: last (the last one counts) or all.",
        "NAME",
    ),
    "drop-failed": Word("Leave out annotators who fail the control items."),
    "quality-test": Word("How annotators are tested on damaged translations: paired-t or rank-sum.", "NAME"),
    "preset": Word("As it was done at wmt21, or for rankings wmt09, wmt13, wmt16.", "NAME"),
    "ranking": Word(
        "Score of rankings: expected-wins (default), trueskill, bradley-terry, at-least-as-good or better.",
        "NAME",
    ),
    "regularisation": Word(
        "Bradley–Terry's penalty, for systems that won or lost all (0.01). Default: 0.", "X", Real()
    ),
    "error-weights": Word("What errors weigh: major=5,minor=1,punctuation=0.1,…", "LIST"),
    "most-errors": Word("Count the N heaviest errors of a segment.", "N", Whole(1)),
    "mixed-model": Word("Also by a mixed model of annotators, documents and items, each also by system."),
    "curves": Word("Agreement as first judgements, or the worst judges, are dropped."),
    "checklist": Word("The nine points of an evaluation that may be believed."),
    "claim": Word("Demand all nine points for human-parity; exit 3 where it is refused.", "NAME"),
    "human": Word("The system that is a person's translation.", "SYSTEM"),
    "declare": Word("What files do not tell: context=document, …", "FACT=VALUE"),
    "gold-judgements": Word("Judgements whose errors are right; may be repeated.", "FILE"),
    "credit": Word("What a character counts that both mark, as differently severe.", "X", _SHARE),
    "wage": Word("What an hour of post-editing costs; with --scratch-speed.", "X", Real()),
    "scratch-speed": Word("Words an hour when translating from scratch.", "N", Real()),
    "engine-cost": Word("What 1,000 words of MT cost.", "X", Real()),
    "cost-per-word": Word("What changing one word costs, to estimate.", "X", Real()),
    "currency": Word("Of all prices, to stand beside costs (EUR).", "NAME"),
    # How many judgements are enough.
    "n": Word("Distinct translations a system.", "N", Numbers(int)),
    "effect": Word(
        "P(A < B): how often, of two translations, the second system's is better; 0.5 is no difference.",
        "P",
        Real(),
    ),
    "power": Word("The power that is wanted. Default: 0.8.", "X", Real()),
    "map": Word("A table of many n and effects.", argument="mapped"),
    "method": Word(
        "How power is found: shieh (default), noether, simulation; the sign test is exact.", "NAME"
    ),
    "systems": Word("How many systems are judged.", "K", Whole(2), argument="system_count"),
    "comparisons": Word("Pairs tested. Default: all of them.", "M", Whole(1)),
    "ratio": Word("Translations of B for each of A (rank-sum).", "R", Real()),
    "paired-correlation": Word(
        "Correlation of both systems' scores of a segment (paired tests).", "R", Real()
    ),
    "tie-share": Word("Share of segments without a winner (sign test).", "SHARE", Real()),
    "budget": Word("Judgements that can be paid for, in place of --n.", "N", Whole(1)),
    "annotators-per-item": Word("Judgements of each translation.", "K", Whole(1)),
    "icc": Word("Share of the variance that lies between translations.", "X", Real()),
    "document-icc": Word("How much segments of one document correlate; with --document-size.", "X", Real()),
    "document-size": Word("Segments of a document that are judged.", "M", Real()),
    "annotator-icc": Word(
        "How much translations judged by one annotator correlate; with --annotator-load.", "X", Real()
    ),
    "annotator-load": Word("Translations of a system that one annotator judges.", "M", Real()),
    "controls": Word("Share of judgements spent on control items.", "SHARE", Real()),
    "spending": Word("How alpha is shared out over looks: obrien-fleming or pocock.", "NAME"),
    "p": Word("The p-value of that look's test.", "P", Real(1e-300)),
    "z": Word("Its z in place of p; negative: against the plan.", "Z", Real()),
    "pair": Word("The two systems of a pilot that has more.", "A B", click.Tuple([str, str])),
    "scale": Word("Plan for so many times the pilot's difference.", "X", _SHARE),
    "difference": Word("Plan for this difference, in points of the score.", "X", Real()),
    "simulations": Word("Campaigns that are simulated.", "N", Whole(100, MOST_DRAWS)),
    # Campaigns.
    "database": Word("A file of SQLite, or postgresql+psycopg://USER@HOST/NAME.", "FILE|URL", letter="d"),
    "name": Word("What to call it.", "NAME"),
    "annotator": Word("An annotator; may be repeated.", "NAME", many="annotators"),
    "select": Word(
        "Judge only some segments: consistency, variance, disagreement, difficulty, diversity, stratified or random.",
        "METHOD",
    ),
    "items": Word("How many segments --select chooses.", "N", Whole(1)),
    "answers": Word("FILE has judgements, made where the campaign was exported to."),
    "renamed": Word("What somebody or a system was called, and is called now; may be repeated.", "OLD=NEW"),
    "worker": Word(
        "What the marketplace puts a worker's id in place of, as in {{%PROLIFIC_PID%}}; Mechanical Turk needs none.",
        "TEXT",
    ),
    "session": Word(
        "What the marketplace puts something in place of that only the worker knows, as in {{%SESSION_ID%}}.",
        "TEXT",
    ),
    "open": Word("Only what nobody has taken yet.", argument="only_open"),
    "idle": Word(
        "All hits of a crowd that are not finished and on which nobody answered anything for so long.",
        "HOURS",
        Whole(1, 10_000),
    ),
    "reason": Word("Why; kept in the campaign's history.", "TEXT"),
    "undo": Word("Take the withdrawal back: all answers count again."),
    "erase": Word("Empty the answers too; they stay otherwise, and count."),
    "yes": Word("Do not ask."),
    "new-links": Word("End the annotators' old links (adjudge human links makes new ones)."),
    "password": Word("Asked for where it is not given; at least 10 characters.", "TEXT"),
    "anonymous": Word("Pseudonyms in place of annotators' names."),
    "withdrawn": Word("Also the answers of annotators who were withdrawn (marked)."),
    "for-spreadsheet": Word("Keep spreadsheets from taking cells for formulas."),
    "segment-count": Word(
        "How many segments there are, for formats with a line for each, judged or not.",
        "N",
        Whole(1, 10_000_000),
    ),
    # Servers.
    "host": Word("The address to listen on.", "HOST"),
    "port": Word("The port to listen on; 0 for any free one.", "N", Whole(0, 65535)),
    "base-url": Word("The address at which others reach the server (https://…).", "URL"),
    "trust-proxy": Word(
        "A proxy, or a network, that says who asks (X-Forwarded-For); nobody else is believed.",
        "ADDRESS",
    ),
    "token-file": Word(
        "Answer only requests with a token of this file, one per line; ADJUDGE_SERVE_TOKEN names one without a file.",
        "FILE",
    ),
    "workers": Word("Server processes.", "N", Whole(1, 64)),
    "demo": Word("Let anyone try campaigns; on where only this machine can, and no --base-url is given."),
    "embed-in": Word("A site that may show it in a frame (https://…).", "SITE"),
    "serve": Word(
        "Show the results that --save kept in a folder, on this machine alone, until Ctrl-C.", "FOLDER"
    ),
    # Metrics held against people, and what is learned from people.
    "gold": Word("The scores of people to hold metrics against, as in mqm.", "NAME", many="golds"),
    "gold-scores": Word("What people said, a number a line.", "FILE"),
    "gold-kind": Word("What people gave: da (more is better), rank (1 is best), hter or mqm.", "NAME"),
    "tasks": Word("Which tasks to run, in place of the usual ones.", "FILE.toml"),
    "correlation": Word("The measure of agreement: pearson, spearman, kendall, …", "NAME"),
    "grouping": Word("How scores are grouped: none, item or system.", "NAME"),
    "exclude": Word("Leave a system out; may be repeated.", "SYSTEM"),
    "without-outliers": Word("Leave out systems that people found far better or worse than most."),
    "humans": Word("Count references that were judged as systems."),
    "no-sentinels": Word("Without what measures length or likeness to the source."),
    "matr": Word("The tables of MetricsMATR: rho, tau and r at every level."),
    "tskm": Word("The table of the kernels' paper: r of every variant of tskm."),
    "swap": Word("What permutations swap: cells, systems, items, or both (systems, then items).", "NAME"),
    "ties": Word(
        "Pairs that a metric ties: discordant (WMT12, from WMT17 on), dropped (WMT13), denominator (WMT14 to 16).",
        "HOW",
    ),
    "first-segment": Word("Number that the judgements give the first segment.", "N", Whole(0)),
    "data-name": Word("What sentences call the data, as in: on test sets like those of WMT.", "NAME"),
    "like": Word(
        "Take OTHER's curve in proportion for a metric with fewer test sets; may be repeated.", "NAME=OTHER"
    ),
    "skip-unknown-systems": Word("Leave out judgements of systems whose outputs are not given."),
    "min-gap": Word(
        "Scores of a segment that lie less than X apart give no pair (WMT's daRR: 25).", "X", _COST
    ),
    "folds": Word("Folds to hold out.", "N", Whole(2)),
    "fold-by": Word("What folds are made of: segment (default), document or system.", "LABEL"),
    "sets": Word("Several test sets with their judgements, instead of -r, -j and SYS.", "FILE.toml"),
    "feature": Word(
        "Features: lexical, meteor, kernels, trees, or any metric; may be repeated. Default: lexical,meteor,kernels.",
        "METRIC",
        letter="m",
        many="features",
    ),
    "objective": Word(
        "regression, centred (less the segment's mean) or pairs. Default: pairs where there are enough.",
        "NAME",
    ),
    "learner": Word("linear, or trees (extra: learned).", "NAME"),
    "penalty": Word("Holds the weights of a linear model down; more for fewer judgements.", "X", _COST),
    # Choosing from lists of hypotheses.
    "utility": Word(
        "What a hypothesis is worth if another one is the truth, as in 'bleu(tokenize=intl)'.", "METRIC"
    ),
    "rule": Word(
        "mbr (best expected utility), oracle (best by the references) or model (best score).", "NAME"
    ),
    "weights": Word(
        "Weights of the features, as adjudge tune weights writes them: they make the model's scores.", "FILE"
    ),
    "weighted": Word("Believe hypotheses as the model's scores do, not all of them alike."),
    "temperature": Word("What scores are divided by before they are made into probabilities.", "T", _COST),
    "sample": Word("Approximate: references to draw from each list, for slow metrics.", "N", Whole(1)),
    "shortlist": Word(
        "Approximate: only the N best by expected chrF are candidates, for slow metrics.", "N", Whole(1)
    ),
    "check": Word(
        "Segments on which the exact choice is made as well, to say what an approximation costs.",
        "N",
        Whole(0),
    ),
    "start": Word("Weights to start from; without it all begin alike.", "FILE"),
    "held-out": Word("Other lists, with references in them, to say what the weights are worth.", "FILE"),
    "search": Word(
        "steepest (the best of all directions every time) or powell (one after the other).", "NAME"
    ),
    "restarts": Word("Starts to draw beside the given one.", "N", Whole(0, 100_000)),
    "lowest": Word("The least of a weight that is drawn.", "X", Real()),
    "highest": Word("The most of a weight that is drawn.", "X", Real()),
    "random-directions": Word(
        "Directions to draw for every step, beside those of single features.", "N", Whole(0, 1000)
    ),
    # Quality estimation.
    "translation": Word("What was judged, a line each.", "FILE"),
    "log-probs": Word(
        "The MT system's log-probabilities of its tokens, a line a segment; NAME=FILE for several.", "FILE"
    ),
    "black-box": Word("Use no log-probabilities, though a table has them."),
    "tags": Word("OK or BAD for each word, a line a segment; TABLE=FILE for several tables.", "FILE"),
    "tag-words": Word("Tag each word OK or BAD, where the model has learnt it."),
    "source-lm": Word("A language model of the source for KenLM.", "FILE"),
    "target-lm": Word("A language model of the target for KenLM.", "FILE"),
    "encoder": Word("An encoder that knows both languages, to compare texts.", "MODEL_FOLDER"),
    "parallel-source": Word(
        "Text that teaches language models and lexicons; without it, the judged segments do.", "FILE"
    ),
    "parallel-target": Word("The translation of --parallel-source, line by line.", "FILE"),
    "calibration": Word(
        "Judged segments like those to come, for intervals; without them, those held out of training.",
        "TABLE_FILE",
    ),
    "model": Word("A model; may be repeated.", "MODEL_FILE", letter="m", many="models"),
    "estimates": Word("Another estimator's scores, a number a line; may be repeated.", "NAME=FILE"),
    "good": Word("From which score on people call a segment good.", "SCORE", Real()),
    "precision": Word("The share of those kept that is to be good.", "P", Real()),
    "recall": Word("The share of good ones that is to be kept.", "P", Real()),
    "threshold": Word("The least estimate of what is kept.", "SCORE", Real()),
    "thresholds": Word("Scores to count segments above, as in 0,0.5,1.", "LIST"),
    "review-cost": Word("What it costs to read a good segment.", "N", _COST),
    "repair-cost": Word("What it costs to repair another.", "N", _COST),
    "scratch-cost": Word("What it costs to translate anew.", "N", _COST),
    "qe": Word("Scores of segments by quality estimation: system, segment, score.", "FILE"),
    # Histories.
    "history": Word(
        "A file of SQLite, or postgresql://USER@HOST/NAME. Default: $ADJUDGE_HISTORY, or the project's "
        ".adjudge/history.db.",
        "FILE|URL",
        argument="place",
    ),
    "record": Word(
        "Keep the result with its rows in a history, for adjudge history; by default the project's, "
        ".adjudge/history.db.",
        "[FILE.db|URL]",
    ),
    "record-as": Word("Keep it in a history under this label: v1.2.", "NAME"),
    "last": Word("The newest N only.", "N", Whole(1, 1_000_000)),
    "since": Word("Begin with this record: a release say. The count of looks begins there too.", "NAME"),
    "base-version": Word("What each version is compared with: previous, or first.", "WHICH"),
    "revision": Word("The revision that it was made at; none unless it is given.", "TEXT"),
    "made": Word("When it was made, 2026-03-01 or 2026-03-01T12:00 (UTC). Default: the file's time.", "TEXT"),
    "tracking": Word("MLflow's server or database. Default: as its environment says.", "URL"),
    "experiment": Word("The experiment of MLflow.", "NAME"),
    # Checks, judges and parsers.
    "skip": Word("Leave out a check; may be repeated. --list shows all.", "CHECK"),
    "strict": Word("Exit with 1 if there are errors."),
    "runs": Word("How often a language model is asked.", "N", Whole(1, 100)),
    "parser": Word("A spaCy pipeline (name or folder), a UDPipe model file, or stanza:LANG.", "NAME|FILE"),
    "lint": Word("Say in a line on stderr what is wrong with the outputs (default)."),
    # What is shown, and where it goes.
    "segments": Word("Score every segment as well."),
    "sort": Word("Put the best system by this metric first.", "METRIC"),
    "list": Word("Name all there are, and exit.", argument="listing"),
    "format": Word("The format of what is shown.", "FORMAT", letter="f", argument="form"),
    "table": Word("The table that -f tsv writes.", "NAME"),
    "output": Word("Write to a file instead of stdout.", "FILE", letter="o"),
    "pdf": Word("The page printed by Chromium.", "FILE.pdf"),
    "texts": Word("Write the chosen hypotheses to a file, a line each.", "FILE"),
    "rows": Word("Write the scores and rows of all segments to a Parquet file.", "FILE.parquet"),
    "into": Word("Write the pages of all commands into this folder.", "FOLDER"),
    "save": Word("Keep the result in a file, for other commands.", "FILE.json"),
    "audience": Word(
        "Who reads it: researcher, or manager (one page: which engine, how sure, what it costs).", "NAME"
    ),
    "charts": Word("Draw charts (default)."),
    "decimals": Word("Decimals of the scores shown.", "N", Whole(0, 15), letter="w"),
    "dry-run": Word("Say what would be done, and do nothing."),
    "quiet": Word("No warnings, remarks or progress on stderr.", letter="q"),
    # Who computes, with which programs and models.
    "threads": Word("Threads to use; 0: one a core.", "N", Whole(0, 1024)),
    "engine": Word(
        "Who computes: local (threads), or a Dask cluster by the address of its scheduler, tcp://HOST:8786.",
        "ENGINE",
    ),
    "cache": Word(
        "Keep what was computed for the next time (default), under ADJUDGE_CACHE or the user's cache folder."
    ),
    "allow-programs": Word(
        "Run programs and models, and read addresses, that a result or a study names; only for files that you trust."
    ),
    "allow-download": Word("Fetch models that are named but not on this machine."),
    "device": Word("Where models run: cpu, cuda:0, mps.", "DEVICE"),
    "batch-size": Word("Texts that a model takes at once.", "N", Whole(1, 65536)),
    "max-requests": Word("Requests to a language model, at most.", "N", Whole(0)),
    "concurrency": Word("Requests to a language model that are under way at once.", "N", Whole(1, 1024)),
    "key-variable": Word("The environment variable that holds the key of a service.", "NAME"),
    "time-limit": Word("How long a program or a request may take.", "SECONDS", _SECONDS),
    "version": Word("Show the version and exit."),
}
ON_AND_OFF = ("cache", "charts", "demo", "lint")
"""Flags with a --no- of their own."""
VARYING = {
    *("base-url", "confidence", "format", "last", "port", "table", "time-limit", "top", "unit"),
    *("bucket-by", "resamples", "test", "metric"),
}
"""Options whose default is the command's own; all others have one default, or none, in all commands."""

SPELLINGS = {
    **{spelling.replace("-", "_"): spelling for spelling in WORDS},
    **{word.many: spelling for spelling, word in WORDS.items() if word.many},
    **{word.argument: spelling for spelling, word in WORDS.items() if word.argument},
}
"""The option that fills an argument, for every name that commands have for one in Python."""
