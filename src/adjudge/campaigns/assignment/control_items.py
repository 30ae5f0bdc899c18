"""The control items of a campaign: which kinds it uses, how many of each come where, and making them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from adjudge.campaigns import controls
from adjudge.campaigns.assignment.pool import is_comparison
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial, Item
from adjudge.errors import DataError

BAD, REPEAT, REFERENCE = "bad reference", "repeat", "reference"
REST = 10
"""A remainder of at most this share of a hit joins the last hit."""
_FIELDS = {BAD: "bad_references", REPEAT: "repeats", REFERENCE: "references"}


@dataclass(frozen=True)
class Shares:
    """The shares of control items among a person's items, by kind."""

    kinds: tuple[tuple[str, float], ...]

    @property
    def ordinary(self) -> float:
        """The share of ordinary items."""
        return 1 - sum(share for _, share in self.kinds)

    def among_first(self, places: int) -> list[int]:
        """How many control items of each kind are among the first `places` items."""
        return self._counts([places * share for _, share in self.kinds])

    def for_ordinary(self, ordinary: int) -> list[int]:
        """How many control items of each kind go with a number of ordinary items."""
        return self._counts([ordinary * share / self.ordinary for _, share in self.kinds])

    @staticmethod
    def _counts(exact: list[float]) -> list[int]:
        """Whole numbers; the kinds round up at different places, so that they take turns."""
        turns = len(exact)
        return [int(count + (2 * (turns - turn) - 1) / (2 * turns)) for turn, count in enumerate(exact)]

    def hit_sizes(self, ordinary: int, size: int) -> Iterator[tuple[int, list[int]]]:
        """For hits of that size until all ordinary items are used: how many of them, and of each control."""
        place = 0
        while ordinary > 0:
            end = place + size
            if self._between(place, end) >= ordinary - size // REST:
                end = place + 1
                while self._between(place, end) < ordinary:
                    end += 1
            made = [b - a for a, b in zip(self.among_first(place), self.among_first(end), strict=True)]
            number = self._between(place, end)
            if number < 2:  # a control item beside nothing else would give itself away
                made, number = [0] * len(made), min(size, ordinary)
            yield number, made
            ordinary, place = ordinary - number, end

    def _between(self, start: int, end: int) -> int:
        """How many ordinary items lie between two places."""
        return end - sum(self.among_first(end)) - start + sum(self.among_first(start))


class ControlMaker:
    """Makes control items, each once, and remembers what could not be made."""

    def __init__(self, campaign: Campaign, material: CampaignMaterial) -> None:
        self._campaign, self._material = campaign, material
        self._made: dict[str, dict[str, Item | None]] = {kind: {} for kind in _FIELDS}
        self.failures: Counter[str] = Counter()
        self.notes: list[str] = []
        self.shares = self._shares()

    def _shares(self) -> Shares:
        protocol, assignment = self._campaign.protocol, self._campaign.assignment
        asked = self._campaign.stored.get("assignment", {})
        useless = {
            BAD: not protocol.controls,
            REPEAT: protocol.name in ("comprehension", "post-editing"),
            # WMT09 had references edited among the outputs, to see how many of them are acceptable.
            REFERENCE: is_comparison(protocol)
            or protocol.name in ("comprehension", "acceptability")
            or (protocol.name == "post-editing" and (not protocol.next_stage or protocol.shows_reference)),
        }
        kinds = []
        for kind, field in _FIELDS.items():
            share = getattr(assignment, field)
            if not share:
                continue
            if useless[kind]:
                later = kind == REPEAT and protocol.next_stage  # judges have repeats, editors none
                if asked.get(field) and not later:
                    self.notes.append(
                        f"assignment.{field}: {protocol.name} has no use for it; there are none"
                    )
                continue
            if kind == REFERENCE and not self._material.test_set.references:
                if asked.get(field):
                    raise DataError(
                        f"assignment.{field}: there is no reference to show; name one (test_set.reference) or write "
                        f"{field} = 0"
                    )
                self.notes.append("There are no references, so none are shown as one more system.")
                continue
            if kind == BAD and not self._material.test_set.references:
                self.notes.append(
                    "There are no references: outputs are damaged with phrases of other segments' outputs."
                )
            kinds.append((kind, share))
        return Shares(tuple(kinds))

    @cached_property
    def _phrases(self) -> controls.Phrases:
        return controls.donor_phrases(self._material, self._campaign.target_language)

    def make(self, kind: str, item: Item) -> Item | None:
        """The control item that is made from an ordinary one; None where it cannot be."""
        made = self._made[kind]
        if item.key not in made:
            made[item.key] = self._make(kind, item)
        return made[item.key]

    def _make(self, kind: str, item: Item) -> Item | None:
        seed = self._campaign.assignment.seed
        if kind == REPEAT:
            return controls.repeated_item(item, seed)
        if kind == REFERENCE:
            return self.reference(item.segments, item.document)
        try:
            return controls.damaged_item(item, self._phrases, seed)
        except controls.UndamagedError as error:
            self.failures[str(error)] += 1
            return None

    def reference(self, segments: Sequence[int], document: str) -> Item | None:
        """The reference of some segments."""
        name, seed = self._campaign.reference_name, self._campaign.assignment.seed
        return controls.reference_item(self._material, segments, document, name, seed)
