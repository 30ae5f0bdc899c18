"""Reports of the results in a folder, made on request; nothing is written."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

import adjudge
from adjudge import io, workspace
from adjudge.comparison import Plan, compare_measured
from adjudge.comparison.plan import study_plan
from adjudge.comparison.study_display import StudyDisplay
from adjudge.dossiers.beside_sets import beside_set
from adjudge.dossiers.evaluation_dossier import EvaluationContext, dossier_of
from adjudge.dossiers.study_dossier import study_dossier
from adjudge.errors import AdjudgeError, DataError
from adjudge.history import place
from adjudge.history.record_list import when
from adjudge.history.records import History
from adjudge.history.reload import file_states, located_arguments, study_place
from adjudge.history.stored import StoredResult, measured_from, read
from adjudge.history.stored_comparison import stored_comparison
from adjudge.io.studies import load_study
from adjudge.report.pages.history_page import page as history_lines_page
from adjudge.report.pages.report.page import DossierPage, StudyPage
from adjudge.report.pages.result_index import HistoryEntry, ResultEntry, index_page
from adjudge.report.render.formats import page_of
from adjudge.report.render.markup import Html
from adjudge.server import problems
from adjudge.server.guard import Guard
from adjudge.server.run import serve
from adjudge.server.settings import ServerSettings

ENDING = ".json"
_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
_FRAMES = "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@dataclass
class ResultFolder:
    """The results of a folder, and the pages that were made of them since they last changed."""

    folder: Path
    charts: bool = True
    _pages: dict[str, tuple[tuple[int, int], Html]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def entries(self) -> list[ResultEntry]:
        """The results in the folder, the newest first."""
        return [self._entry(path) for path in self._files()]

    def _files(self) -> list[Path]:
        files = [path for path in self.folder.iterdir() if path.name.endswith(ENDING) and path.is_file()]
        return sorted(files, key=lambda path: (-path.stat().st_mtime, path.name))

    def _entry(self, path: Path) -> ResultEntry:
        made = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
        address = f"/report/{quote(path.name, safe='')}"
        try:
            stored = read(str(path))
        except AdjudgeError as error:
            return ResultEntry(path.name, address, made, problem=str(error))
        metrics = stored.metrics
        if stored.study:  # people and scores from elsewhere are measures, too
            metrics = tuple(table["metric"] for table in stored.document["tables"])
        segments = sum(facts.segments for facts in stored.facts.values())
        sets = len(stored.facts) if stored.study else 0
        return ResultEntry(path.name, address, made, stored.systems, metrics, segments, sets)

    def history(self) -> HistoryEntry | None:
        """The history in the folder, at its top or where `--record` keeps it."""
        file = self._history_file()
        if file is None:
            return None
        name = str(file.relative_to(self.folder))
        try:
            with History.open(str(file)) as history:
                records = history.records()
        except AdjudgeError as error:
            return HistoryEntry(name, "/history", problem=str(error))
        if not records:
            return None
        return HistoryEntry(name, "/history", len(records), when(records[-1].made))

    def history_page(self) -> Html:
        """The page of the history's lines; made again after each new record."""
        file = self._history_file()
        if file is None:
            raise HTTPException(404, "there is no history")
        state = file.stat()
        key = (state.st_mtime_ns, state.st_size)
        with self._lock:
            known = self._pages.get("/history")
            if known is None or known[0] != key:
                with History.open(str(file)) as history:
                    shown = history_lines_page(history.lines(), adjudge.__version__, charts=self.charts)
                known = self._pages["/history"] = (key, shown)
        return known[1]

    def _history_file(self) -> Path | None:
        places = (self.folder / place.FILE, self.folder / place.FOLDER / place.FILE)
        return next((place_of_file for place_of_file in places if place_of_file.is_file()), None)

    def page(self, name: str) -> Html:
        """The page of a result; an error for an unknown name."""
        path = next((path for path in self._files() if path.name == name), None)
        if path is None:
            raise HTTPException(404, "there is no such result")
        state = path.stat()
        key = (state.st_mtime_ns, state.st_size)
        with self._lock:  # one at a time: each takes all there is of the machine
            known = self._pages.get(name)
            if known is None or known[0] != key:
                with workspace.use(workspace.with_settings(named_by_file=True)):
                    shown = result_page(read(str(path)), charts=self.charts)
                known = self._pages[name] = (key, shown)
        return known[1]


