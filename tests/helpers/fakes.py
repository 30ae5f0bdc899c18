"""Metrics with a model that is none: `fake_worker.py` in the place of a Python that has one."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORKER = HERE / "fake_worker.py"
FOLDER = HERE / "fake_model"


def spec(name: str, folder: Path = FOLDER, options: str = "") -> str:
    """A metric by its name, its model the fake one in a folder."""
    return f"{name}(model={folder},python={WORKER}{options and ','}{options})"


def model(folder: Path, **config: object) -> Path:
    """A folder with a fake model that behaves as the config says."""
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"limit": 24, **config}), encoding="utf-8")
    return folder


def asked(folder: Path) -> list[object]:
    """The rows that a model was asked for, where its config says `log`."""
    file = folder / "asked.jsonl"
    return (
        [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    )
