"""A metric learned from judgements of people: a model over the scores of other metrics (`adjudge tune learned`)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from adjudge import workspace
from adjudge.data import TestSet, languages
from adjudge.errors import DataError, MissingResourceError, UnaskedProgramError, UsageError
from adjudge.io.files import path_text, read_bytes
from adjudge.metrics.base import MeanMetric, Metric, Rows, yes_no
from adjudge.metrics.learned_model import LearnedModel, read_model
from adjudge.wording import join_names

Prepared = list[tuple[Metric, Any]]
"""Every feature as it is for the test set, and what it has prepared."""


@dataclass(frozen=True)
class Learned(MeanMetric):
    """What a model that people's judgements were fitted to makes of other metrics' scores of a segment; their mean.

    0 is the mean of the translations it was trained on, 1 their standard deviation.
    """

    name = "learned"
    title = "learned"
    summary = "a model of people's judgements over other metrics' scores, as `adjudge tune learned` trains it"
    scale = (-math.inf, math.inf)
    decimals = 3
    keeps_rows = False

    model: str = ""
    allow_programs: bool = False

    @cached_property
    def _read(self) -> tuple[LearnedModel, str]:
        """The model, and the hash of its file."""
        if not self.model:
            raise MissingResourceError(
                "learned needs the file of a model, and none comes with adjudge: adjudge tune learned -o FILE trains "
                "one, learned(model=FILE) uses it"
            )
        return read_model(self.model), read_bytes(self.model)[1]

    @cached_property
    def features(self) -> tuple[Metric, ...]:
        """The metrics whose scores the model reads."""
        from adjudge.metrics import metric

        try:
            features = tuple(metric(feature.spec) for feature in self._read[0].features)
        except UsageError as error:
            raise DataError(
                f"{path_text(self.model)}: a feature that this adjudge does not have: {error}"
            ) from None
        if any(isinstance(feature, Learned) for feature in features):
            raise DataError(f"{path_text(self.model)}: a learned metric cannot be a feature of another")
        return features

    @property
    def follows_language(self) -> bool:
        """Whether one of the features does."""
        return bool(self.model) and any(feature.follows_language for feature in self.features)

    @property
    def needs_language(self) -> bool:
        """Whether one of the features does."""
        return bool(self.model) and any(feature.needs_language for feature in self.features)

    def depends_on(self, language: str) -> bool:
        """Whether one of the features does."""
        return bool(self.model) and any(feature.depends_on(language) for feature in self.features)

    @property
    def undivided(self) -> str:
        """Where one of the features is."""
        return next((reason for feature in self.features if (reason := feature.undivided)), "")

    def prepare(self, test_set: TestSet) -> Prepared:
        """Every feature's work on the references; refused where one is not what the model was trained with."""
        model, _ = self._read
        with self._as_named_by_file():
            resolved = [feature.for_test_set(test_set) for feature in self.features]
            self._check_features(model, resolved, test_set)
            return [(feature, feature.prepare(test_set)) for feature in resolved]

    def segments(self, prepared: Prepared, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The model's score of each segment."""
        with self._as_named_by_file():
            columns = [
                feature.for_segments().aggregate(feature.stats(feature_references, outputs, threads=threads))
                for feature, feature_references in prepared
            ]
        return self._read[0].scores(np.stack(columns, axis=-1))

    def signature_fields(self) -> dict[str, str]:
        """Which model it is: the hash of its file, its kind, the number of its features, and what may be run."""
        model, sha256 = self._read
        return {
            "model": sha256[:12],
            "learner": model.learner,
            "features": str(len(model.features)),
            "programs": yes_no(self.allow_programs),
        }

    @contextmanager
    def _as_named_by_file(self) -> Iterator[None]:
        """What the file names is not run or loaded unless the user says so: it could name anything."""
        used = workspace.current()
        kept_back = used.named_by_file or not self.allow_programs
        try:
            with workspace.use(workspace.with_settings(named_by_file=kept_back)):
                yield
        except UnaskedProgramError as error:
            if used.named_by_file:
                raise
            raise UnaskedProgramError(
                f"{path_text(self.model)} reads a metric that runs a program or loads a model, which is not "
                "done because a "
                "file names it: if you trust the file, learned(model=FILE,allow_programs=true)"
            ) from error

    def _check_features(self, model: LearnedModel, resolved: Sequence[Metric], test_set: TestSet) -> None:
        """Refuse features that are another thing now; note languages that the model has never seen."""
        if not test_set.language:
            return
        language = languages.target(test_set.language)
        known = model.signatures.get(language)
        if known is None:
            seen = join_names(sorted(model.signatures)) or "no language"
            workspace.current().note(
                f"{self.label}: trained on judgements of translations into {seen}, never into {language}; what it is "
                "worth there only judgements can tell (adjudge meta)"
            )
            return
        for feature, now in zip(model.features, resolved, strict=True):
            signature = feature_signature(now)
            if known.get(feature.spec, signature) != signature:
                raise DataError(
                    f"{path_text(self.model)}: {feature.spec} is not what the model was trained with: {signature}, and "
                    f"then it was {known[feature.spec]}; install the same language data, or train it again"
                )


def feature_signature(metric: Metric) -> str:
    """All that changes a feature's score, in a signature's layout, without test set and version."""
    return "|".join(f"{key}:{value}" for key, value in metric.signature_fields().items())
