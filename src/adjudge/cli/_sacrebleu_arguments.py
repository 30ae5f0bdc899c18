"""The options of sacreBLEU's command line, under the same names and with the same defaults."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from adjudge.compat.sacrebleu import BLEU, CHRF, __version__
from adjudge.errors import UsageError

FORMATS = ("json", "text", "latex")


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the arguments; values that sacreBLEU breaks down over are a usage error."""
    args = _parser().parse_args(arguments)
    if args.width < 0:
        raise UsageError(f"--width {args.width}: must not be negative")
    if args.paired_jobs < 0:
        raise UsageError(f"--paired-jobs {args.paired_jobs}: must not be negative")
    if args.langpair and "-" not in args.langpair:
        raise UsageError(f"--language-pair {args.langpair}: write SOURCE-TARGET, as in en-de")
    return args


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "adjudge sacrebleu",
        description=(
            f"sacreBLEU {__version__}'s command line over adjudge's metrics: same options, same output.\n"
            "    adjudge sacrebleu ref.de -i output.de -m bleu chrf ter\n"
            "    adjudge sacrebleu -t wmt24 -l en-de -i output.de"
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("refs", nargs="*", default=[], help="Reference files; they come before -i.")
    add(
        "--input",
        "-i",
        nargs="*",
        help="System outputs, a file each (default: stdin, a column each, by tabs).",
    )
    add(
        "--num-refs",
        "-nr",
        type=_whole_number(1, 1000),
        default=1,
        help="Columns, by tabs, in the one reference file (default: 1).",
    )
    add("--encoding", "-e", default="utf-8", help="Encoding of all input (default: %(default)s).")
    add("--language-pair", "-l", dest="langpair", help="As in en-ja; the target chooses BLEU's tokenizer.")
    add(
        "--metrics",
        "-m",
        choices=["bleu", "chrf", "ter"],
        nargs="+",
        default=["bleu"],
        help="What to compute.",
    )
    add("--sentence-level", "-sl", action="store_true", help="A score for every sentence.")
    add("--version", "-V", action="version", version=f"sacrebleu {__version__}")
    _metric_options(parser)
    _test_options(parser)
    _report_options(parser)
    _set_options(parser)
    return parser


def _metric_options(parser: argparse.ArgumentParser) -> None:
    defaults = BLEU.SMOOTH_DEFAULTS
    bleu = parser.add_argument_group("BLEU").add_argument
    bleu(
        "--smooth-method",
        "-s",
        choices=list(defaults),
        default="exp",
        help="Smoothing (default: %(default)s).",
    )
    bleu(
        "--smooth-value",
        "-sv",
        type=_real,
        help=f"Value for floor (default: {defaults['floor']}) or add-k (default: {defaults['add-k']}).",
    )
    bleu(
        "--tokenize",
        "-tok",
        type=_tokenizer,
        metavar="{" + ",".join(BLEU.TOKENIZERS) + ",spm:FILE}",
        help="Tokenizer (default: 13a, or by the target language: zh, ja-mecab, ko-mecab).",
    )
    bleu("--lowercase", "-lc", action="store_true", help="Ignore case.")
    bleu("--force", action="store_true", help="Do not warn of input that looks tokenized.")

    chrf = parser.add_argument_group("chrF").add_argument
    chrf(
        "--chrf-char-order",
        "-cc",
        type=_whole_number(-1000, 100),
        default=CHRF.CHAR_ORDER,
        help="Characters (default: %(default)s).",
    )
    chrf(
        "--chrf-word-order",
        "-cw",
        type=_whole_number(-1000, 100),
        default=CHRF.WORD_ORDER,
        help="Words; 2 is chrF++ (default: 0).",
    )
    chrf(
        "--chrf-beta",
        type=_whole_number(-1000, 1000),
        default=CHRF.BETA,
        help="Weight of recall (default: %(default)s).",
    )
    chrf("--chrf-whitespace", action="store_true", help="Count whitespace in character n-grams.")
    chrf("--chrf-lowercase", action="store_true", help="Ignore case.")
    chrf("--chrf-eps-smoothing", action="store_true", help="Smooth with an epsilon, not by effective order.")

    ter = parser.add_argument_group("TER (as tercom by default)").add_argument
    ter("--ter-case-sensitive", action="store_true", help="Heed case.")
    ter("--ter-asian-support", action="store_true", help="Treat Chinese and Japanese characters as words.")
    ter("--ter-no-punct", action="store_true", help="Drop punctuation.")
    ter("--ter-normalized", action="store_true", help="Normalize and tokenize.")


def _test_options(parser: argparse.ArgumentParser) -> None:
    tests = parser.add_argument_group(
        "Confidence and significance",
        "SACREBLEU_SEED in the environment holds the seed (default: 12345; none: a new one each time).",
    )
    tests.add_argument(
        "--confidence",
        "-ci",
        action="store_true",
        help="95 %% interval of one system's scores, by bootstrap.",
    )
    tests.add_argument(
        "--confidence-n",
        "-cin",
        type=_whole_number(-(10**7), 10**7),
        default=1000,
        help="Resamples for it (default: %(default)s).",
    )
    kinds = tests.add_mutually_exclusive_group()
    kinds.add_argument(
        "--paired-ar",
        "-par",
        action="store_true",
        help="Test each system against the first by approximate randomisation.",
    )
    kinds.add_argument(
        "--paired-bs",
        "-pbs",
        action="store_true",
        help="Test each system against the first by paired bootstrap.",
    )
    tests.add_argument(
        "--paired-ar-n",
        "-parn",
        type=_whole_number(-(10**7), 10**7),
        default=10000,
        help="Trials (default: %(default)s).",
    )
    tests.add_argument(
        "--paired-bs-n",
        "-pbsn",
        type=_whole_number(-(10**7), 10**7),
        default=1000,
        help="Resamples (default: %(default)s).",
    )
    tests.add_argument(
        "--paired-jobs",
        "-j",
        type=_whole_number(-1, 10**4),
        default=1,
        help="Taken, but all systems are resampled at once.",
    )


def _report_options(parser: argparse.ArgumentParser) -> None:
    report = parser.add_argument_group("Output").add_argument
    report("--quiet", "-q", action="store_true", help="No messages beside warnings and errors.")
    report("--short", "-sh", action="store_true", help="Short signatures.")
    report("--score-only", "-b", action="store_true", help="Bare scores.")
    report(
        "--width", "-w", type=_whole_number(-1000, 100), default=1, help="Decimals (default: %(default)s)."
    )
    report("--detail", "-d", action="store_true", help="Scores by original language and domain, too (-t).")
    report("--no-color", "-nc", action="store_true", help="No colours.")
    report(
        "--format",
        "-f",
        choices=FORMATS,
        default="json",
        help="Output format; SACREBLEU_FORMAT in the environment overrides it (default: %(default)s).",
    )


def _set_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group(
        "Test sets",
        "By sacreBLEU, which has to be installed (adjudge[testsets]); SACREBLEU in the environment names its cache.",
    ).add_argument
    add("--test-set", "-t", help="A test set, or several with commas between them, with -l.")
    add("--list", action="store_true", help="All test sets; of one (-t): its language pairs and fields.")
    add("--download", metavar="TEST_SET", help="Download a test set, and no more.")
    add("--citation", "--cite", action="store_true", help="BibTeX of a test set (-t).")
    add("--echo", nargs="+", metavar="FIELD", help="Print fields of a test set: src, ref, docid, …, or all.")
    add("--origlang", "-ol", help="Only segments of this original language, or of any other: non-de.")
    add("--subset", help="Only documents whose domain or country this regular expression fits.")


def _tokenizer(name: str) -> str:
    if name in BLEU.TOKENIZERS or name.startswith("spm:"):
        return name
    known = ", ".join(map(repr, BLEU.TOKENIZERS))
    raise argparse.ArgumentTypeError(f"invalid choice: {name!r} (choose from {known})")


def _whole_number(low: int, most: int) -> Callable[[str], int]:
    """A whole number in a range."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"invalid int value: {text[:30]!r}") from None
        if not low <= number <= most:
            raise argparse.ArgumentTypeError(f"{text[:30]} is not in the range from {low} to {most}")
        return number

    return convert


def _real(text: str) -> float:
    """A number that can be reckoned with."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"invalid float value: {text[:30]!r}") from None
    if not math.isfinite(number) or abs(number) > 1e100:
        raise argparse.ArgumentTypeError(
            f"{text[:30]} is no number to reckon with: at most 1e100 was expected"
        )
    return number
