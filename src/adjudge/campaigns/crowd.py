"""Work for a crowd: hits as rows for a marketplace, completion codes, and submitted results.

A worker who is done is shown a code and types it into the marketplace. It is a keyed hash of who they are, what they
did and whether they passed quality control: nobody can guess one, use another's, or tell which of the two it is.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import hmac
import io
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from adjudge.campaigns.items import Hit
from adjudge.errors import DataError, UsageError
from adjudge.io.files import lines, read_bytes
from adjudge.wording import pluralise

PASSED, FAILED = "passed", "failed"
WRONG, NO_CODE, FOREIGN, OTHER_HIT = "wrong code", "no code", "another's code", "code of another hit"
UNKNOWN, ABSENT, AGAIN = "unknown hit", "no work", "handed in twice"
STATES = (PASSED, FAILED, WRONG, NO_CODE, FOREIGN, OTHER_HIT, UNKNOWN, ABSENT, AGAIN)
"""States of a result; only the first one can be paid without review."""
_COPY = re.compile(r"^(hit-\d{4,})-\d+$")
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "worker": ("workerid", "worker", "prolific_pid", "participantid", "participant"),
    "hit": ("input.hit", "answer.hit", "hit", "hitname"),
    "code": ("answer.code", "answer.surveycode", "code", "completioncode", "enteredcode"),
    "assignment": ("assignmentid", "assignment", "submissionid"),
}
"""Column names of marketplaces, without case, spaces and underscores."""
_OPTIONAL = ("assignment", "hit")
_REVIEW = ("Approve", "Reject")


def hit_name(name: str) -> str:
    """The original of a copied hit: hit-0007 for hit-0007-2."""
    copy = _COPY.match(name)
    return copy.group(1) if copy else name


def worker_name(secret: str, worker: str) -> str:
    """A worker's pseudonym in a campaign, which only the secret connects with the worker."""
    return f"worker-{_keyed_hash(secret, 'worker', worker).hex()[:16]}"


def assignment_mark(secret: str, assignment: str) -> str:
    """A hash of a marketplace's assignment, to recognise it later."""
    return _keyed_hash(secret, "assignment", assignment).hex()[:16] if assignment else ""


def completion_code(secret: str, annotator: str, hit: str, *, passed: bool) -> str:
    """The completion code of a finished hit: sixteen letters and digits in four groups."""
    digest = _keyed_hash(secret, "completed", annotator, hit_name(hit), PASSED if passed else FAILED)
    letters = base64.b32encode(digest[:10]).decode("ascii")
    return "-".join(letters[place : place + 4] for place in range(0, 16, 4))


def code_verdict(secret: str, annotator: str, hit: str, code: str) -> bool | None:
    """Whether a code says that quality control was passed; None if it is not the worker's code for this hit."""
    given = _letters(code)
    verdict = None
    for passed in (True, False):  # both are always looked at, so that time tells nothing
        expected = completion_code(secret, annotator, hit, passed=passed).replace("-", "")
        if hmac.compare_digest(expected.encode(), given.encode()):
            verdict = passed
    return verdict


def _letters(code: str) -> str:
    """A typed code without separators and surrounding characters."""
    return re.sub(r"[^A-Z2-7]", "", code.upper())


def _keyed_hash(secret: str, *parts: str) -> bytes:
    if not secret:
        raise UsageError("there is no secret to make codes from")
    return hmac.digest(secret.encode(), json.dumps(parts).encode("ascii"), hashlib.sha256)


@dataclass(frozen=True)
class ExternalHit:
    """A hit for a marketplace: the address of its page, and the number of workers."""

    hit: str
    url: str
    items: int
    assignments: int


def external_hits(
    hits: Iterable[Hit], base_url: str, campaign: str, *, worker: str = "", session: str = ""
) -> list[ExternalHit]:
    """One row for every hit that is anybody's; its copies are more assignments of the same.

    Mechanical Turk adds `workerId` and `assignmentId` to the address of an external question by itself; for others
    `worker` is what they put the id in place of, as in `{{%PROLIFIC_PID%}}`, and `session` something that only the
    worker knows.
    """
    copies: dict[str, list[Hit]] = {}
    for hit in hits:
        copies.setdefault(hit_name(hit.name), []).append(hit)
    if not copies:
        raise DataError("there is no hit for a crowd (annotators.crowd = true makes some)")
    start = f"{base_url.rstrip('/')}/join/{quote(campaign, safe='')}"
    end = (f"&workerId={worker}" if worker else "") + (f"&assignmentId={session}" if session else "")
    return [
        ExternalHit(name, f"{start}?hit={quote(name, safe='')}{end}", len(those[0].items), len(those))
        for name, those in copies.items()
    ]


def external_hits_csv(rows: Iterable[ExternalHit]) -> str:
    """The rows for upload: `hit`, `url`, `items`, `assignments`."""
    return _csv(
        ["hit", "url", "items", "assignments"], [(r.hit, r.url, r.items, r.assignments) for r in rows]
    )


@dataclass(frozen=True)
class WorkerResult:
    """A result submitted by a worker."""

    worker: str
    code: str
    hit: str = ""
    """'' where the file does not say."""
    assignment: str = ""
    """The marketplace's id of the assignment."""
    line: int = 0
    cells: Mapping[str, str] = field(default_factory=dict)
    """The whole row of the file, by its columns."""


