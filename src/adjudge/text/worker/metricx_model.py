"""MetricX-23 and -24 (Juraska et al.): an mT5 whose logit of one token is the number of error points, 0 to 25."""

import os
from typing import Any

PACKAGES = ["transformers", "torch", "sentencepiece"]
PATTERNS = ["*.json", "*.txt", "*.model", "*.safetensors", "*.bin"]
WEIGHTS = (
    "model.safetensors",
    "pytorch_model.bin",
    "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
)
TOKEN = 250089
"""<extra_id_10>, which the models were trained to say a number with."""
LIMITS = {"23": 1024, "24": 1536}
"""Tokens they were trained on."""
SHAPES = {
    ("23", False): "candidate: {output} reference: {reference}",
    ("23", True): "candidate: {output} source: {source}",
    ("24", False): "source: {source} candidate: {output} reference: {reference}",
    ("24", True): "source: {source} candidate: {output}",
}


def files(folder: str) -> list[str]:
    """The files that scores depend on."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    if not any(name in names for name in WEIGHTS):
        raise FileNotFoundError(
            f"{folder} has no weights ({WEIGHTS[0]} or {WEIGHTS[1]}): fetch the model again, whole"
        )
    kept = [name for name in names if name.endswith((".json", ".model", ".safetensors", ".bin"))]
    return [os.path.join(folder, name) for name in kept]


class MetricxModel:
    """An mT5 with the tokenizer it was made from."""

    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        import torch
        import transformers

        transformers.logging.set_verbosity_error()
        self.torch, self.device = torch, settings["device"]
        tokenizer = settings["tokenizer"] or folder
        try:
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(tokenizer)
        except (OSError, ValueError):
            raise FileNotFoundError(
                f"{tokenizer} has no tokenizer: MetricX comes without one; name that of the mT5 it was made from, as "
                "in metricx(model=…,tokenizer=google/mt5-xl)"
            ) from None
        model = transformers.MT5ForConditionalGeneration.from_pretrained(folder)
        self.model = model.to(device=self.device, dtype=getattr(torch, settings["precision"])).eval()
        if self.model.config.vocab_size <= TOKEN:
            raise ValueError(f"the model has no token {TOKEN}, so it is not a MetricX")
        self.shape = SHAPES[settings["edition"], settings["qe"]]
        self.limit = LIMITS[settings["edition"]]
        self.facts = {"limit": self.limit}

    def item(self, row: dict[str, str]) -> dict[str, Any]:
        """A segment as tokens; as in Google's program, the last one (the end) is left out."""
        ids = self.tokenizer(self.shape.format(**row), verbose=False)["input_ids"]
        cut = ids if len(ids) <= self.limit else [*ids[: self.limit - 1], ids[-1]]
        return {"ids": cut[:-1], "length": len(cut) - 1, "whole": len(ids)}

    def run(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Scores of a batch."""
        torch = self.torch
        width = max(item["length"] for item in items)
        ids = torch.tensor([item["ids"] + [0] * (width - item["length"]) for item in items])
        mask = torch.tensor([[1] * item["length"] + [0] * (width - item["length"]) for item in items])
        start = torch.zeros((len(items), 1), dtype=torch.long)
        with torch.inference_mode():
            logits = self.model(
                input_ids=ids.to(self.device),
                attention_mask=mask.to(self.device),
                decoder_input_ids=start.to(self.device),
            ).logits
        scores = logits[:, 0, TOKEN].float().clamp(0.0, 25.0).tolist()
        return [{"score": score, "whole": item["whole"]} for score, item in zip(scores, items, strict=True)]


MODEL = MetricxModel
