"""COMET's models by the package `unbabel-comet`: regression, reference-free, unified (Kiwi) and XCOMET."""

import glob
import os
from typing import Any

PACKAGES = ["unbabel-comet", "transformers", "torch"]
PATTERNS = ["*.yaml", "checkpoints/*"]
NAMES = {"source": "src", "output": "mt", "reference": "ref"}


def files(folder: str) -> list[str]:
    """The files that scores depend on."""
    checkpoint = _checkpoint(folder)
    settings = os.path.join(os.path.dirname(os.path.dirname(checkpoint)), "hparams.yaml")
    if not os.path.isfile(settings):
        raise FileNotFoundError(
            f"{settings} is missing: COMET's models have it beside the folder of the checkpoint; fetch the model again"
        )
    return [checkpoint, settings]


class CometModel:
    """A COMET model, whatever its kind."""

    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        import torch
        from comet import load_from_checkpoint

        self.torch, self.device, self.qe = torch, settings["device"], settings["qe"]
        try:
            model = load_from_checkpoint(_checkpoint(folder), local_files_only=not settings["allow_download"])
        except OSError as error:
            raise FileNotFoundError(
                f"{folder} builds on an encoder that is not on this machine ({str(error).splitlines()[0]}): fetch it "
                "with --allow-download"
            ) from None
        self.model = model.to(device=self.device, dtype=getattr(torch, settings["precision"])).eval()
        segments = getattr(self.model.hparams, "input_segments", None)
        self.joint = segments is not None
        reads = bool(segments and "ref" in segments) or (not segments and self.model.requires_references())
        must = self.model.requires_references()
        room = self.model.encoder.max_positions
        self.facts = {
            "limit": room if self.joint else room - 2,
            "references": "must" if must else "may" if reads else "never",
        }

    def item(self, row: dict[str, str]) -> dict[str, Any]:
        """A segment under the names that COMET has for its sides, and how many tokens it needs room for."""
        sample = {NAMES[side]: text for side, text in row.items()}
        encoder = self.model.encoder
        lengths = [len(ids) for ids in encoder.tokenizer(list(sample.values()), verbose=False)["input_ids"]]
        if self.joint:  # one sequence, with an end and a beginning instead of many
            whole = sum(lengths) - 2 * len(lengths) + 1 + len(lengths) * encoder.size_separator
        else:
            whole = max(lengths)
        return {"sample": sample, "length": max(lengths), "whole": whole}

    def run(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Scores of a batch, and errors where the model marks them."""
        batch = self.model.prepare_sample([item["sample"] for item in items], stage="predict")
        with self.torch.inference_mode():
            prediction = self.model.predict_step(self._move(batch))
        scores = prediction.scores.flatten().float().tolist()
        results = [
            {"score": score, "whole": item["whole"]} for score, item in zip(scores, items, strict=True)
        ]
        spans = prediction.get("metadata", {}).get("error_spans")
        for result, own in zip(results, spans or (), strict=spans is not None):
            result["spans"] = [
                {key: span[key] for key in ("start", "end", "severity", "confidence")} for span in own
            ]
        return results

    def _move(self, batch: Any) -> Any:
        if isinstance(batch, tuple | list):
            return tuple(self._move(part) for part in batch)
        return {
            name: value.to(self.device) if self.torch.is_tensor(value) else value
            for name, value in batch.items()
        }


def _checkpoint(folder: str) -> str:
    if os.path.isfile(folder):
        return folder
    names = sorted(glob.glob(os.path.join(glob.escape(folder), "checkpoints", "*.ckpt")))
    if not names:
        raise FileNotFoundError(
            f"{folder} has no checkpoints/*.ckpt, so it is not a whole COMET model: name the folder that has "
            "hparams.yaml and checkpoints/model.ckpt, or fetch the model again"
        )
    return names[-1]


MODEL = CometModel
