"""Runs a neural model for adjudge: questions come as lines of JSON, and so do the answers.

    {"find": SETTINGS}                -> {"model": {folder, revision, files, library}}
    {"rows": [...], "of": SETTINGS}   -> {"facts": {...}}, {"results": [[place, result], ...]} a batch, {"end": true}

Whatever goes wrong is `{"error": kind, "message": ...}`. The model is loaded with the first rows and stays.
"""

import importlib
import importlib.metadata
import json
import os
import traceback
from collections.abc import Iterator
from typing import Any, TextIO

FAMILIES = ("token_model", "onnx_model", "comet_model", "bleurt_model", "metricx_model")
ALIKE = 0.8
"""How long a text must be to share a batch with a longer one, as a part of that one's length."""


class Worker:
    """The model that was asked for last."""

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {}
        self.model: Any = None

    def answers(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """All that is to be said to a question."""
        settings = question.get("find") or question["of"]
        if not settings["allow_download"]:  # packages look at this when they are first loaded
            os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
        family = _family(settings["family"])
        library = ",".join(f"{name}-{_version(name)}" for name in family.PACKAGES)
        folder, revision = locate_model(settings["model"], settings["allow_download"], family.PATTERNS)
        if "find" in question:
            files = family.files(folder)
            yield {"model": {"folder": folder, "revision": revision, "files": files, "library": library}}
            return
        if self.model is None or settings != self.settings:
            self.model = None  # before the next one comes, for two may be more than there is room for
            self.model, self.settings = family.MODEL(folder, settings), settings
        yield {"facts": self.model.facts}
        items = [self.model.item(row) for row in question["rows"]]
        for places in batches([item["length"] for item in items], question["batch_size"]):
            results = self.model.run([items[place] for place in places])
            yield {"results": [[place, result] for place, result in zip(places, results, strict=True)]}
        yield {"end": True}


def batches(lengths: list[int], size: int) -> Iterator[list[int]]:
    """Places in batches of about the same length, the longest first: what is too much fails at once.

    All texts of a batch are filled up to its longest, so that it ends before a text that is much shorter.
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if batch and (len(batch) == size or lengths[place] < ALIKE * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def locate_model(model: str, allow_download: bool, patterns: list[str]) -> tuple[str, str]:
    """The folder (or file) of a model and, where it comes from the hub, its revision."""
    if os.path.exists(model):
        return os.path.abspath(model), ""
    if model.startswith(("/", ".", "~")) or model.count("/") > 1:
        raise FileNotFoundError(f"{model}: no such folder; a model's was expected, or its id on the hub")
    import huggingface_hub

    try:
        folder = huggingface_hub.snapshot_download(
            model, local_files_only=not allow_download, allow_patterns=patterns
        )
    except Exception as error:
        reason = "" if not allow_download else f" ({' '.join(str(error).split())[:300]})"
        raise FileNotFoundError(
            f"{model} is neither a folder nor among the models that were fetched before{reason}: name a folder that "
            "has it, or let it be fetched with --allow-download"
        ) from None
    return folder, os.path.basename(folder)


def _family(name: str) -> Any:
    if name not in FAMILIES:
        raise ValueError(f"no family of models {name!r}")
    return importlib.import_module(name)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise ModuleNotFoundError(package, name=package) from None


def main(questions: TextIO, answers: TextIO) -> None:
    """Answer requests until there are no more."""
    worker = Worker()

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    for line in questions:
        try:
            for answer in worker.answers(json.loads(line)):
                say(answer)
        except ImportError as error:
            traceback.print_exc()
            say({"error": "import", "message": error.name or str(error), "reason": str(error)})
        except FileNotFoundError as error:
            say({"error": "absent", "message": str(error)})
        except ValueError as error:
            traceback.print_exc()
            say({"error": "value", "message": str(error)})
        except Exception as error:  # whatever a package may raise
            traceback.print_exc()
            say({"error": "failure", "message": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    # Packages print as they like: what they print goes to stderr, and answers alone to stdout.
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with open(0, encoding="utf-8", errors="surrogatepass") as standard_input:
        main(standard_input, own)
