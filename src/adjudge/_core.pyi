# Types of the compiled module (native/bindings*.cpp).
from collections.abc import Sequence
from mmap import mmap
from typing import overload

import numpy as np
from numpy.typing import NDArray

METEOR_COLUMNS: dict[str, int]
METEOR_PARTS: tuple[str, ...]

class BleuPairs:
    def __init__(self, texts: Texts, tokenizer: str, max_order: int) -> None: ...
    def __len__(self) -> int: ...
    def rows(self, begin: int, end: int) -> NDArray[np.float64]: ...

class ChrfPairs:
    def __init__(self, texts: Texts, char_order: int, word_order: int, whitespace: bool) -> None: ...
    def __len__(self) -> int: ...
    def rows(self, begin: int, end: int) -> NDArray[np.float64]: ...

class FeatureLists:
    def __init__(
        self, features: NDArray[np.float64], rows: NDArray[np.float64], begins: Sequence[int]
    ) -> None: ...
    def __len__(self) -> int: ...
    def choose(self, weights: NDArray[np.float64]) -> NDArray[np.int64]: ...
    def pieces(
        self, weights: NDArray[np.float64], directions: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]: ...

class KernelSequences:
    def __init__(self, symbols: NDArray[np.int32], sizes: NDArray[np.int64]) -> None: ...
    def __len__(self) -> int: ...

class KernelTrees:
    def __init__(
        self,
        groups: NDArray[np.int32],
        similar: NDArray[np.int32],
        parents: NDArray[np.int32],
        sizes: NDArray[np.int64],
    ) -> None: ...
    def __len__(self) -> int: ...

class LexicalModel:
    def __init__(
        self,
        sources: NDArray[np.int32],
        targets: NDArray[np.int32],
        probabilities: NDArray[np.float32],
        source_words: int,
        jumps: Sequence[float],
    ) -> None: ...
    @staticmethod
    def train(
        source: NDArray[np.int32],
        source_sizes: NDArray[np.int64],
        target: NDArray[np.int32],
        target_sizes: NDArray[np.int64],
        source_words: int,
        target_words: int,
        model1: int,
        hmm: int,
        threads: int,
        memory: int = ...,
    ) -> LexicalModel: ...
    def score(
        self,
        source: NDArray[np.int32],
        source_sizes: NDArray[np.int64],
        target: NDArray[np.int32],
        target_sizes: NDArray[np.int64],
        threads: int,
    ) -> NDArray[np.float64]: ...
    def entries(self, least: float) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]: ...
    @property
    def jumps(self) -> list[float]: ...
    @property
    def likelihoods(self) -> list[float]: ...

class MeteorGrid:
    def __init__(self, rows: NDArray[np.float64], cuts: Sequence[int], joined: bool) -> None: ...
    def __len__(self) -> int: ...
    def scores(self, points: NDArray[np.float64], threads: int) -> NDArray[np.float64]: ...
    def moments(
        self,
        points: NDArray[np.float64],
        target: NDArray[np.float64],
        group: Sequence[int],
        groups: int,
        threads: int,
    ) -> NDArray[np.float64]: ...
    def concordant(
        self,
        points: NDArray[np.float64],
        pairs: NDArray[np.uint32],
        begins: Sequence[int],
        group: Sequence[int],
        groups: int,
        threads: int,
    ) -> NDArray[np.float64]: ...

class MeteorLexicon:
    def __init__(
        self,
        stemmer: str,
        synonyms: SynonymTable | None,
        function_words: Sequence[str],
        characters: bool,
    ) -> None: ...

class MeteorSegments:
    def __len__(self) -> int: ...

class MeteorWords:
    def __init__(self, lexicon: MeteorLexicon) -> None: ...
    def read(self, texts: Texts) -> MeteorSegments: ...
    def fresh(self) -> list[str]: ...
    def look_up(self, stems: Sequence[str]) -> None: ...

class NistModel:
    def __init__(self, references: Sequence[Texts], tokenizer: str, max_order: int, threads: int) -> None: ...
    def __len__(self) -> int: ...

class ParaphraseBuilder:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def lines(self) -> int: ...
    def feed(self, piece: bytes) -> None: ...
    def finish(self, source: bytes) -> NDArray[np.uint8]: ...

