"""Systems' outputs estimated by one model, with the log-probabilities of those systems that have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.io.table import Input
from adjudge.qe.estimator import Estimates, Estimator, estimate
from adjudge.qe.features import LogProbabilities
from adjudge.qe.reading import read_log_probabilities


def named_log_probabilities(
    files: Sequence[str], outputs: Sequence[Outputs], named: Sequence[str], inputs: list[Input]
) -> dict[str, tuple[LogProbabilities, ...]]:
    """Log-probabilities from SYS=FILE, or FILE where there is one system, which are added to the inputs.

    Systems go by their names, or as they were `named` on the command line.
    """
    given = {}
    for text in files:
        name, equals, path = text.partition("=")
        if not equals:
            name, path = (outputs[0].system if len(outputs) == 1 else ""), text
        if name not in {output.system for output in outputs} | set(named):
            known = ", ".join(output.system for output in outputs)
            raise UsageError(f"--log-probs {text}: whose are these? SYS=FILE, with one of {known}")
        given[name] = read_log_probabilities(path, inputs)
    return given


def estimate_outputs(
    model: Estimator,
    test_set: TestSet,
    outputs: Sequence[Outputs],
    log_probabilities: Sequence[tuple[LogProbabilities, ...] | None],
    **options: Any,
) -> dict[str, Estimates]:
    """What the model says of every system's segments; `options` are those of `estimate`."""
    assert test_set.sources is not None
    estimates = {}
    for output, known in zip(outputs, log_probabilities, strict=True):
        if known is not None and len(known) != len(output.segments):
            raise UsageError(
                f"--log-probs of {output.system}: {len(known):,} lines for {len(output.segments):,} segments"
            )
        estimates[output.system] = estimate(model, test_set.sources, output.segments, known, **options)
    return estimates


def glass_box_warnings(model: Estimator, estimates: Mapping[str, Estimates], given: bool) -> list[str]:
    """Where log-probabilities change nothing, or are missing."""
    if model.glass_box is None:
        unused = "the model has not learnt from log-probabilities, so --log-probs changes nothing"
        return [unused] if given else []
    without = [name for name, estimate in estimates.items() if not estimate.glass_box.all()]
    if without:
        return [
            f"{', '.join(without)}: some segments have no log-probabilities, which the model learnt from "
            "(--log-probs SYS=FILE); they are estimated without"
        ]
    return []
