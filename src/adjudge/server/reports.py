"""Reports of the results in a folder, in a browser: made when they are asked for, and nothing is ever written."""

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
from adjudge.dossiers.beside_sets import beside_set
from adjudge.dossiers.evaluation_dossier import EvaluationContext, dossier_of
from adjudge.dossiers.study_dossier import study_dossier
from adjudge.errors import AdjudgeError, DataError
from adjudge.history import place
from adjudge.history.record_list import when
from adjudge.history.records import History
from adjudge.history.reload import located
from adjudge.history.stored import Stored, measured_from
from adjudge.history.stored_study import StoredStudy, read_result, stored_measure_names, stored_result
from adjudge.history.verify import study_files, study_place
from adjudge.io.studies import load_study
from adjudge.report.pages.comparison.one_set import page as comparison_page
from adjudge.report.pages.comparison.study import page as study_page
from adjudge.report.pages.history_page import page as history_lines_page
from adjudge.report.pages.report.page import DossierPage, StudyPage
from adjudge.report.pages.result_index import HistoryEntry, ResultEntry, index_page
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
        """What lies there, the newest first."""
        return [self._entry(path) for path in self._files()]

    def _files(self) -> list[Path]:
        files = [path for path in self.folder.iterdir() if path.name.endswith(ENDING) and path.is_file()]
        return sorted(files, key=lambda path: (-path.stat().st_mtime, path.name))

    def _entry(self, path: Path) -> ResultEntry:
        made = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
        address = f"/report/{quote(path.name, safe='')}"
        try:
            stored = stored_in(path)
            if isinstance(stored, StoredStudy):
                metrics = stored_measure_names(stored)
                segments = sum(facts.segments for facts in stored.facts.values())
                sets = len(stored.facts)
                return ResultEntry(path.name, address, made, stored.systems, metrics, segments, sets)
        except AdjudgeError as error:
            return ResultEntry(path.name, address, made, problem=str(error))
        systems = tuple(dict.fromkeys(result.system for result in stored.results))
        return ResultEntry(path.name, address, made, systems, tuple(stored.metrics), stored.test_set.segments)

    def history(self) -> HistoryEntry | None:
        """The history that lies there, in sight or where `--record` keeps it."""
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
        """Its lines; made anew when something was recorded."""
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
        return next((own for own in places if own.is_file()), None)

    def page(self, name: str) -> Html:
        """The page of a result; an error for a name that is none of the folder's own."""
        path = next((path for path in self._files() if path.name == name), None)
        if path is None:
            raise HTTPException(404, "there is no such result")
        state = path.stat()
        key = (state.st_mtime_ns, state.st_size)
        with self._lock:  # one at a time: each takes all there is of the machine
            known = self._pages.get(name)
            if known is None or known[0] != key:
                with workspace.use(workspace.changed(named_by_file=True)):
                    shown = result_page(stored_in(path), charts=self.charts)
                known = self._pages[name] = (key, shown)
        return known[1]


def stored_in(path: Path) -> Stored | StoredStudy:
    """The result of a file: of one test set, or of a study."""
    return read_result(str(path))


def result_page(stored: Stored | StoredStudy, *, charts: bool = True) -> Html:
    """A stored result as a report, from its own rows; without its files, the comparison alone."""
    if isinstance(stored, StoredStudy):
        return _study_page(stored, charts=charts)
    options = stored.arguments.options if stored.arguments is not None else {}
    comparison = compare_measured(measured_from(stored), stored.test_set, stored.labels, Plan(**options))
    try:
        named, gone = located(stored)
        if gone:
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
        told = replace(comparison, claims=(f"Without segments: {error}.", *comparison.claims))
        return comparison_page(told, version=adjudge.__version__, inputs=stored.inputs)
    return DossierPage(dossier, adjudge.__version__, charts=charts).html()


def _study_page(stored: StoredStudy, *, charts: bool) -> Html:
    """A stored study as the page of all its sets; its means and tests are those that were stored."""
    result = stored_result(stored)
    try:
        if not stored.rows:
            raise DataError("the study was kept without rows (--save keeps them)")
        changed = next((state for state in study_files(stored) if state.problem), None)
        if changed is not None:
            raise DataError(f"{changed.path} {changed.problem}")
        loaded = load_study(study_place(stored))
        lower = loaded.study.lower_is_better
        dossier = study_dossier(
            stored.name,
            loaded.sets,
            result,
            stored.arguments.metrics,
            study_plan(loaded.study, stored.arguments.options),
            lambda own: beside_set(own, lower),
            inputs=loaded.inputs,
        )
    except AdjudgeError as error:
        return study_page(
            result,
            name=stored.name,
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
    """Serve until somebody ends it."""
    serve(create_report_app(results, settings), settings, listening)


def _answer(shown: Html) -> Response:
    """A page under its own policy, which names its scripts by their content."""
    policies: Iterator[re.Match[str]] = _POLICY.finditer(shown)
    policy = next(policies)[1] + _FRAMES
    return HTMLResponse(shown, headers={"content-security-policy": policy})


def _problem(request: Request, status: int, code: str, message: str) -> Response:
    return problems.answer(status, code, message)
