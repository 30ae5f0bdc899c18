"""Fixtures for everyone; the only place that knows where the shared data lie."""

import os

# Tests run side by side: threads of a matrix library that wait for each other would take five times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gc
import importlib.util
import json
import shutil
import sys
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from adjudge.text import paraphrases
from helpers import made_sets as made_sets_module
from helpers import timing

PROJECT = Path(__file__).resolve().parent.parent

# On how many examples a law is held where its test names no number: in `make test`, `make test-slow`, `make check`.
for profile, count in {"adjudge": 40, "thorough": 100, "check": 25}.items():
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=count,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=True,
    )
settings.load_profile("adjudge")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests are a million objects that stay: Python need not look through them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


class Shared:
    """Golden values and data of canonical tools, which lie beside the project and never inside it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.golden = root / "golden"
        self.data = root / "data"

    @cache  # noqa: B019 - one object a session
    def lines(self, name: str) -> tuple[str, ...]:
        """Segments of one of the golden input files."""
        return read_lines(self.golden / "data" / name)

    @cache  # noqa: B019
    def json(self, name: str) -> Any:
        """One of the golden result files."""
        return json.loads((self.golden / name).read_text(encoding="utf-8"))


ORACLES = {"shared", "meteor_jar", "postgresql", "real_sacrebleu"}
"""Fixtures of what we did not write: golden values, other programs, servers."""


def pytest_configure(config: pytest.Config) -> None:
    if "ADJUDGE_LONG_TESTS" in os.environ:  # make long-tests
        config.pluginmanager.register(timing.Stopwatch())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make check` leaves to `make test`: browsers, what asks the programs it is held to, what is long."""
    long = timing.long_functions()
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)
        asks = ORACLES & set(getattr(item, "fixturenames", ()))
        if asks or timing.function_of(item.nodeid) in long:
            item.add_marker(pytest.mark.oracle)


def read_lines(path: Path) -> tuple[str, ...]:
    text = path.read_bytes().decode("utf-8")
    return tuple(text.removesuffix("\n").split("\n"))


def at_most(times: int) -> int:
    """How often a slow test does a thing: so often, or as often as ADJUDGE_TIMES allows, on a machine that is busy."""
    return min(times, max(1, int(os.environ.get("ADJUDGE_TIMES", times))))


def benchmark_module(name: str) -> Any:
    """A script of bench/, whose measurements tests hold to their limits."""
    spec = importlib.util.spec_from_file_location(f"bench_{name}", PROJECT / "bench" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PROJECT / "bench"))  # scripts use what lies beside them
        spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def shared() -> Shared:
    """The shared folder, or a skip with the reason; where ADJUDGE_SHARED names it, a skip is a failure."""
    root = Path(os.environ.get("ADJUDGE_SHARED", PROJECT.parent / "shared"))
    if not (root / "golden").is_dir():
        pytest.skip(f"no golden values at {root}; set ADJUDGE_SHARED")
    return Shared(root)


@pytest.fixture(scope="session")
def common_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all processes that run these tests side by side; it is empty when they begin."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session", autouse=True)
def cache_folder(common_folder: Path) -> Iterator[Path]:
    """A cache for these tests and the processes they start: the user's own is left alone."""
    folder = common_folder / "cache"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADJUDGE_CACHE", str(folder))
        paraphrases.keep_in(folder)
        yield folder


@pytest.fixture(scope="session")
def thread() -> Iterator[ThreadPoolExecutor]:
    """Where the browser is (tests/helpers/chromium.py)."""
    with ThreadPoolExecutor(1, "browser") as executor:
        yield executor


@pytest.fixture(scope="session")
def chromium(thread: ThreadPoolExecutor) -> Iterator[Any]:
    """One browser for all tests of this process."""
    from helpers.chromium import launched

    yield from launched(thread)


@pytest.fixture(scope="session")
def meteor_jar(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """METEOR 1.5 itself (tests/oracles/meteor_jar.py), or a skip with the reason."""
    from oracles.meteor_jar import find

    place = find(tmp_path_factory.mktemp("meteor"))
    if isinstance(place, str):
        pytest.skip(place)
    return place


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    """A PostgreSQL server of these tests' own (tests/helpers/postgresql.py), or a skip with the reason."""
    from helpers.postgresql import ABSENT, Postgres, folders

    result = folders()
    if not result:
        pytest.skip(ABSENT)
    server = Postgres(result[0])
    yield server
    server.remove()


@pytest.fixture
def durable() -> Iterator[Any]:
    """A PostgreSQL server that waits for its disk, to be stopped and started."""
    from helpers.postgresql import ABSENT, Postgres, folders

    if not folders():
        pytest.skip(ABSENT)
    server = Postgres(folders()[0], fsync=True)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with no campaign in it: to copy one takes less than to make one."""
    from adjudge.campaigns.store import CampaignStore

    path = tmp_path_factory.mktemp("blank") / "adjudge.db"
    CampaignStore.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def sqlite(blank: Path, tmp_path: Path) -> str:
    """The address of an empty SQLite database of campaigns."""
    shutil.copy(blank, tmp_path / "adjudge.db")
    return f"sqlite:///{tmp_path}/adjudge.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database of campaigns, once of each kind."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite"))
    return str(request.getfixturevalue("postgresql").clean())


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without a table, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/adjudge.db"
    return str(request.getfixturevalue("postgresql").database())


@pytest.fixture(scope="session")
def examples() -> Path:
    """The project's own test set and system outputs."""
    return PROJECT / "examples"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    held = "shared" in getattr(item, "fixturenames", ()) and "ADJUDGE_SHARED" in os.environ
    if report.skipped and held:
        report.outcome = "failed"
        report.longrepr = f"parity test skipped although ADJUDGE_SHARED is set: {report.longrepr}"
    return report


@pytest.fixture
def made_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[made_sets_module.MadeSets]:
    """Small test sets in sacreBLEU's catalogue, to be fetched from this machine into caches of their own."""
    with made_sets_module.installed(tmp_path, monkeypatch) as sets:
        yield sets
