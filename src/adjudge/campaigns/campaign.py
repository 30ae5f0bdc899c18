"""A campaign: one readable file (TOML or JSON) that says what is judged, how, by whom and how often.

Paths in it are relative to the file. Whatever is wrong is said by the name of its field.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

from adjudge.campaigns import names, protocols, typology
from adjudge.campaigns.fields import Spans
from adjudge.campaigns.items import REFERENCE_SYSTEM, CampaignMaterial
from adjudge.campaigns.protocols import Protocol
from adjudge.campaigns.selection import METHODS, select_outputs, select_segments
from adjudge.data import languages
from adjudge.errors import AdjudgeError, DataError, UsageError, unknown_name
from adjudge.io import fields as values
from adjudge.io import toml_places
from adjudge.io.compression import COMPRESSION
from adjudge.io.files import read_bytes, whole_text
from adjudge.io.load import load as load_texts
from adjudge.io.names import parse as parse_files
from adjudge.wording import pluralise

LANGUAGES = ("en", "de")
"""Languages of the interface that are shipped."""


@dataclass(frozen=True)
class TestFiles:
    """Where the texts are."""

    __test__ = False

    source: str = ""
    references: tuple[str, ...] = ()
    labels: str = ""
    """A TSV with one line per segment: document, domain, origin, segment, …"""
    lines: tuple[int, ...] = ()
    """The first and the last line to judge, from 1; empty for all lines."""


@dataclass(frozen=True)
class Annotators:
    """The annotators."""

    names: tuple[str, ...] = ()
    count: int = 0
    """The number of annotators, where they have no names (annotator-1, …)."""
    crowd: bool = False
    """HITs for anyone who comes through the campaign's link, one person each."""
    judges: tuple[str, ...] = ()
    """The judges of edited texts in a second stage; without names, editors judge each other's texts."""

    def all_names(self) -> tuple[str, ...]:
        """The annotators' names, in order."""
        return self.names or tuple(f"annotator-{i}" for i in range(1, self.count + 1))


@dataclass(frozen=True)
class Assignment:
    """How items are assigned to annotators."""

    judgements: int = 1
    """How many people judge an item that is not in the common pool."""
    common: float = 0.4
    """The share of items that everybody judges, to measure agreement."""
    repeats: float = 0.1
    """The share of a person's items that come again, for agreement with oneself."""
    bad_references: float = 0.1
    """The share of a person's items that are damaged references."""
    references: float = 0.1
    """The share of a person's items that are the reference itself."""
    hit_size: int = 100
    distance: int = 20
    """Nobody sees one segment from two systems within this many items."""
    translations: int = 0
    """How many translations of each system are judged; 0 for all."""
    seed: int = 12345


@dataclass(frozen=True)
class Selection:
    """Which segments are judged where not all are; without a method, all of them."""

    method: str = ""
    """One of `selection.METHODS`."""
    items: int = 0
    """How many segments."""
    metrics: tuple[str, ...] = ()
    """The metrics that choose, where the method needs them."""
    seed: int = 12345
    lines: tuple[int, ...] = ()
    """The chosen lines, from 1; written when the campaign is created."""


@dataclass(frozen=True)
class Rules:
    """What annotators may do, and what counts."""

    corrections: bool = True
    """Whether past answers can be looked through and corrected."""
    idle_seconds: int = 60
    """Longest time without input that counts as work, in seconds."""
    tutorial: str = ""
    """A JSONL file of items with the expected answer and feedback."""
    questions: str = ""
    """A JSONL file of questions on documents, for `comprehension`."""
    completion_codes: bool = False
    """Whether annotators get a code when all is done; a crowd always gets one for each hit."""
    demo: bool = True
    """Whether anyone on this machine may try it; a demo's answers are never exported."""


@dataclass(frozen=True)
class Campaign:
    """Everything that a campaign file says."""

    name: str
    protocol: Protocol
    systems: Mapping[str, str]
    test_set: TestFiles
    annotators: Annotators
    assignment: Assignment = field(default_factory=Assignment)
    selection: Selection = field(default_factory=Selection)
    rules: Rules = field(default_factory=Rules)
    title: str = ""
    language: str = ""
    interface: str = "en"
    instructions: str = ""
    reference_name: str = REFERENCE_SYSTEM
    edits_of: str = ""
    """The campaign whose edited texts are judged in this one, which is its second stage."""
    stored: Mapping[str, Any] = field(default_factory=dict)
    """The file's content, as `parse` takes it."""

    @property
    def source_language(self) -> str:
        """The source language; '' if unknown."""
        return self._languages[0]

    @property
    def target_language(self) -> str:
        """The target language."""
        return self._languages[1]

    @property
    def _languages(self) -> tuple[str, str]:
        source, target = languages.pair(self.language)
        return (source, target) if source else (target, "")


