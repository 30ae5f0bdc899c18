"""Tiny models, and what the packages that they are made for say of them. Run by a Python that has those packages.

    python neural_packages.py FOLDER SEGMENTS.json [NAME...] > values.json

SEGMENTS has the keys source, reference and output. Makes FOLDER/NAME for every model, prints the packages' own scores.
"""

import json
import os
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "on",
    "mat",
    "it",
    "rains",
    "today",
    "no",
    "hello",
    "world",
    "is",
    ".",
]
WORDS += [",", "!", "?", "der", "die", "das", "katze", "hund", "sass", "matte"]
LETTERS = "bcdefghijklmnopqrstuvwxyzäöü0123456789"


def bert(folder, layers=3, seed=1):
    """A BERT of random weights with a vocabulary of a few words and all letters."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir(parents=True)
    vocabulary = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *WORDS,
        *LETTERS,
        *(f"##{c}" for c in LETTERS),
    ]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=64)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=64,
        initializer_range=0.4,
    )
    BertModel(config).save_pretrained(folder)
    return folder


def bertscores(folder, segments):
    """bert_score's precision, recall and F at two layers, with and without weights, and of two references."""
    from bert_score import score

    values = {}
    outputs, references = segments["output"], segments["reference"]
    for layer in (2, 3):
        for idf in (False, True):
            got = score(outputs, references, model_type=str(folder), num_layers=layer, idf=idf, batch_size=4)
            values[f"{layer}-{idf}"] = [part.tolist() for part in got]
    both = [[reference, source] for reference, source in zip(references, segments["source"], strict=True)]
    got = score(outputs, both, model_type=str(folder), num_layers=3)
    values["two"] = [part.tolist() for part in got]
    return values


def comet(folder, kind, encoder):
    """A checkpoint of COMET as its own training leaves it, of random weights."""
    import pytorch_lightning
    import torch
    import yaml
    from comet.models import str2model

    torch.manual_seed(3)
    settings = {
        "encoder_model": "BERT",
        "pretrained_model": str(encoder),
        "hidden_sizes": [8],
        "dropout": 0.0,
        "layer_norm": False,
    }
    if kind == "unified_metric":
        settings |= {"input_segments": ["mt", "src"], "sent_layer": "mix", "word_layer": 3}
    if kind == "xcomet_metric":
        settings |= {"sent_layer": "mix", "word_layer": 3, "word_level_training": True}
    model = str2model[kind](**settings)
    if kind == "xcomet_metric":  # so that it marks some words and others not
        torch.manual_seed(1)
        torch.nn.init.normal_(model.hidden2tag.weight, std=3.0)
        torch.nn.init.zeros_(model.hidden2tag.bias)
    (folder / "checkpoints").mkdir(parents=True)
    checkpoint = {
        "state_dict": model.state_dict(),
        "hyper_parameters": dict(model.hparams),
        "pytorch-lightning_version": pytorch_lightning.__version__,
    }
    torch.save(checkpoint, folder / "checkpoints" / "model.ckpt")
    (folder / "hparams.yaml").write_text(yaml.safe_dump({**settings, "class_identifier": kind}))
    return folder


def comet_scores(folder, segments, *, references):
    """COMET's own predictions, with errors where it marks any."""
    from comet import load_from_checkpoint

    model = load_from_checkpoint(str(folder / "checkpoints" / "model.ckpt"), local_files_only=True)
    sides = {"src": "source", "mt": "output", **({"ref": "reference"} if references else {})}
    columns = [segments[name] for name in sides.values()]
    samples = [dict(zip(sides, row, strict=True)) for row in zip(*columns, strict=True)]
    got = model.predict(samples, batch_size=4, gpus=0, progress_bar=False)
    spans = got.get("metadata", {}).get("error_spans") if "metadata" in got else None
    return {"scores": got.scores, "spans": spans}


