"""Vectors of tokens by any encoder that `transformers` can load; which one it is, its own config.json says."""

import base64
import os
from typing import Any

PACKAGES = ["transformers", "torch"]
PATTERNS = ["*.json", "*.txt", "*.model", "*.safetensors", "*.bin"]
WEIGHTS = (
    "model.safetensors",
    "pytorch_model.bin",
    "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
)


def files(folder: str) -> list[str]:
    """The files that vectors depend on."""
    if not os.path.isfile(os.path.join(folder, "config.json")):
        raise FileNotFoundError(
            f"{folder} has no config.json, so it is not a folder of a model as transformers saves it"
        )
    weights = next((name for name in WEIGHTS if os.path.isfile(os.path.join(folder, name))), None)
    if weights is None:
        raise FileNotFoundError(
            f"{folder} has a config.json but no weights ({WEIGHTS[0]} or {WEIGHTS[1]}): fetch the model again, whole"
        )
    parts = weights.removesuffix(".index.json").rpartition(".")
    names = sorted(os.listdir(folder))
    kept = [n for n in names if n == weights or (n.startswith(parts[0] + "-") and n.endswith(parts[2]))]
    kept += [n for n in names if n.endswith((".json", ".txt", ".model")) and n not in kept]
    return [os.path.join(folder, name) for name in kept]


class TokenModel:
    """An encoder up to a layer, and its tokenizer."""

    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        import torch
        import transformers

        transformers.logging.set_verbosity_error()
        config = transformers.AutoConfig.from_pretrained(folder)
        layers, layer = config.num_hidden_layers, settings["layer"]
        if layer is not None and not 1 <= layer <= layers:
            raise ValueError(f"layer {layer} was asked for, but the model has layers 1 to {layers}")
        config.num_hidden_layers = layers if layer is None else layer  # what lies above is not even loaded
        self.torch = torch
        self.tokenizer = _tokenizer(folder)
        model = transformers.AutoModel.from_pretrained(folder, config=config)
        model = model.get_encoder() if config.is_encoder_decoder else model
        self.device = settings["device"]
        self.model = model.to(device=self.device, dtype=getattr(torch, settings["precision"])).eval()
        self.limit = limit(self.tokenizer.model_max_length, config)
        self.facts = {
            "limit": self.limit,
            "layer": config.num_hidden_layers,
            # As bert_score has it: other special tokens weigh as much as words.
            "unweighted": [self.tokenizer.cls_token_id, self.tokenizer.sep_token_id],
            "special": self.tokenizer("")["input_ids"],
        }

    def item(self, row: str) -> dict[str, Any]:
        """A text as the model's tokens, cut where it is longer than the model takes."""
        encoded = self.tokenizer(row, return_offsets_mapping=self.tokenizer.is_fast, verbose=False)
        ids, whole = encoded["input_ids"], len(encoded["input_ids"])
        if whole > self.limit:
            ids = self.tokenizer(row, truncation=True, max_length=self.limit)["input_ids"]
        spans = encoded.get("offset_mapping", [])[: len(ids)]
        return {"ids": ids, "spans": spans, "length": len(ids), "whole": whole}

    def run(self, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Ids, places in the text and vectors of the tokens of a batch."""
        torch = self.torch
        width = max(item["length"] for item in items)
        padding = self.tokenizer.pad_token_id or 0
        ids = torch.tensor([item["ids"] + [padding] * (width - item["length"]) for item in items])
        mask = torch.tensor([[1] * item["length"] + [0] * (width - item["length"]) for item in items])
        with torch.inference_mode():
            vectors = self.model(
                input_ids=ids.to(self.device), attention_mask=mask.to(self.device)
            ).last_hidden_state
        vectors = vectors.float().cpu().numpy()
        return [
            answer(item, vectors[place, : item["length"]].tobytes(), vectors.shape[-1])
            for place, item in enumerate(items)
        ]


def answer(item: dict[str, Any], vectors: bytes, width: int) -> dict[str, Any]:
    """One text's tokens as they go over the line."""
    return {
        "ids": item["ids"],
        "spans": item["spans"],
        "whole": item["whole"],
        "width": width,
        "vectors": base64.b64encode(vectors).decode("ascii"),
    }


def limit(of_tokenizer: float, config: Any) -> int:
    """Tokens that the model takes: what the tokenizer says, but no more than there are places."""
    places = getattr(config, "max_position_embeddings", None) or 10**9
    if getattr(config, "model_type", "") in OFFSET:
        places -= (getattr(config, "pad_token_id", None) or 0) + 1  # the first places are never used
    return int(min(of_tokenizer, places))


OFFSET = ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "longformer", "mpnet")


def _tokenizer(folder: str) -> Any:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    if type(tokenizer).__name__.startswith(("Roberta", "GPT2")):
        # A word at the beginning is the same token as one within, as bert_score has it for these two.
        tokenizer = AutoTokenizer.from_pretrained(folder, add_prefix_space=True)
    return tokenizer


MODEL = TokenModel