def load(path: str, selection: Mapping[str, Any] | None = None) -> Campaign:
    """The campaign of a file; DataError names the file and the field. A `selection` takes the place of the file's."""
    data, _ = read_bytes(path)
    text = whole_text(path, data) if data.strip() else ""
    stem, ending = os.path.splitext(path)
    try:
        is_json = (stem if ending in COMPRESSION else path).endswith(".json")
        content = values.parse_json(text) if is_json else toml_places.loads(text)
    except (ValueError, RecursionError, DataError) as error:
        raise DataError(f"{path}: {error}") from None
    try:
        if selection is not None and isinstance(content, dict):
            content = {**content, "selection": dict(selection)}
        campaign = parse(_with_typology(content, Path(path).parent))
        names.check(campaign)
        for field in campaign.protocol.fields:
            if isinstance(field, Spans):
                typology.check_weights(field.severities, field.weights)
        return campaign
    except AdjudgeError as error:
        raise DataError(f"{path}: {error}") from None


def _with_typology(content: Any, folder: Path) -> Any:
    """A campaign's content with its typology included, since a stored campaign has no files."""
    protocol: Any = content.get("protocol") if isinstance(content, dict) else None
    named = protocol.get("typology") if isinstance(protocol, dict) else None
    if not isinstance(named, str):
        return content
    return {**content, "protocol": {**protocol, "typology": typology.table(named, folder)}}


def parse(content: Any) -> Campaign:
    """A campaign from the content of its file."""
    if not isinstance(content, dict):
        raise DataError("a table of fields was expected")
    known: dict[str, type] = {
        "name": str,
        "title": str,
        "language": str,
        "interface": str,
        "instructions": str,
        "reference_name": str,
        "edits_of": str,
        "protocol": object,
        "systems": dict,
        "test_set": dict,
        "annotators": object,
        "assignment": dict,
        "selection": dict,
        "rules": dict,
    }
    values.check_keys(content, known)
    for name, value in content.items():
        _check_type(name, value, known[name])
    for name in ("name", "protocol", "systems", "test_set", "annotators"):
        if not content.get(name):
            raise DataError(f"{name}: missing")
    plain = {name: content[name] for name, kind in known.items() if kind is str and name in content}
    campaign = Campaign(
        protocol=_protocol(content["protocol"]),
        systems=_systems(content["systems"]),
        test_set=_test_files(content["test_set"]),
        annotators=_annotators(content["annotators"]),
        assignment=_section("assignment", content.get("assignment", {}), Assignment),
        selection=_selection(content.get("selection", {})),
        rules=_section("rules", content.get("rules", {}), Rules),
        stored=content,
        **plain,
    )
    _check(campaign)
    return campaign


def _protocol(value: Any) -> Protocol:
    options = {"name": value} if isinstance(value, str) else dict(value) if isinstance(value, dict) else None
    if options is None or not isinstance(options.get("name"), str):
        raise DataError("protocol: a name was expected, or a table with a name")
    try:
        return protocols.make(**options)
    except AdjudgeError as error:
        raise DataError(f"protocol: {error}") from None


def _systems(value: Mapping[str, Any]) -> dict[str, str]:
    for name, path in value.items():
        if not isinstance(path, str) or not path:
            raise values.wrong(f"systems.{name}", "the path of a file", path)
    return dict(value)


def _test_files(value: Mapping[str, Any]) -> TestFiles:
    value = dict(value)
    if "reference" in value:
        if "references" in value:
            raise DataError("test_set: reference and references; one of them is enough")
        value["references"] = [value.pop("reference")]
    files: TestFiles = _section("test_set", value, TestFiles)
    if not all(isinstance(path, str) for path in files.references):
        raise DataError("test_set.references: a list of files was expected")
    if files.lines and not (
        len(files.lines) == 2
        and all(map(values.is_whole, files.lines))
        and 1 <= files.lines[0] <= files.lines[1] <= values.LARGEST
    ):
        raise DataError("test_set.lines: the first and the last line were expected, as in [1, 200]")
    return files


