"""BERTScore of ten systems by bert_score and by adjudge: the same model, layer and precision; processor seconds.

    python bench/bertscore.py NEURAL_PYTHON MODEL_FOLDER FILES [SEGMENTS]

FILES is a folder with `reference` and one file a system, a segment a line. bert_score keeps its model between systems
(BERTScorer); both run on one thread. What it takes to start and to load the model is measured by a single segment, and
shown by itself. The largest difference of a segment is printed beside.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

THEIRS = """
import json, sys
from bert_score import BERTScorer
texts = json.load(open(sys.argv[2]))
scorer = BERTScorer(model_type=sys.argv[1], num_layers=int(sys.argv[3]), batch_size=32)
json.dump([scorer.score(own, texts["reference"])[2].tolist() for own in texts["systems"]], open(sys.argv[4], "w"))
"""
OURS = """
import json, sys
import adjudge
texts = json.load(open(sys.argv[2]))
test_set = adjudge.TestSet(references=(texts["reference"],))
systems = [adjudge.Outputs(str(i), own) for i, own in enumerate(texts["systems"])]
spec = f"bertscore(model={sys.argv[1]},layer={sys.argv[3]},python={sys.argv[5]})"
scores = adjudge.score(test_set, systems, spec, segments=True)
json.dump([[value / 100 for value in result.segments] for result in scores.results], open(sys.argv[4], "w"))
"""


def seconds(command: list[str]) -> float:
    """Processor seconds of a command and all it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(
    python: str, model: str, reference: list[str], systems: list[list[str]]
) -> tuple[dict[str, float], dict[str, float], float]:
    """Seconds by both, those it takes to start, and the largest difference of a segment."""
    layers = json.loads((Path(model) / "config.json").read_text(encoding="utf-8"))["num_hidden_layers"]
    with tempfile.TemporaryDirectory() as place:
        texts, theirs, ours = (Path(place) / name for name in ("texts", "theirs", "ours"))
        arguments = [model, str(texts), str(layers)]
        commands = {
            "bert_score": [python, "-c", THEIRS, *arguments, str(theirs)],
            "adjudge": [sys.executable, "-c", OURS, *arguments, str(ours), python],
        }
        texts.write_text(json.dumps({"reference": reference[:1], "systems": [systems[0][:1]]}))
        start = {name: seconds(command) for name, command in commands.items()}
        texts.write_text(json.dumps({"reference": reference, "systems": systems}))
        took = {name: seconds(command) for name, command in commands.items()}
        pairs = zip(json.loads(theirs.read_text()), json.loads(ours.read_text()), strict=True)
        apart = max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
    return took, start, apart


def main(python: str, model: str, folder: Path, number: int) -> None:
    """Print both times, their ratio and the largest difference."""
    columns = {
        file.name: file.read_text(encoding="utf-8").split("\n")[:number] for file in sorted(folder.iterdir())
    }
    reference = columns.pop("reference")
    systems = list(columns.values())[:10]
    took, start, apart = measured(python, model, reference, systems)
    for name in took:
        print(f"{name:12}{took[name]:8.1f} s, of which {start[name]:.1f} s to start")
    net = [took[name] - start[name] for name in took]
    print(
        f"{len(systems)} systems x {len(reference)} segments: {took['bert_score'] / took['adjudge']:.2f} times as fast,"
    )
    print(f"without the start {net[0] / net[1]:.2f}; largest difference of a segment {apart:.1e}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 200)