class ParaphraseTable:
    def __init__(self, compiled: NDArray[np.uint8] | mmap) -> None: ...
    def __len__(self) -> int: ...
    @property
    def source(self) -> bytes: ...
    def matches(self, hypothesis: Texts, reference: Texts) -> list[list[int]]: ...

class SequenceKernel:
    def __init__(self, longest: int, decay: float) -> None: ...

class Similarities:
    def __init__(
        self,
        words: NDArray[np.int32],
        classes: NDArray[np.int32],
        rows: NDArray[np.int32],
        vectors: NDArray[np.float64],
    ) -> None: ...
    def __len__(self) -> int: ...

class SynonymTable:
    def __init__(self, synsets: str, exceptions: str, rules: Sequence[tuple[str, str]]) -> None: ...
    def __len__(self) -> int: ...
    def synsets(self, word: str) -> tuple[int, ...]: ...

class TerpPhrases:
    def __init__(self, references: Sequence[Texts], normalized: bool, no_punct: bool) -> None: ...
    def read(self, lines: bytes, meteor: bool) -> int: ...
    def __len__(self) -> int: ...

class TerpTexts:
    def __init__(
        self, hypotheses: Texts, references: Sequence[Texts], normalized: bool, no_punct: bool
    ) -> None: ...
    @property
    def words(self) -> list[str]: ...
    def tokens(self, segment: int) -> list[str]: ...

class TerpWords:
    def __init__(
        self,
        stems: Sequence[int],
        synset_starts: Sequence[int],
        synsets: Sequence[int],
        common: Sequence[int],
    ) -> None: ...

class Texts:
    def __init__(self, segments: Sequence[str | None], lowercase: bool) -> None: ...
    def __len__(self) -> int: ...
    def strings(self) -> list[str | None]: ...

class TrainingOverlap:
    def __init__(self, raw: Texts, lowered: Texts, tokenizer: str, n: int) -> None: ...
    def read(self, raw: Texts, lowered: Texts, threads: int) -> None: ...
    @property
    def lines(self) -> int: ...
    def rows(self) -> NDArray[np.float64]: ...

class TreeKernel:
    @staticmethod
    def partial(
        decay: float,
        vertical: float,
        terminal: float,
        longest: int,
        similarities: Similarities | None,
        threshold: float,
    ) -> TreeKernel: ...
    @staticmethod
    def subset(decay: float, sigma: float, leaves: bool, any_inner: bool) -> TreeKernel: ...