def bleurt(folder, vocabulary):
    """A BLEURT of random weights."""
    import torch
    from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification
    from transformers import BertTokenizerFast

    torch.manual_seed(5)
    folder.mkdir(parents=True)
    BertTokenizerFast(vocab_file=str(vocabulary / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    config = BleurtConfig(
        vocab_size=len((vocabulary / "vocab.txt").read_text(encoding="utf-8").split("\n")) - 1,
        hidden_size=16,
        embedding_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        attention_head_size=8,
        intermediate_size=24,
        max_position_embeddings=64,
        initializer_range=0.4,
        num_labels=1,
    )
    BleurtForSequenceClassification(config).save_pretrained(folder)
    return folder


def bleurt_scores(folder, segments):
    """bleurt-pytorch's scores as its README has them computed, one segment at a time."""
    import torch
    from bleurt_pytorch import BleurtForSequenceClassification, BleurtTokenizer

    model = BleurtForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = BleurtTokenizer.from_pretrained(folder)
    scores = []
    with torch.no_grad():
        for reference, output in zip(segments["reference"], segments["output"], strict=True):
            inputs = tokenizer([reference], [output], padding="longest", return_tensors="pt")
            scores += model(**inputs).logits.flatten().tolist()
    return {"scores": scores}


def metricx(folder):
    """An mT5 of random weights: four numbers a token, so that it is small in spite of its 250,112 tokens."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import MT5Config, MT5ForConditionalGeneration, PreTrainedTokenizerFast

    torch.manual_seed(7)
    config = MT5Config(
        vocab_size=250112, d_model=4, d_kv=2, d_ff=8, num_layers=2, num_decoder_layers=2, num_heads=2
    )
    model = MT5ForConditionalGeneration(config)
    with torch.no_grad():  # so that scores lie between 0 and 25, where nothing is clipped
        ids = torch.tensor([[10, 11, 12]])
        start = torch.zeros((1, 1), dtype=torch.long)
        state = model(
            input_ids=ids, decoder_input_ids=start, output_hidden_states=True
        ).decoder_hidden_states[-1]
        model.lm_head.weight[250089] = 2.5 * state[0, 0] + torch.tensor([0.9, -0.6, 1.2, 0.3])
    model.save_pretrained(folder)
    vocabulary = ["<pad>", "</s>", "<unk>", "source", "candidate", "reference", ":", *WORDS]
    made = Tokenizer(models.WordLevel({word: i for i, word in enumerate(vocabulary)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    PreTrainedTokenizerFast(tokenizer_object=made, eos_token="</s>", pad_token="<pad>").save_pretrained(
        folder
    )
    return folder


def metricx_scores(folder, segments):
    """The scores of Google's class (as mbrs has it), which Google's program gives texts without their last token."""
    import torch
    from mbrs.metrics.metricx import MT5ForRegression
    from transformers import AutoTokenizer

    model = MT5ForRegression.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    shapes = {
        "24": "source: {source} candidate: {output} reference: {reference}",
        "24-qe": "source: {source} candidate: {output}",
        "23": "candidate: {output} reference: {reference}",
        "23-qe": "candidate: {output} source: {source}",
    }
    rows = [dict(zip(segments, row, strict=True)) for row in zip(*segments.values(), strict=True)]
    values = {}
    for name, shape in shapes.items():
        values[name] = []
        for row in rows:
            inputs = tokenizer(shape.format(**row), return_tensors="pt")
            with torch.no_grad():
                got = model(inputs["input_ids"][:, :-1], inputs["attention_mask"][:, :-1])
            values[name].append(float(got.predictions[0]))
    return values


def main(folder, segments, names):
    encoder = bert(folder / "bert")
    values = {"bertscore": bertscores(encoder, segments)}
    kinds = {
        "regression": ("regression_metric", True),
        "referenceless": ("referenceless_regression_metric", False),
        "kiwi": ("unified_metric", False),
        "xcomet": ("xcomet_metric", True),
        "xcomet-qe": ("xcomet_metric", False),
    }
    for name, (kind, references) in kinds.items():
        if not names or name in names:
            place = comet(folder / name, kind, encoder)
            values[name] = comet_scores(place, segments, references=references)
    if not names or "bleurt" in names:
        values["bleurt"] = bleurt_scores(bleurt(folder / "bleurt", encoder), segments)
    if not names or "metricx" in names:
        values["metricx"] = metricx_scores(metricx(folder / "metricx"), segments)
    return values


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with open(sys.argv[2], encoding="utf-8") as file:
        given = json.load(file)
    json.dump(main(Path(sys.argv[1]), given, sys.argv[3:]), answers)
    answers.close()
