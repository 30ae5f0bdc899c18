"""sacreBLEU's `Score`, `Signature` and `Metric`: the frame that BLEU, CHRF and TER fill in."""

from __future__ import annotations

import json
import logging
import statistics
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.compat.sacrebleu._resampling import bootstrap_sums, seed_of_the_environment
from adjudge.compat.sacrebleu.version import __version__
from adjudge.data import TestSet
from adjudge.errors import DataError
from adjudge.metrics.base import Metric as CoreMetric
from adjudge.stats.draws import generator

# People silence or capture sacreBLEU's warnings by the name of its logger.
sacrelogger = logging.getLogger("sacrebleu")

ScoreT = TypeVar("ScoreT", bound="Score")
References = Sequence[Sequence[str | None]]
Stats = Sequence[Any] | NDArray[Any]


class Score:
    """A score with its name, as it prints."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """The score as a line of text, as a bare number or as JSON."""
        shown = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {"name": self.name, "score": float(shown), "signature": signature}
        if self._mean > 0:
            mean, margin = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            confidence = f"μ = {mean} ± {margin}"
            shown += f" ({confidence})"
            fields |= {
                "confidence_mean": float(mean),
                "confidence_var": float(margin),
                "confidence": confidence,
            }
        if score_only:
            return shown
        if is_json:
            if self._verbose:
                fields["verbose_score"] = self._verbose
            fields |= dict(part.split(":") for part in signature.split("|"))
            return json.dumps(fields, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {shown} {self._verbose}" if self._verbose else f"{name} = {shown}"

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Take the mean and half the width of the central 95 % from scores of resampled corpora."""
        self._estimate_ci(np.array([score.score for score in scores]))

    def _estimate_ci(self, scores: NDArray[Any]) -> None:
        values = np.sort(scores)
        tail = len(values) // 40  # 2.5 % on each side
        self._ci = (values.dtype.type(0.5) * (values[len(values) - tail - 1] - values[tail])).item()
        # The exact mean, rounded once to the precision of the scores.
        self._mean = values.dtype.type(statistics.mean(values.tolist())).item()

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """All that changes a score, as `key:value|...`; made from a metric's attributes."""

    def __init__(self, args: dict[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        self._abbr = {
            "version": "v",
            "nrefs": "#",
            "test": "t",
            "lang": "l",
            "subset": "S",
            "origlang": "o",
            "bs": "bs",
            "ar": "ar",
            "seed": "rs",
        }
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """The signature as a string, with one- and two-letter keys where `short`; the version comes last."""
        names = [*(name for name in self.info if name != "version"), "version"]
        return "|".join(
            f"{self._abbr[name] if short else name}:{_spell(self.info[name])}"
            for name in names
            if self.info[name] is not None
        )

    def update(self, key: str, value: Any) -> None:
        """Set a field."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


class Prepared(NamedTuple):
    """References as the core keeps them, and how many segments they have."""

    references: Any
    segments: int


class Metric(ABC, Generic[ScoreT]):
    """What sacreBLEU's metrics share: checks of arguments, cached references, corpus and sentence scores."""

    _SIGNATURE_TYPE: type[Signature] = Signature

    num_refs: int
    """References a segment, -1 where that varies; there once references have been seen."""

    def __init__(self) -> None:
        self._ref_cache: Prepared | None = None
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _metric(self) -> CoreMetric:
        """The metric of adjudge with the options that stand in the attributes now."""

    @abstractmethod
    def _as_lists(self, rows: NDArray[np.float64]) -> list[list[Any]]:
        """Rows in the types that sacreBLEU has them in."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Stats) -> ScoreT:
        """The score of one row, or of a sum of rows."""

    @abstractmethod
    def _resampled(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Scores of many sums of rows, to the last bit as sacreBLEU gets them from float32 or from float64."""

    def _nearly(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of many sums of rows, where the last bits need not be sacreBLEU's."""
        return self._metric().aggregate(sums)

    def _scores(self, rows: NDArray[np.float64]) -> list[ScoreT]:
        """Scores of many rows; metrics that can do it at once do."""
        return [self._compute_score_from_stats(stats) for stats in self._as_lists(rows)]

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """A segment as the metric counts it."""

    def _for_core(self, segments: Sequence[str | None]) -> Sequence[str | None]:
        """Segments as `_metric` is to see them."""
        return segments

    def corpus_score(
        self, hypotheses: Sequence[str], references: References | None, n_bootstrap: int = 1
    ) -> ScoreT:
        """Score a corpus; `references` holds one list a reference set, None means the constructor's.

        Above 1, `n_bootstrap` is a number of resamples that give the score a mean and a 95 % interval, with the
        environment's SACREBLEU_SEED.
        """
        self._check_corpus_score_args(hypotheses, references)
        rows = self._rows(hypotheses, references, threads=0)
        score = self._compute_score_from_stats(self._as_lists(rows.sum(0, keepdims=True))[0])
        if n_bootstrap > 1:
            self.seed, seed = seed_of_the_environment()
            self.n_bootstrap = n_bootstrap
            [sums] = bootstrap_sums(generator(seed), [rows], n_bootstrap)
            score._estimate_ci(self._resampled(sums))
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> ScoreT:
        """Score one sentence against its references."""
        self._check_sentence_score_args(hypothesis, references)
        self.num_refs = sum(reference is not None for reference in references)
        [segment] = self._for_core((hypothesis,))
        row = self._metric().sentence_row(segment or "", self._for_core(references))
        return self._compute_score_from_stats(self._as_lists(np.array([row]))[0])

    def sentence_scores(
        self, hypotheses: Sequence[str], references: References | None = None
    ) -> list[ScoreT]:
        """Score every sentence of a corpus on its own, at once; sacreBLEU has no such method."""
        self._check_corpus_score_args(hypotheses, references)
        rows = self._rows(hypotheses, references, threads=0, warn=False)
        return self._scores(rows)

    def get_signature(self) -> Signature:
        """The signature of what was scored last."""
        return self._SIGNATURE_TYPE(self.__dict__)

    def _aggregate_and_compute(self, stats: Sequence[Stats] | NDArray[Any]) -> ScoreT:
        """Score rows together."""
        if len(stats) == 1:
            return self._compute_score_from_stats(stats[0])
        sums = np.asarray(stats, np.float64).sum(0, keepdims=True)
        return self._compute_score_from_stats(self._as_lists(sums)[0])

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: References | None
    ) -> list[list[Any]]:
        """One row of additive numbers a segment."""
        return self._as_lists(self._rows(hypotheses, references, threads=0))

    def _cache_references(self, references: References) -> Prepared:
        """Work on the references that serves every system."""
        if any(isinstance(column, str) for column in references):
            raise DataError(
                f"{type(self).__name__}: references is a list of reference sets, each a list of strings; "
                "write [references] for a single one"
            )
        test_set = TestSet(references=tuple(map(tuple, map(self._for_core, references))))
        count = test_set.reference_count()
        self.num_refs = -1 if count is None else count
        return Prepared(self._metric().prepare(test_set), len(test_set))

    def _rows(
        self,
        hypotheses: Sequence[str],
        references: References | Prepared | None,
        *,
        threads: int,
        warn: bool = True,
    ) -> NDArray[np.float64]:
        if isinstance(references, Prepared):
            prepared: Prepared | None = references
        else:
            prepared = self._cache_references(references) if references else self._ref_cache
        if prepared is None:
            raise RuntimeError("No references provided and the cache is empty.")
        if len(hypotheses) != prepared.segments:
            raise DataError(
                f"{type(self).__name__}: {len(hypotheses)} hypotheses, "
                f"but {prepared.segments} segments in the references"
            )
        if warn and not self._force:
            self._warn_of_tokenized(hypotheses)
        segments = [segment or "" for segment in self._for_core(hypotheses)]
        return self._metric().stats(prepared.references, segments, threads=threads)

    @staticmethod
    def _warn_of_tokenized(hypotheses: Sequence[str]) -> None:
        if sum(hypothesis.endswith(" .") for hypothesis in hypotheses) < 100:
            return
        sacrelogger.warning("That's 100 lines that end in a tokenized period ('.')")
        sacrelogger.warning(
            "It looks like you forgot to detokenize your test data, which may hurt your score."
        )
        sacrelogger.warning(
            "If you insist your data is detokenized, or don't care, "
            "you can suppress this message with the `force` parameter."
        )

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        wrong = None
        if not isinstance(hyp, str):
            wrong = "The argument `hyp` should be a string."
        elif isinstance(refs, str) or not isinstance(refs, Sequence):
            wrong = "The argument `refs` should be a sequence of strings."
        elif not refs:
            raise IndexError(f"{type(self).__name__}: `refs` is empty; a sentence needs a reference.")
        elif not _is_segment(refs[0]):
            wrong = "Each element of `refs` should be a string."
        if wrong:
            raise TypeError(f"{type(self).__name__}: {wrong}")

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        wrong = None
        if isinstance(hyps, str) or not isinstance(hyps, Sequence):
            wrong = "`hyps` should be a sequence of strings."
        elif not hyps:
            raise IndexError(f"{type(self).__name__}: `hyps` is empty; there is nothing to score.")
        elif not isinstance(hyps[0], str):
            wrong = "Each element of `hyps` should be a string."
        elif any(line is None for line in hyps):
            wrong = "Undefined line in hypotheses stream!"
        if refs is not None:
            wrong = self._wrong_references(refs) or wrong
        if wrong:
            raise TypeError(f"{type(self).__name__}: {wrong}")

    def _wrong_references(self, refs: Any) -> str | None:
        if not isinstance(refs, Sequence):
            return "`refs` should be a sequence of sequence of strings."
        if not refs or (isinstance(refs[0], Sequence) and not refs[0]):
            raise IndexError(f"{type(self).__name__}: `refs` is empty; hypotheses need references.")
        if not isinstance(refs[0], Sequence):
            return "Each element of `refs` should be a sequence of strings."
        if not _is_segment(refs[0][0]):
            return "`refs` should be a sequence of sequence of strings."
        return None


def _is_segment(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _spell(value: Any) -> Any:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
