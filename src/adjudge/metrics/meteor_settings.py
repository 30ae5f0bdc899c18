"""What METEOR 1.5 does in which language and for which task: matchers, parameters and the weights of matches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from adjudge.data import languages
from adjudge.errors import UsageError, unknown_name
from adjudge.metrics.meteor_parameters import MATCHERS, Parameters

Task = Literal["rank", "adq", "hter", "util", "li", "tune", "universal"]
TASKS: tuple[Task, ...] = ("rank", "adq", "hter", "util", "li", "tune", "universal")

# Denkowski and Lavie 2014 and METEOR 1.5 itself. A weight of a matcher that the language does not have is 0.
RANK = {
    "en": Parameters(0.85, 0.20, 0.60, 0.75, 1.0, 0.6, 0.8, 0.6),
    "cs": Parameters(0.95, 0.20, 0.60, 0.80, 1.0, 0.0, 0.0, 0.4),
    "de": Parameters(0.95, 1.00, 0.55, 0.55, 1.0, 0.8, 0.0, 0.2),
    "es": Parameters(0.65, 1.30, 0.50, 0.80, 1.0, 0.8, 0.0, 0.6),
    "fr": Parameters(0.90, 1.40, 0.60, 0.65, 1.0, 0.2, 0.0, 0.4),
    "ru": Parameters(0.75, 1.40, 0.70, 0.50, 1.0, 0.5, 0.0, 0.5),
}
# Fitted on English judgements only.
ENGLISH = {
    "adq": Parameters(0.75, 1.40, 0.45, 0.70, 1.0, 1.0, 0.6, 0.8),
    "hter": Parameters(0.40, 1.50, 0.35, 0.55, 1.0, 0.2, 0.6, 0.8),
    "util": Parameters(0.65, 0.10, 0.55, 0.65, 1.0, 0.0, 0.0, 0.8),
}
ANY_LANGUAGE = {
    "li": Parameters(0.75, 1.40, 0.70, 0.50, 1.0, 0.5, 0.5, 0.5),
    "tune": Parameters(0.50, 1.00, 0.50, 0.50, 1.0, 0.5, 0.5, 0.5),
    "universal": Parameters(0.70, 1.40, 0.30, 0.70, 1.0, 0.0, 0.0, 0.6),
}
# Banerjee and Lavie 2005: all words and all matches count alike, and P and R make 10PR/(9P + R).
FORM_2005 = Parameters(0.9, 3.0, 0.5, 0.5)

ALL = {"en"}
STEMS_AND_PARAPHRASES = {"de", "es", "fr", "ru"}
PARAPHRASES = {"cs"}
STEMS = {"da", "fi", "hu", "it", "nl", "no", "pt", "ro", "sv", "tr"}


def matchers_of(language: str, task: str) -> tuple[str, ...]:
    """The matchers METEOR uses for a language."""
    if task == "universal":
        return "exact", "paraphrase"
    if language in ALL:
        return MATCHERS
    if language in STEMS_AND_PARAPHRASES:
        return "exact", "stem", "paraphrase"
    if language in PARAPHRASES:
        return "exact", "paraphrase"
    return ("exact", "stem") if language in STEMS else ("exact",)


def read_matchers(text: str) -> tuple[str, ...]:
    """Matchers as people write them, `exact+stem`, in METEOR's order."""
    names = [name.strip().lower() for name in text.split("+")]
    for name in names:
        if name not in MATCHERS:
            raise unknown_name("matcher", name, MATCHERS, "matchers=exact+stem")
    if len(set(names)) < len(names):
        raise UsageError(f"meteor(matchers={text}): a matcher stands there twice")
    return tuple(name for name in MATCHERS if name in names)


def parameters_of(language: str, task: str) -> Parameters:
    """The parameters METEOR has for a task; for *rank* in a language it was not fitted to, those of *li*."""
    if task in ANY_LANGUAGE:
        return ANY_LANGUAGE[task]
    if task == "rank":
        return RANK.get(language, ANY_LANGUAGE["li"])
    if language != "en":
        raise UsageError(
            f"METEOR has no parameters for task {task!r} in {languages.name(language).title()}, only for English; "
            "tasks for any language: rank, li, tune, universal"
        )
    return ENGLISH[task]


def with_added(parameters: Parameters, matchers: Sequence[str], language: str, task: str) -> Parameters:
    """The parameters with a weight for matchers METEOR does not have there, and so never weighed: *li*'s."""
    usual, li = matchers_of(language, task), ANY_LANGUAGE["li"]
    return replace(parameters, **{name: getattr(li, name) for name in matchers if name not in usual})


def read_weights(text: str, matchers: Sequence[str]) -> dict[str, float]:
    """Weights as people write them, one a matcher in METEOR's order: `1+0.5`."""
    try:
        weights = [float(part) for part in text.split("+")]
    except ValueError:
        weights = []
    if len(weights) != len(matchers) or not all(math.isfinite(w) and 0 <= w <= 1 for w in weights):
        raise UsageError(
            f"meteor(weights={text}): {len(matchers)} numbers from 0 to 1 were expected, with + between them, "
            f"for {', '.join(matchers)}"
        )
    return dict(zip(matchers, weights, strict=True))


def only(parameters: Parameters, matchers: Sequence[str]) -> Parameters:
    """The parameters with no weight for matchers that are not used; their columns are empty anyway."""
    return replace(parameters, **{name: 0.0 for name in MATCHERS if name not in matchers})