def _selection(value: Mapping[str, Any]) -> Selection:
    asked: Selection = _section("selection", value, Selection)
    if not value:
        return asked
    if asked.method not in METHODS:
        raise DataError(f"selection.method: {unknown_name('method', asked.method, METHODS)}")
    if asked.items < 1:
        raise DataError("selection.items: how many segments are to be judged? at least 1 was expected")
    if asked.seed < 0:
        raise DataError(f"selection.seed: at least 0 was expected, not {asked.seed}")
    values.texts(asked.metrics, "selection.metrics", "a list of metrics")
    lines = asked.lines
    if not all(map(values.is_whole, lines)) or any(a >= b for a, b in pairwise(lines)):
        raise DataError("selection.lines: numbers of lines were expected, each larger than the one before")
    if lines and (len(lines) != asked.items or lines[0] < 1):
        raise DataError(
            f"selection.lines: {pluralise(asked.items, 'line')} from 1 on were expected, not {len(lines)}"
        )
    return asked


def _annotators(value: Any) -> Annotators:
    if values.is_whole(value):
        value = {"count": value}
    elif isinstance(value, list):
        value = {"names": value}
    elif not isinstance(value, dict):
        raise DataError("annotators: a number, a list of names or a table was expected")
    annotators: Annotators = _section("annotators", value, Annotators)
    for what, given in (("names", annotators.names), ("judges", annotators.judges)):
        values.texts(given, f"annotators.{what}", "a list of names")
        if len(set(given)) < len(given):
            raise DataError(f"annotators.{what}: two annotators have the same name")
    if annotators.count < 0 or annotators.count > 10_000:
        raise DataError(f"annotators.count: from 1 to 10000 was expected, not {annotators.count}")
    if annotators.names and annotators.count and annotators.count != len(annotators.names):
        raise DataError(
            f"annotators: {pluralise(len(annotators.names), 'name')}, but count = {annotators.count}"
        )
    if not annotators.crowd and not annotators.all_names():
        raise DataError('annotators: nobody is named; write names = ["anna"], count = 3 or crowd = true')
    return annotators


def _section(name: str, value: Mapping[str, Any], kind: type[Any]) -> Any:
    known = {field.name: field for field in fields(kind)}
    given: dict[str, Any] = {}
    values.check_keys(value, known, f"{name}.")
    for key, item in value.items():
        default = known[key].default
        expected: Any = tuple if default is MISSING else type(default)
        _check_type(f"{name}.{key}", item, expected)
        given[key] = tuple(item) if expected is tuple else float(item) if expected is float else item
    return kind(**given)


def _check_type(name: str, value: Any, kind: type) -> None:
    values.check_type(value, kind, name, values.TABLE if kind is dict else "")


def _check(campaign: Campaign) -> None:
    """Check conditions across fields."""
    plan, fewest = campaign.assignment, campaign.protocol.candidates[0]
    if len(campaign.systems) < fewest:
        raise DataError(
            f"systems: {campaign.protocol.name} needs at least {fewest}, not {len(campaign.systems)}"
        )
    if campaign.reference_name in campaign.systems:
        raise DataError(
            f"systems.{campaign.reference_name}: that is what references are called; see reference_name"
        )
    for name in ("common", "repeats", "bad_references", "references"):
        if not 0 <= getattr(plan, name) <= 1:
            raise DataError(f"assignment.{name}: a share from 0 to 1 was expected, not {getattr(plan, name)}")
    if plan.repeats + plan.bad_references + plan.references >= 1:
        raise DataError("assignment: repeats, bad_references and references leave no room for anything else")
    for name, low in (("judgements", 1), ("hit_size", 1), ("distance", 0), ("translations", 0), ("seed", 0)):
        if getattr(plan, name) < low:
            raise DataError(f"assignment.{name}: at least {low} was expected, not {getattr(plan, name)}")
    people = campaign.annotators.all_names()
    if not campaign.annotators.crowd and plan.judgements > len(people):
        raise DataError(
            f"assignment.judgements: {plan.judgements} people an item, but there are {len(people)} annotators"
        )
    if campaign.interface not in LANGUAGES:
        raise DataError(str(unknown_name("interface language", campaign.interface, LANGUAGES)))
    try:
        languages.pair(campaign.language)
    except UsageError as error:
        raise DataError(f"language: {error}") from None
    if campaign.rules.idle_seconds < 5:
        raise DataError(f"rules.idle_seconds: at least 5 was expected, not {campaign.rules.idle_seconds}")
    if campaign.protocol.shows_source and not campaign.test_set.source:
        raise DataError(f"test_set.source: missing; {campaign.protocol.name} shows the source here")
    if campaign.protocol.shows_reference and not campaign.test_set.references:
        raise DataError(f"test_set.reference: missing; {campaign.protocol.name} shows the reference here")
    _check_stages(campaign)
    if campaign.protocol.name == "comprehension" and not campaign.rules.questions:
        raise DataError("rules.questions: missing; comprehension needs a file of questions")