class WordIds:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(self, texts: Texts, tokenizer: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
    def find(self, texts: Texts, tokenizer: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
    def extend(self, texts: Texts) -> None: ...
    def words(self) -> list[str]: ...

def split_lines(data: bytes, start: int) -> tuple[list[str], int]: ...
def blank_segments(segments: tuple[object, ...]) -> int: ...
def holes_and_oddities(segments: tuple[object, ...]) -> tuple[bool, bool]: ...
def first_longer(segments: tuple[object, ...], limit: int) -> int: ...
def segment_lengths(segments: tuple[object, ...]) -> str: ...
def joined_utf8(segments: tuple[object, ...]) -> bytes: ...
def tokenize(texts: Texts, tokenizer: str) -> list[list[str]]: ...
def trueskill_runs(
    wins: NDArray[np.float64],
    ties: NDArray[np.float64],
    mean: float,
    sigma: float,
    beta: float,
    tau: float,
    margin: float,
    matches: int,
    seed: int,
    first: int,
    threads: int,
) -> NDArray[np.float64]: ...
def unicode_class(code_point: int, /) -> str: ...
def average_ranks(lists: NDArray[np.float64], threads: int) -> NDArray[np.float64]: ...
def best_cuts(
    ours: NDArray[np.int32],
    references: Sequence[tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]],
    extra: NDArray[np.int32],
    segments: int,
    narrowest: int,
) -> list[int]: ...
def bleu_rows(
    hypotheses: Texts, references: Sequence[Texts], tokenizer: str, max_order: int, threads: int
) -> NDArray[np.float64]: ...
def chrf_rows(
    hypotheses: Texts,
    references: Sequence[Texts],
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
    threads: int,
) -> NDArray[np.float64]: ...
def cder_rows(
    hypotheses: Texts, references: Sequence[Texts], tokenizer: str, threads: int
) -> NDArray[np.float64]: ...
def concordance(
    lists: NDArray[np.float64], target: NDArray[np.float64], threads: int
) -> NDArray[np.float64]: ...
def diversity_factors(before: NDArray[np.int64], threshold: float) -> float: ...
def exact_rows(
    hypotheses: Texts, references: Sequence[Texts], tokenizer: str, raw: bool, threads: int
) -> NDArray[np.float64]: ...
def meteor_best(rows: NDArray[np.float64], parameters: Sequence[float]) -> NDArray[np.float64]: ...
def meteor_links(
    words: MeteorWords,
    hypotheses: MeteorSegments,
    references: Sequence[MeteorSegments],
    matchers: int,
    parameters: Sequence[float],
    form_2005: bool,
    paraphrases: ParaphraseTable | None,
    threads: int,
) -> tuple[NDArray[np.float64], list[int]]: ...
def meteor_parts(
    sums: NDArray[np.float64], parameters: Sequence[float], form_2005: bool
) -> NDArray[np.float64]: ...
def meteor_texts(
    texts: Texts,
    rules: str,
    keep_punctuation: bool,
    prefixes: Sequence[str],
    numeric_prefixes: Sequence[str],
    lowercase: bool,
    threads: int,
) -> Texts: ...
def meteor_rows(
    words: MeteorWords,
    hypotheses: MeteorSegments,
    references: Sequence[MeteorSegments],
    matchers: int,
    parameters: Sequence[float],
    form_2005: bool,
    paraphrases: ParaphraseTable | None,
    threads: int,
) -> NDArray[np.float64]: ...
def ngram_counts(
    systems: Sequence[Texts], references: Sequence[Texts], tokenizer: str, longest: int
) -> tuple[
    list[str],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    list[NDArray[np.int64]],
    list[NDArray[np.int64]],
    list[NDArray[np.int64]],
]: ...
def nist_rows(
    hypotheses: Texts,
    references: Sequence[Texts],
    model: NistModel,
    tokenizer: str,
    max_order: int,
    threads: int,
) -> NDArray[np.float64]: ...
def numbered_words(
    texts: Sequence[Texts], tokenizer: str
) -> tuple[list[str], list[tuple[NDArray[np.int64], NDArray[np.int64]]]]: ...
def overlap_rows(
    hypotheses: Texts,
    references: Sequence[Texts],
    tokenizer: str,
    fewest_errors: bool,
    exponent: float,
    threads: int,
) -> NDArray[np.float64]: ...
def resampled_counts(
    cells: NDArray[np.uint32],
    begins: NDArray[np.uint64],
    columns: int,
    seed: int,
    first: int,
    count: int,
    threads: int,
) -> NDArray[np.float64]: ...
def resampled_sums(
    systems: Sequence[NDArray[np.float64]],
    draw: str,
    order: Sequence[int],
    begins: Sequence[int],
    runs: tuple[int, int],
    seed: int,
    first: int,
    count: int,
    threads: int,
) -> NDArray[np.float64]: ...
def ribes_rows(
    hypotheses: Texts,
    references: Sequence[Texts],
    tokenizer: str,
    alpha: float,
    beta: float,
    threads: int,
) -> NDArray[np.float64]: ...
def screened_blocks(
    sets: Sequence[tuple[Sequence[NDArray[np.floating]], int, int]],
    pairs: NDArray[np.float64],
    slopes: NDArray[np.float64],
    weights: Sequence[float],
    first: int,
    blocks: int,
    trials: int,
    one_sided: bool,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def sequence_kernel_matrix(
    a: KernelSequences, b: KernelSequences, kernel: SequenceKernel, threads: int
) -> NDArray[np.float64]: ...
def sequence_kernel_pairs(
    a: KernelSequences, b: KernelSequences, kernel: SequenceKernel, threads: int
) -> NDArray[np.float64]: ...
def best_path(
    gains: NDArray[np.float32], start: NDArray[np.float64], end: NDArray[np.float64], change: float
) -> NDArray[np.int64]: ...
def shared_words(ours: Texts, theirs: Texts, rare: int, most: int) -> NDArray[np.float64]: ...
def signed_sums(
    systems: Sequence[NDArray[np.float64]] | Sequence[NDArray[np.float32]],
    runs: int,
    seed: int,
    block: int,
    threads: int,
) -> NDArray[np.float64]: ...
def sk_rows(
    hypotheses: Texts,
    references: Sequence[Texts],
    tokenizer: str,
    longest: int,
    decay: float,
    threads: int,
) -> NDArray[np.float64]: ...
def stem(language: str, word: str) -> str: ...
def stemmer_languages() -> list[str]: ...
def swapped_agreement(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    coins: NDArray[np.uint8],
    gold: NDArray[np.float64],
    places: NDArray[np.int64],
    kind: str,
    threads: int,
) -> NDArray[np.float64]: ...
def swapped_soft_accuracy(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    coins: NDArray[np.uint8],
    gold: NDArray[np.float64],
    trials: int,
    seed: int,
    threads: int,
) -> NDArray[np.float64]: ...
def ter_rows(
    hypotheses: Texts,
    references: Sequence[Texts],
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    tercom: bool,
    threads: int,
) -> NDArray[np.float64]: ...
def ter_traces(
    hypotheses: Texts,
    references: Sequence[Texts],
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    tercom: bool,
    threads: int,
) -> list[tuple[list[str], list[str], list[tuple[int, int]], list[tuple[int, int, int]]]]: ...
def tercom_tokenize(
    texts: Texts, normalized: bool, no_punct: bool, asian_support: bool, tercom: bool
) -> list[list[str]]: ...
def terp_rows(
    texts: TerpTexts,
    words: TerpWords,
    phrases: TerpPhrases | None,
    costs: Sequence[float],
    beam: float,
    longest_shift: int,
    farthest_shift: int,
    shifts: str,
    phrase_costs: Sequence[float],
    threads: int,
) -> NDArray[np.float64]: ...
def terp_traces(
    texts: TerpTexts,
    words: TerpWords,
    phrases: TerpPhrases | None,
    costs: Sequence[float],
    beam: float,
    longest_shift: int,
    farthest_shift: int,
    shifts: str,
    phrase_costs: Sequence[float],
    threads: int,
) -> list[tuple[list[str], list[str], list[tuple[int, int, int, int, int]], list[tuple[int, int, int]]]]: ...
def tree_kernel_matrix(
    a: KernelTrees, b: KernelTrees, kernel: TreeKernel, threads: int
) -> NDArray[np.float64]: ...
def tree_kernel_pairs(
    a: KernelTrees, b: KernelTrees, kernel: TreeKernel, threads: int
) -> NDArray[np.float64]: ...
def wer_rows(
    hypotheses: Texts, references: Sequence[Texts], tokenizer: str, threads: int
) -> NDArray[np.float64]: ...
def wer_traces(
    hypotheses: Texts, references: Sequence[Texts], tokenizer: str, threads: int
) -> list[tuple[list[str], list[str], list[tuple[int, int]]]]: ...
def word_partners(
    ids: NDArray[np.int64],
    begins: NDArray[np.int64],
    other_ids: NDArray[np.int64],
    other_begins: NDArray[np.int64],
    words: int,
) -> NDArray[np.int64]: ...
def word_classes(
    hypotheses: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    references: Sequence[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]],
    words: int,
    bases: int,
    threads: int,
) -> tuple[
    NDArray[np.float64], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]
]: ...
@overload
def binomial_cdf(k: float, n: float, p: float, /) -> float: ...
@overload
def binomial_cdf(
    k: NDArray[np.float64], n: NDArray[np.float64], p: NDArray[np.float64], /
) -> NDArray[np.float64]: ...
@overload
def most_even_successes(chance: float, n: float, /) -> float: ...
@overload
def most_even_successes(chance: NDArray[np.float64], n: NDArray[np.float64], /) -> NDArray[np.float64]: ...
@overload
def normal_cdf(x: float, /) -> float: ...
@overload
def normal_cdf(x: NDArray[np.float64], /) -> NDArray[np.float64]: ...
@overload
def normal_quantile(p: float, /) -> float: ...
@overload
def normal_quantile(p: NDArray[np.float64], /) -> NDArray[np.float64]: ...
@overload
def owens_t(h: float, a: float, /) -> float: ...
@overload
def owens_t(h: NDArray[np.float64], a: NDArray[np.float64], /) -> NDArray[np.float64]: ...
@overload
def t_cdf(freedom: float, t: float, /) -> float: ...
@overload
def t_cdf(freedom: NDArray[np.float64], t: NDArray[np.float64], /) -> NDArray[np.float64]: ...
@overload
def t_quantile(freedom: float, p: float, /) -> float: ...
@overload
def t_quantile(freedom: NDArray[np.float64], p: NDArray[np.float64], /) -> NDArray[np.float64]: ...
