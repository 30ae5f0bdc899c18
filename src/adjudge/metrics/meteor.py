"""METEOR 1.5 (Denkowski and Lavie 2014), and its form of 2005 (Banerjee and Lavie)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from adjudge import _native
from adjudge.data import Alignment, Link, TestSet, languages
from adjudge.errors import DataError, UsageError
from adjudge.metrics import meteor_settings as settings
from adjudge.metrics.base import Metric, Rows, divide, require, shortest, target_language, yes_no
from adjudge.metrics.meteor_columns import COLUMN, parts
from adjudge.metrics.meteor_knowledge import Knowledge, Reading, Sources, Vocabulary, knowledge
from adjudge.metrics.meteor_parameters import MATCHERS, Parameters, read_parameters
from adjudge.text.stems import Edition


class AlignmentTask(NamedTuple):
    """What the kernel is asked, but for the number of threads."""

    words: _native.MeteorWords
    hypotheses: _native.MeteorSegments
    references: list[_native.MeteorSegments]
    matchers: int
    parameters: tuple[float, ...]
    form_2005: bool
    paraphrases: _native.ParaphraseTable | None


@dataclass(frozen=True, eq=False)
class MeteorReferences:
    """References as the core reads them."""

    known: Knowledge
    reading: Reading
    vocabulary: Vocabulary
    texts: list[_native.Texts]
    references: list[_native.MeteorSegments]


@dataclass(frozen=True)
class Meteor(Metric):
    """Words matched exactly, by stem, synonym or paraphrase, and in how many chunks; rows are METEOR's statistics.

    Columns are those of `meteor_columns`. The form of 2005 adds one: whether anything is matched.
    """

    name = "meteor"
    title = "METEOR"
    summary = "words matched exactly, by stem, synonym and paraphrase, and their order (METEOR 1.5's)"
    presets = {"meteor-2005": {"form": "2005"}}  # noqa: RUF012

    language: str = ""
    task: settings.Task = "rank"
    matchers: str = ""
    normalize: bool = True
    punctuation: bool = True
    lowercase: bool = True
    characters: bool = False
    form: Literal["1.5", "2005"] = "1.5"
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    weights: str = ""
    parameters: str = ""
    function_words: str = ""
    stems: Edition = "meteor"
    synonyms: str = ""
    paraphrases: str = ""
    resources: str = ""

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if isinstance(option.default, str):
                require(isinstance(value, str), f"{self.name}({option.name}={value}): must be a text")
        require(
            self.task in settings.TASKS, f"{self.name}(task={self.task}): must be one of {settings.TASKS}"
        )
        require(self.form in ("1.5", "2005"), f"{self.name}(form={self.form}): must be 1.5 or 2005")
        require(
            self.stems in ("meteor", "snowball"),
            f"{self.name}(stems={self.stems}): must be one of meteor, snowball",
        )
        if self.language:
            object.__setattr__(self, "language", languages.code(self.language))  # one spelling for one thing
        if self.matchers:
            object.__setattr__(self, "matchers", "+".join(settings.read_matchers(self.matchers)))
        require(
            not (self.punctuation is False and not self.normalize),
            f"{self.name}(punctuation=false,normalize=false): punctuation is found by normalising",
        )
        given = [n for n in ("parameters", "form") if getattr(self, n) != _default(n)]
        require(
            self.task == "rank" or not given,
            f"{self.name}(task={self.task}): {' and '.join(given)} bring their own numbers; leave the task out",
        )
        require(len(given) < 2, f"{self.name}: parameters are for form=1.5")
        for matcher, file in (("synonym", self.synonyms), ("paraphrase", self.paraphrases)):
            require(
                not file or not self.matchers or matcher in self.matchers.split("+"),
                f"{self.name}(matchers={self.matchers}): a file of {matcher}s is given, but not the matcher",
            )
        object.__setattr__(self, "_file", read_parameters(self.parameters) if self.parameters else None)
        self.in_force  # noqa: B018 (a wrong number should be heard of now)

    def for_test_set(self, test_set: TestSet) -> Meteor:
        """The metric for the language of a test set, if none was asked for."""
        language = target_language(self, test_set)
        return self if self.language or language == "en" else replace(self, language=language)

    @property
    def follows_language(self) -> bool:
        """Whether no language was asked for."""
        return not self.language

    @property
    def needs_language(self) -> bool:
        """Matchers, parameters and stems are those of a language."""
        return not self.language

    def depends_on(self, language: str) -> bool:
        """In every language."""
        return True

    @property
    def splits_at_spaces(self) -> bool:
        """METEOR expects words with spaces between them in every language."""
        return True

    @property
    def matchers_used(self) -> tuple[str, ...]:
        """The matchers asked for, else METEOR's for the language and those for which files were given."""
        if self.matchers:
            return settings.read_matchers(self.matchers)
        usual = set(settings.matchers_of(self._language, self.task))
        if self.form == "2005":
            usual.discard("paraphrase")
        usual |= {m for m, file in (("synonym", self.synonyms), ("paraphrase", self.paraphrases)) if file}
        return tuple(name for name in MATCHERS if name in usual)

    @cached_property
    def in_force(self) -> Parameters:
        """The eight numbers that make the score."""
        values: Parameters | None = getattr(self, "_file", None)
        if values is None:
            by_task = settings.parameters_of(self._language, self.task)
            by_task = settings.with_added(by_task, self.matchers_used, self._language, self.task)
            values = settings.FORM_2005 if self.form == "2005" else by_task
        changed: dict[str, float] = {
            name: value
            for name in ("alpha", "beta", "gamma", "delta")
            if (value := getattr(self, name)) is not None
        }
        if self.weights:
            changed |= settings.read_weights(self.weights, self.matchers_used)
        try:
            return settings.only(replace(values, **changed), self.matchers_used)
        except DataError as error:
            raise UsageError(f"{self.name}: {error}") from None

    @property
    def _language(self) -> str:
        return self.language or "en"

    @property
    def known(self) -> Knowledge:
        """What the matchers know; loaded when it is first asked for."""
        words = self.function_words or ("own" if self.task == "universal" else "english")
        sources = Sources(
            self.resources, words, self.synonyms, self.paraphrases, self.stems, normalize=self.normalize
        )
        return knowledge(self._language, self.matchers_used, sources)

    def prepare(self, test_set: TestSet) -> MeteorReferences:
        """References cut into words and numbered."""
        reading = Reading(self._language, self.normalize, self.punctuation, self.lowercase, self.resources)
        vocabulary = Vocabulary(self.known, characters=self.characters)
        texts = [reading.texts(column) for column in test_set.references]
        return MeteorReferences(
            self.known, reading, vocabulary, texts, [vocabulary.read(column) for column in texts]
        )

    def stats(self, prepared: MeteorReferences, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The statistics of each output with the reference that gives it the best score, of equals the first."""
        hypotheses = prepared.vocabulary.read(prepared.reading.texts(outputs, threads))
        rows = _native.meteor_rows(*self._task(prepared, hypotheses), threads)
        if self.form == "2005":
            return np.column_stack([rows, rows[:, COLUMN.chunks] > 0])
        return rows

    def alignments(
        self, prepared: MeteorReferences, outputs: Sequence[str], *, threads: int = 0
    ) -> list[Alignment]:
        """The matches behind the rows."""
        texts = prepared.reading.texts(outputs, threads)
        hypotheses = prepared.vocabulary.read(texts)
        links, sets = _native.meteor_links(*self._task(prepared, hypotheses), threads)
        by_segment: list[list[Link]] = [[] for _ in outputs]
        for segment, h0, h1, r0, r1, matcher in links.astype(int).tolist():
            by_segment[segment].append(Link((h0, h1), (r0, r1), MATCHERS[matcher]))
        columns = [column.strings() for column in prepared.texts]
        references = (columns[chosen][i] for i, chosen in enumerate(sets))
        return [
            Alignment(_words(hypothesis), _words(reference), tuple(ours))
            for hypothesis, reference, ours in zip(texts.strings(), references, by_segment, strict=True)
        ]

    def _task(self, prepared: MeteorReferences, hypotheses: _native.MeteorSegments) -> AlignmentTask:
        numbers = self.in_force
        return AlignmentTask(
            prepared.vocabulary.words,
            hypotheses,
            prepared.references,
            sum(1 << MATCHERS.index(name) for name in self.matchers_used),
            (numbers.alpha, numbers.beta, numbers.gamma, numbers.delta, *numbers.weights),
            self.form == "2005",
            prepared.known.paraphrases.native if prepared.known.paraphrases else None,
        )

    def aggregate(self, sums: Rows) -> Rows:
        """Fmean less the penalty for fragmentation, in percent."""
        return 100.0 * self._part("score", sums)

    def precision(self, sums: Rows) -> Rows:
        """The weighted share of the output's words that are matched, 0 to 1."""
        return self._part("precision", sums)

    def recall(self, sums: Rows) -> Rows:
        """The weighted share of the reference's words that are matched, 0 to 1."""
        return self._part("recall", sums)

    def f1(self, sums: Rows) -> Rows:
        """The harmonic mean of precision and recall, 0 to 1."""
        precision, recall = self.precision(sums), self.recall(sums)
        return divide(2 * precision * recall, precision + recall, otherwise=0.0)

    def fmean(self, sums: Rows) -> Rows:
        """The mean of precision and recall in which recall weighs alpha, 0 to 1."""
        return self._part("fmean", sums)

    def fragmentation(self, sums: Rows) -> Rows:
        """Chunks per matched word: 0 where all is in one piece (2005: of the gaps between matches, how many break)."""
        return self._part("fragmentation", sums)

    def _part(self, name: str, sums: Rows) -> Rows:
        return parts(sums, self.in_force, form_2005=self.form == "2005")[name]

    def chunks(self, sums: Rows) -> Rows:
        """In how many pieces, with the same words in the same order on both sides, the matches lie."""
        return np.asarray(sums, np.float64)[..., COLUMN.chunks]

    def signature_fields(self) -> dict[str, str]:
        """Language, task, matchers, the eight numbers, how text is read, and which data were used."""
        numbers, used = self.in_force, self.matchers_used
        values = (numbers.alpha, numbers.beta, numbers.gamma, numbers.delta)
        weights = [getattr(numbers, matcher) for matcher in used]
        origin = "file" if self.parameters else "2005" if self.form == "2005" else self.task
        shown = {
            "lang": self._language,
            "task": origin,
            "match": "+".join(used),
            "par": "_".join(shortest(value, "g") for value in values),
            "w": "_".join(shortest(value, "g") for value in weights),
            "norm": yes_no(self.normalize),
            "punct": yes_no(self.punctuation),
            "case": "lc" if self.lowercase else "mixed",
        }
        if self.characters:
            shown["unit"] = "char"
        return shown | self.known.hashes


def _default(option: str) -> Any:
    return next(f.default for f in fields(Meteor) if f.name == option)


def _words(line: str | None) -> tuple[str, ...]:
    return tuple((line or "").split(" ")) if line else ()