def _check_stages(campaign: Campaign) -> None:
    """Check that a second stage has judges, and a source or reference."""
    if not campaign.protocol.next_stage:
        if campaign.annotators.judges:
            raise DataError(
                "annotators.judges: nothing is to be judged in a second stage (acceptability = true in a protocol of "
                "post-editing asks for one)"
            )
        return
    if not campaign.test_set.source and not campaign.test_set.references:
        raise DataError("test_set: edited texts are judged by a reference or the source; name one of them")
    people = campaign.annotators.judges or campaign.annotators.all_names()
    if campaign.annotators.crowd and not campaign.annotators.judges:
        raise DataError(
            "annotators.judges: missing; a crowd cannot be kept from judging what it edited, so name the judges"
        )
    if len(people) < 2 and people == campaign.annotators.all_names():
        raise DataError(
            "annotators: nobody judges what they edited themselves; a second stage needs two people, or judges"
        )


def read_material(campaign: Campaign, folder: str | Path = ".") -> CampaignMaterial:
    """The texts that a campaign names, read relative to `folder`."""

    def at(path: str) -> str:
        return str(Path(folder) / path) if path else path

    files = campaign.test_set
    loaded = load_texts(
        systems=[f"{name}={at(path)}" for name, path in campaign.systems.items()],
        references=[at(path) for path in files.references],
        source=at(files.source) or None,
        labels=at(files.labels) or None,
    )
    material = CampaignMaterial(loaded.test_set, loaded.outputs)
    if not files.lines:
        return material
    first, last = files.lines
    if last > len(material.test_set):
        raise DataError(f"test_set.lines: up to line {last}, but there are {len(material.test_set)}")
    return select_segments(material, range(first, last + 1))


def chosen_material(campaign: Campaign, folder: str | Path = ".") -> CampaignMaterial:
    """The texts of a campaign that its selection chose."""
    material, lines = read_material(campaign, folder), campaign.selection.lines
    if not lines:
        return material
    first = campaign.test_set.lines[0] if campaign.test_set.lines else 1
    if lines[-1] - first >= len(material.test_set):
        raise DataError(f"selection.lines: up to line {lines[-1]}, but there are {len(material.test_set)}")
    return select_segments(material, [line - first + 1 for line in lines])


def with_more_systems(
    campaign: Campaign, known: CampaignMaterial, systems: Sequence[str]
) -> CampaignMaterial:
    """A campaign's texts with further systems, each given as NAME=FILE, on the lines that the campaign is about."""
    if not systems:
        return known
    arguments = [argument for text in systems for argument in parse_files(text, named=True)]
    for argument in arguments:
        if not argument.name:
            raise UsageError(f"{argument.path}: write NAME=FILE")
    names.check_systems([argument.name for argument in arguments], "--system-output")
    # Outputs alone are no test set: the first of them stands in for the source, and is not looked at.
    first_file = arguments[0].path + (f":{arguments[0].column}" if arguments[0].column else "")
    loaded = load_texts(systems=list(systems), source=first_file)
    length, lines = len(loaded.test_set), campaign.selection.lines
    if lines and lines[-1] > length:
        raise DataError(f"{first_file}: the campaign is about line {lines[-1]}, but there are {length}")
    first, last = campaign.test_set.lines or (1, length)
    chosen = lines or range(first, min(last, length) + 1)
    new = [select_outputs(output, chosen) for output in loaded.outputs]
    return CampaignMaterial(known.test_set, (*known.outputs, *new))