def result_page(stored: StoredResult, *, charts: bool = True) -> Html:
    """A stored result as a report, from its own rows; without its files, the comparison alone."""
    if stored.study:
        return _study_page(stored, charts=charts)
    options = stored.arguments.options if stored.arguments is not None else {}
    comparison = compare_measured(measured_from(stored), stored.test_set, stored.labels, Plan(**options))
    try:
        named, missing = located_arguments(stored)
        if missing:
            raise DataError("outputs are gone")
        loaded = io.load(
            systems=named.systems,
            references=named.references,
            source=named.source,
            test_set=named.test_set,
            labels=named.labels,
            language=named.language,
            input_format=named.input_format,
            realign=named.realign,
            level=named.level,
        )
        if loaded.test_set.fingerprint != stored.test_set.fingerprint:
            raise DataError("the test set has changed")
        dossier = dossier_of(
            comparison, loaded.test_set, loaded.outputs, EvaluationContext(inputs=loaded.inputs)
        )
    except AdjudgeError as error:
        noted = replace(comparison, claims=(f"Without segments: {error}.", *comparison.claims))
        return page_of(noted, version=adjudge.__version__, inputs=stored.inputs)
    return DossierPage(dossier, adjudge.__version__, charts=charts).html()


def _study_page(stored: StoredResult, *, charts: bool) -> Html:
    """A stored study as the page of all its sets; its means and tests are those that were stored."""
    result = stored_comparison(stored)
    try:
        if not stored.rows:
            raise DataError("the study was kept without rows (--save keeps them)")
        changed = next((state for state in file_states(stored) if state.problem), None)
        if changed is not None:
            raise DataError(f"{changed.path} {changed.problem}")
        loaded = load_study(study_place(stored))
        lower = loaded.study.lower_is_better
        options = stored.arguments.options if stored.arguments is not None else {}
        dossier = study_dossier(
            stored.study,
            loaded.sets,
            result,
            stored.metrics,
            study_plan(loaded.study, options),
            lambda loaded_set: beside_set(loaded_set, lower),
            inputs=loaded.inputs,
        )
    except AdjudgeError as error:
        return page_of(
            StudyDisplay(result, stored.study),
            version=adjudge.__version__,
            inputs=stored.inputs,
            warnings=(f"Without segments: {error}.",),
        )
    return StudyPage(dossier, adjudge.__version__, charts=charts).html()


def create_report_app(results: ResultFolder, settings: ServerSettings) -> FastAPI:
    """A server that shows the results of a folder and changes nothing."""
    app = FastAPI(title="adjudge", docs_url=None, redoc_url=None, openapi_url=None)
    problems.install(app, _problem)
    app.add_middleware(Guard, settings=settings)

    @app.get("/")
    def index() -> Response:
        """All results."""
        history = results.history()
        return _answer(index_page(results.entries(), results.folder.name, adjudge.__version__, history))

    @app.get("/history")
    def history() -> Response:
        """Systems over their versions."""
        return _answer(results.history_page())

    @app.get("/report/{name}")
    def report(name: str) -> Response:
        """The page of one."""
        return _answer(results.page(name))

    return app


def serve_reports(results: ResultFolder, settings: ServerSettings, listening: socket.socket) -> None:
    """Serve until the process is ended."""
    serve(create_report_app(results, settings), settings, listening)


def _answer(shown: Html) -> Response:
    """A page under its own policy, which names its scripts by their content."""
    policies: Iterator[re.Match[str]] = _POLICY.finditer(shown)
    policy = next(policies)[1] + _FRAMES
    return HTMLResponse(shown, headers={"content-security-policy": policy})


def _problem(request: Request, status: int, code: str, message: str) -> Response:
    return problems.answer(status, code, message)
