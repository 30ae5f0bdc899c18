"""The computing process of the service: one request per input line, one answer per output line, and no files."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_type_hints

from adjudge import __version__, comparison, metrics, workspace
from adjudge.comparison.comparison_display import ComparisonDisplay
from adjudge.comparison.plan import Plan, checked_options
from adjudge.data import Outputs, TestSet
from adjudge.errors import AdjudgeError, DataError, UsageError
from adjudge.io.difference_tables import shipped_tables
from adjudge.io.fields import Fields, check_keys, kind_of, parse_json
from adjudge.io.names import system_and_run
from adjudge.io.study_file import check_language
from adjudge.metrics.base import SPEC, Metric, options_of
from adjudge.report.extra_sections import both_halves, extra_sections_of
from adjudge.report.render.formats import render, renderer_of
from adjudge.wording import pluralise

REQUEST = "the request"
COMMON = ("references", "source", "labels", "systems", "metrics", "language", "name")
OWN = {"segments": "/score", "plan": "/compare"}
KNOWN = {route: (*COMMON, name) for name, route in OWN.items()}
"""The fields of a request."""
MOST_DRAWS = 1_000_000
"""Trials and resamples of a comparison, those that a small alpha asks for among them."""
MOST_MEMORY = 8 << 30
WARM = '{"references": [["a"]], "systems": {"a": ["a"], "b": ["b"]}, "plan": {"trials": 1, "resamples": 1}}'
WORDS = ("tokenize", "language", "matchers")
"""Options of metrics whose texts are words that adjudge knows; other texts name files, models, programs, services."""


def main() -> None:
    """Answer requests until the end of input; anything else that is printed goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="ascii")  # a line at a time
    os.dup2(2, 1)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with workspace.use(workspace.Workspace(named_by_file=True)):
        answer_request("/compare", WARM)  # what is imported late is imported now
        answers.write("ready\n")
        for line in sys.stdin.buffer:
            asked = json.loads(line)
            answer = json.dumps(answer_request(asked["route"], asked["body"], asked["most_seconds"]))
            answers.write(f"{asked['number']} {answer}\n")


def answer_request(route: str, body: str, most_seconds: float | None = None) -> dict[str, Any]:
    """The answer to a request: a status with JSON or an error, or an estimate above `most_seconds`."""
    try:
        compute = score_request if route == "/score" else compare_request
        return {"status": 200, "text": compute(_request(route, body), most_seconds or math.inf)}
    except _LongerError as longer:
        return {"estimate": longer.seconds}
    except AdjudgeError as error:
        return {"status": 400, "code": "refused", "text": str(error)}
    except RecursionError:
        return {"status": 400, "code": "refused", "text": "JSON nested too deeply"}
    except MemoryError:
        return {"status": 413, "code": "too large", "text": "that takes more memory than there is; send less"}
    except Exception:
        text = "something went wrong on the server; its log says more"
        return {"status": 500, "code": "internal", "text": text, "fault": traceback.format_exc()}


