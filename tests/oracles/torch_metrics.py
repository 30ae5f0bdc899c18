"""What metrics of torchmetrics say, for a test to judge. Run by the Python of the tests, with packages of another one:

    python torch_metrics.py SITE_PACKAGES TEXTS.json metrics|processes > values.json

TEXTS has outputs, references (several for some segments) and sources. `processes` spreads them over two gloo processes.
"""

import json
import math
import pickle
import sys
import tempfile
import warnings
from pathlib import Path

sys.path.append(sys.argv[1])  # after our own, which win

import torch
import torch.distributed
import torch.multiprocessing
import torchmetrics

from adjudge.compat.torchmetrics import Adjudge
from adjudge.errors import AdjudgeError

SPECS = [
    "bleu",
    "chrf",
    "chrf++",
    "ter",
    "wer",
    "meteor(matchers=exact+stem)",
    "exact-match",
    "ribes",
    "length-ratio",
]
LANGUAGE = "pt-en"


def fed(spec: str, texts: dict, batches: list[range]) -> Adjudge:
    metric = Adjudge(spec, language=LANGUAGE)
    for batch in batches:
        metric.update([texts["outputs"][i] for i in batch], [texts["references"][i] for i in batch])
    return metric


def of_metrics(texts: dict) -> dict:
    """Scores in batches, and what else a metric is asked in a training loop."""
    count = len(texts["outputs"])
    batches = [range(7), range(7, 8), range(8, 8), range(8, count)]
    metric = fed("chrf", texts, batches)
    kept = pickle.loads(pickle.dumps(metric))
    kept.update(["x"], ["y"])
    state = Adjudge("chrf", language=LANGUAGE)
    state.persistent(True)
    loaded = Adjudge("chrf", language=LANGUAGE)
    loaded.persistent(True)
    state.update(texts["outputs"], texts["references"])
    loaded.load_state_dict(state.state_dict())
    return {
        "scores": {spec: fed(spec, texts, batches).compute().item() for spec in SPECS},
        "signatures": {spec: fed(spec, texts, batches).signature for spec in SPECS},
        "pickled": [
            metric.compute().item(),
            pickle.loads(pickle.dumps(metric)).compute().item(),
            kept.compute().item(),
        ],
        "state_dict": loaded.compute().item(),
        "segments": metric.segments(texts["outputs"], texts["references"]).tolist(),
        "after_segments": metric.compute().item(),
        "forward": forwarded(texts),
        "reset": reset(texts),
        "before_update": before_update(),
        "collection": collected(texts),
        "directions": [
            Adjudge(spec, language=LANGUAGE).higher_is_better for spec in ("bleu", "ter", "length-ratio")
        ],
        "refusals": refusals(),
        "dtype": str(metric.compute().dtype),
        "half": metric.half().compute().item(),
    }


def forwarded(texts: dict) -> list[float]:
    """The score of each batch, and then that of all of them."""
    metric = Adjudge("bleu", language=LANGUAGE)
    halves = [slice(0, 20), slice(20, None)]
    return [
        *(metric(texts["outputs"][half], texts["references"][half]).item() for half in halves),
        metric.compute().item(),
    ]


def reset(texts: dict) -> list[float]:
    metric = fed("bleu", texts, [range(20)])
    metric.reset()
    metric.update(texts["outputs"][20:], texts["references"][20:])
    return [metric.compute().item(), int(metric.seen), metric.signature]


def before_update() -> list:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = Adjudge("bleu").compute().item()
    return [math.isnan(value), [str(warning.message)[:60] for warning in caught]]


def collected(texts: dict) -> dict:
    """Metrics whose sums are equal at first, which a collection would let share one state."""
    together = torchmetrics.MetricCollection({name: Adjudge(name) for name in ("exact-match", "per", "wer")})
    together.update(["a"], ["a"])
    together.update(texts["outputs"], [own[0] for own in texts["references"]])
    return {name: value.item() for name, value in together.compute().items()}


def refusals() -> list[str]:
    tries = {
        "nist": lambda: Adjudge("nist"),
        "unknown": lambda: Adjudge("blue"),
        "language": lambda: Adjudge("meteor"),
        "lengths": lambda: Adjudge("bleu").update(["a", "b"], ["a"]),
        "text": lambda: Adjudge("bleu").update("a", ["a"]),
        "none": lambda: Adjudge("bleu").update(["a"]),
    }
    said = []
    for name, attempt in tries.items():
        try:
            attempt()
            said.append(f"{name}: nothing")
        except AdjudgeError as error:
            said.append(f"{name}: {error}")
    return said


def one_process(rank: int, folder: str, texts: dict) -> None:
    """A process with its own part of the segments, unequal to the other's, and the synchronised scores of all."""
    address = f"file://{folder}/meeting"
    torch.distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    own = range(11) if rank == 0 else range(11, len(texts["outputs"]))
    answer: dict = {"scores": {}, "signatures": {}, "own": {}}
    for spec in SPECS:
        metric = fed(spec, texts, [own[:5], own[5:]])
        answer["scores"][spec] = metric.compute().item()
        with metric.sync_context():
            answer["signatures"][spec] = metric.signature
        answer["own"][spec] = int(metric.seen)
    idle = Adjudge("chrf", language=LANGUAGE)  # a process that had nothing to do
    if rank == 0:
        idle.update(texts["outputs"], texts["references"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer["idle"] = idle.compute().item()
    stepped = Adjudge("bleu", language=LANGUAGE, dist_sync_on_step=True)
    part = [own[0]]
    answer["step"] = stepped(
        [texts["outputs"][i] for i in part], [texts["references"][i] for i in part]
    ).item()
    Path(folder, f"{rank}.json").write_text(json.dumps(answer))
    torch.distributed.destroy_process_group()


def of_processes(texts: dict) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.start_processes(one_process, (folder, texts), nprocs=2, start_method="spawn")
        return [json.loads(Path(folder, f"{rank}.json").read_text()) for rank in range(2)]


if __name__ == "__main__":
    torch.set_num_threads(1)
    given = json.loads(Path(sys.argv[2]).read_text())
    print(json.dumps(of_metrics(given) if sys.argv[3] == "metrics" else of_processes(given)))
