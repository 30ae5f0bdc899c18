"""TERp's parameter sets, as its authors tuned them (files terpa.param, terph.param, ter.param of TERp 0.1)."""

from __future__ import annotations

from dataclasses import dataclass

COSTS = ("match", "insertion", "deletion", "substitution", "stem", "synonym", "shift")
PHRASE_COSTS = ("phrase", "phrase_log", "phrase_probability", "phrase_edits")


@dataclass(frozen=True)
class TerpParameters:
    """Costs of the edits, how far the search goes, and which words may stand for each other."""

    match: float = 0.0
    insertion: float = 1.0
    deletion: float = 1.0
    substitution: float = 1.0
    stem: float = 1.0
    synonym: float = 1.0
    shift: float = 1.0
    phrase: float = 0.0
    phrase_log: float = 0.0
    phrase_probability: float = 0.0
    phrase_edits: float = 0.0
    beam: int = 20
    longest_shift: int = 10
    farthest_shift: int = 50
    shifts: str = "exact"
    stems: bool = False
    synonyms: bool = False
    stop_words: bool = False
    cap: bool = False

    def numbers(self, names: tuple[str, ...]) -> list[float]:
        """The values of some fields."""
        return [float(getattr(self, name)) for name in names]


PARAMETERS = {
    # Tuned for adequacy on MetricsMATR 2008's development data.
    "terp-a": TerpParameters(
        insertion=0.2588527567630183,
        deletion=1.4269364675533365,
        substitution=1.5565478292505814,
        stem=0.0,
        synonym=0.0,
        shift=0.5620538767397316,
        phrase=-0.2306579294476191,
        phrase_log=-0.1469465037633749,
        phrase_probability=-0.07843705907022736,
        phrase_edits=0.17708577297831574,
        beam=35,
        shifts="relax",
        stems=True,
        synonyms=True,
        stop_words=True,
        cap=True,
    ),
    # Tuned for human-targeted edit rates.
    "terp-h": TerpParameters(
        insertion=0.5160029868027748,
        deletion=0.8897481530721948,
        substitution=1.6362908525843867,
        stem=0.9574806141940626,
        synonym=0.16474604979800672,
        shift=0.686718582391978,
        phrase=1.0366410752548514,
        phrase_log=0.6518645817002747,
        phrase_probability=-0.008317921340980746,
        phrase_edits=1.1121928362344298,
        beam=35,
        shifts="relax",
        stems=True,
        synonyms=True,
        stop_words=True,
        cap=True,
    ),
    "ter": TerpParameters(),
}