class _LongerError(Exception):
    """A request is estimated to take longer than this process allows."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


def estimated_seconds(
    test_set: TestSet, outputs: Sequence[Outputs], metrics: int, draws: float = 0.0
) -> float:
    """About how long a request takes: within a factor of five for up to 10 systems, too high for more of them.

    For each metric, all characters are read once (0.1 µs each), and a segment is held against its references, which
    may grow with the product of their lengths (0.01 ns each). A draw, a trial of a pair or a resample of a system,
    takes 1 µs, and 5 ns for each segment. Measured on one core; metrics that parse or match words cost more.
    """
    read = products = 0
    references = [sum(len(text or "") for text in row) for row in zip(*test_set.references, strict=False)]
    for output in outputs:
        lengths = [len(text) for text in output.segments]
        read += sum(lengths) + sum(references)
        products += sum(a * b for a, b in zip(lengths, references, strict=False))
    return metrics * (1e-7 * read + 1e-11 * products + draws * (1e-6 + 5e-9 * len(test_set)))


def score_request(request: Fields, most_seconds: float = math.inf) -> str:
    """Scores, as `adjudge score -f json` writes them."""
    test_set, outputs = _texts(request)
    segments, chosen = bool(request.optional("segments", bool)), _metrics(request)
    if (seconds := estimated_seconds(test_set, outputs, len(chosen))) > most_seconds:
        raise _LongerError(seconds)
    scores = comparison.score(test_set, outputs, chosen, segments=segments)
    return render(renderer_of(scores, version=__version__, inputs=()), "json")


def compare_request(request: Fields, most_seconds: float = math.inf) -> str:
    """A comparison, as `adjudge compare -f json` writes it."""
    options = request.object_or_empty("plan")
    check_keys(options.values, get_type_hints(Plan), "plan.")
    plan, chosen = Plan(**checked_options(options)), _metrics(request)
    test_set, outputs = _texts(request)
    systems = len({output.system for output in outputs})
    pairs = systems - 1 if plan.baseline else math.comb(systems, 2)
    asked = plan.with_numbers(plan.tests_together(pairs, len(chosen)))
    if (draws := max(asked.trials or 0, asked.resamples or 0)) > MOST_DRAWS:
        limit = f"at most {MOST_DRAWS:,} are drawn here: say how many, or test against a larger alpha"
        raise UsageError(f"plan: that takes {pluralise(draws, 'trial')} or resamples; {limit}")
    draws = (pairs * (asked.trials or 0) + systems * (asked.resamples or 0)) * (1 + len(plan.by))
    if (seconds := estimated_seconds(test_set, outputs, len(chosen), draws)) > most_seconds:
        raise _LongerError(seconds)
    result = comparison.compare(test_set, outputs, chosen, plan)
    halves, _ = both_halves(result, plan.by, test_set.language, test_set)
    extra = extra_sections_of(result, halves, shipped_tables(), test_set.language)
    shown = ComparisonDisplay(result, extra=extra)
    return render(renderer_of(shown, version=__version__, inputs=()), "json")


def _request(route: str, body: str) -> Fields:
    try:
        document = parse_json(body)
    except ValueError as error:
        raise DataError(f"not JSON: {error}") from None
    if not isinstance(document, dict):
        raise DataError(f"{kind_of(document)}, but an object was expected")
    for name in document:
        if OWN.get(name, route) != route:
            raise UsageError(f"{name} is no field of {route}, but of {OWN[name]}")
    check_keys(document, KNOWN[route])
    return Fields(REQUEST, document)


def _texts(request: Fields) -> tuple[TestSet, list[Outputs]]:
    language = request.optional("language", str)
    check_language(language, f"{REQUEST}: language")
    labels, systems = request.object_or_empty("labels"), request.object("systems")
    sets = enumerate(request.optional("references", list) or ())
    references = Fields(REQUEST, {f"references[{place}]": column for place, column in sets})
    test_set = TestSet(
        references=tuple(tuple(references.take(place, list)) for place in references.values),
        sources=request.texts("source") if "source" in request else None,
        labels={name: labels.texts(name) for name in labels.values},
        name=request.optional("name", str) or "",
        language=language or "",
        language_from="-l" if language else "",
    )
    named = [(*system_and_run(name), systems.texts(name)) for name in systems.values]
    return test_set, [Outputs(system, segments, run) for system, run, segments in named]


def _metrics(request: Fields) -> list[Metric]:
    specs = request.texts("metrics") if "metrics" in request else comparison.DEFAULT_METRICS
    known = {**metrics.registry(), **{name: type(preset) for name, preset in metrics.presets().items()}}
    for spec in specs:
        match = SPEC.fullmatch(spec)
        if match and match["name"].lower() in known:
            _check_options(known[match["name"].lower()], options_of(match["options"] or "", spec))
    return [metrics.metric(spec) for spec in specs]


def _check_options(kind: type[Metric], options: Mapping[str, str]) -> None:
    """Refuse a metric that needs more than the texts, before it is made: some look at files at once."""
    kinds = get_type_hints(kind)
    for name, value in options.items():
        is_text = str in (kinds.get(name), *get_args(kinds.get(name)))
        if is_text and (name not in WORDS or ":" in value):
            raise UsageError(
                f"{kind.name}({name}=…) names a file, a model, a program or a service: not used here"
            )
    if kind.__module__.partition(".")[0] != "adjudge":
        raise UsageError(f"{kind.name} is a metric of another package: not used here")


if __name__ == "__main__":
    main()