def read_results(path: str) -> list[WorkerResult]:
    """A marketplace's file of results (CSV, or TSV by its name); DataError names the file and the line.

    Without a column of hits, a code says by itself which one it is for.
    """
    data, _ = read_bytes(path)
    text = "\n".join(lines(path, data)) + "\n"
    reader = csv.reader(io.StringIO(text), delimiter="\t" if path.endswith(".tsv") else ",", strict=True)
    try:
        header = next(reader, [])
        places = _places(path, header)
        if len(set(header)) < len(header):
            double = next(name for name in header if header.count(name) > 1)
            raise DataError(f"{path}, line 1: two columns are called {double!r}")
        results = []
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header):
                raise DataError(
                    f"{path}, line {reader.line_num}: {pluralise(len(row), 'column')}, but the header has {len(header)}"
                )
            cells = {name: row[place].strip() for name, place in places.items()}
            for name in ("worker", "hit"):
                if name in places and not cells[name]:
                    raise DataError(f"{path}, line {reader.line_num}: no {name} is named")
            whole = dict(zip(header, row, strict=True))
            results.append(WorkerResult(**cells, line=reader.line_num, cells=whole))
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: {error}") from None
    if not results:
        raise DataError(f"{path}: a header, but no result below it")
    return results


def _places(path: str, header: Sequence[str]) -> dict[str, int]:
    plain = [re.sub(r"[\s_]", "", cell).lower() for cell in header]
    places: dict[str, int] = {}
    for name, known in _COLUMNS.items():
        known_places = [
            plain.index(title.replace("_", "")) for title in known if title.replace("_", "") in plain
        ]
        answers = [place for place, cell in enumerate(plain) if cell.startswith("answer.")]
        if known_places:
            places[name] = known_places[0]
        elif name == "code" and len(answers) == 1:  # whatever the form called its only field
            places[name] = answers[0]
        elif name not in _OPTIONAL:
            raise DataError(
                f"{path}: no column of the {name} ({', '.join(known)}); there are: {', '.join(header) or 'none'}"
            )
    return places


@dataclass(frozen=True)
class WorkerVerdict:
    """The verdict on a worker's result."""

    result: WorkerResult
    annotator: str
    hit: str
    """The hit it is about, without the number of a copy; '' where nothing tells, and for all of somebody's work."""
    state: str
    """One of `STATES`."""


@dataclass(frozen=True)
class Roster:
    """The work recorded in a campaign, against which results are checked."""

    secret: str
    hits: Collection[str]
    workers: Collection[str]
    """Annotators from a marketplace, by pseudonym."""
    persons: Collection[str] = ()
    """Named annotators; each has one code for all work."""
    issued: Sequence[tuple[str, str]] = ()
    """Annotators who were shown a code, and for which hit."""
    before: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What was handed in earlier: the mark of the assignment (`assignment_mark`), by annotator and hit."""


def verdicts(results: Iterable[WorkerResult], roster: Roster) -> list[WorkerVerdict]:
    """The verdict on every result, by the codes of a campaign."""
    hits = sorted({hit_name(name) for name in roster.hits})
    handed: set[tuple[str, str]] = set()
    known_codes = {
        completion_code(roster.secret, annotator, hit, passed=passed).replace("-", ""): (annotator, hit)
        for annotator, hit in roster.issued
        for passed in (True, False)
    }
    judged = []
    for result in results:
        person = result.worker in roster.persons
        annotator = result.worker if person else worker_name(roster.secret, result.worker)
        candidates = [""] if person else [hit_name(result.hit)] if result.hit else hits
        hit, right = "" if len(candidates) > 1 else candidates[0], None
        for candidate in candidates:
            passed_control = code_verdict(roster.secret, annotator, candidate, result.code)
            if passed_control is not None:
                hit, right = candidate, passed_control
        if not person and result.hit and hit not in hits:
            state = UNKNOWN
        elif right is None:
            state = _wrong(result, annotator, roster, known_codes)
        elif (annotator, hit) in handed or _is_another(result, roster, (annotator, hit)):
            state = AGAIN
        else:
            state = PASSED if right else FAILED
            handed.add((annotator, hit))
        judged.append(WorkerVerdict(result, annotator, hit, state))
    return judged


def _is_another(result: WorkerResult, roster: Roster, key: tuple[str, str]) -> bool:
    """Whether the same work was submitted earlier under another assignment."""
    return key in roster.before and roster.before[key] != assignment_mark(roster.secret, result.assignment)


def _wrong(
    result: WorkerResult, annotator: str, roster: Roster, known_codes: Mapping[str, tuple[str, str]]
) -> str:
    """Why a code is wrong."""
    owner = known_codes.get(_letters(result.code))
    if owner is not None:
        return OTHER_HIT if owner[0] == annotator else FOREIGN
    if annotator not in roster.workers and annotator not in roster.persons:
        return ABSENT
    return WRONG if _letters(result.code) else NO_CODE


def review_csv(verdicts: Sequence[WorkerVerdict]) -> str:
    """The verdicts as a marketplace takes them back: its own rows, with an x under Approve or a reason under Reject."""
    reasons = {
        FAILED: "The control items were not answered with care.",
        WRONG: "The completion code is not the one that was shown.",
        NO_CODE: "No completion code was handed in.",
        FOREIGN: "The completion code is not yours.",
        OTHER_HIT: "The completion code belongs to another task.",
        ABSENT: "There is no work under this worker's id.",
        UNKNOWN: "This task is not one of ours.",
        AGAIN: "This task was handed in before.",
    }
    columns = [name for name in (verdicts[0].result.cells if verdicts else {}) if name not in _REVIEW]
    rows = [
        (
            *(_plain(verdict.result.cells[name]) for name in columns),
            "x" if verdict.state == PASSED else "",
            reasons.get(verdict.state, ""),
        )
        for verdict in verdicts
    ]
    return _csv([*map(_plain, columns), *_REVIEW], rows)


def _plain(cell: str) -> str:
    """A cell that spreadsheets do not take for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
