"""BLEURT (Sellam et al. 2020) in PyTorch, by the package `bleurt-pytorch`."""

import os
from typing import Any

PACKAGES = ["bleurt-pytorch", "transformers", "torch"]
PATTERNS = ["*.json", "*.txt", "*.model", "*.safetensors", "*.bin"]
WEIGHTS = ("model.safetensors", "pytorch_model.bin")


def files(folder: str) -> list[str]:
    """The files that scores depend on."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    if not any(name in names for name in WEIGHTS):
        raise FileNotFoundError(
            f"{folder} has no weights ({' or '.join(WEIGHTS)}): BLEURT's own checkpoints are TensorFlow's; take one "
            "that was converted, such as lucadiliello/BLEURT-20"
        )
    kept = [name for name in names if name.endswith((".json", ".txt", ".model", ".safetensors", ".bin"))]
    return [os.path.join(folder, name) for name in kept]


class BleurtModel:
    """A BLEURT and its tokenizer."""

    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        import torch
        import transformers
        from bleurt_pytorch import BleurtForSequenceClassification, BleurtTokenizer

        transformers.logging.set_verbosity_error()
        self.torch, self.device = torch, settings["device"]
        self.tokenizer = BleurtTokenizer.from_pretrained(folder)
        model = BleurtForSequenceClassification.from_pretrained(folder)
        self.model = model.to(device=self.device, dtype=getattr(torch, settings["precision"])).eval()
        self.limit = int(min(self.tokenizer.model_max_length, self.model.config.max_position_embeddings))
        self.facts = {"limit": self.limit}

    def item(self, row: dict[str, str]) -> dict[str, Any]:
        """Reference and output as tokens of one text."""
        encoded = self.tokenizer(row["reference"], row["output"], verbose=False)
        whole = len(encoded["input_ids"])
        if whole > self.limit:
            encoded = self.tokenizer(
                row["reference"], row["output"], truncation="longest_first", max_length=self.limit
            )
        return {"encoded": dict(encoded), "length": len(encoded["input_ids"]), "whole": whole}

    def run(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Scores of a batch."""
        torch = self.torch
        batch = self.tokenizer.pad(
            {name: [item["encoded"][name] for item in items] for name in items[0]["encoded"]},
            return_tensors="pt",
        )
        with torch.inference_mode():
            logits = self.model(**{name: value.to(self.device) for name, value in batch.items()}).logits
        scores = logits.flatten().float().tolist()
        return [{"score": score, "whole": item["whole"]} for score, item in zip(scores, items, strict=True)]


MODEL = BleurtModel
