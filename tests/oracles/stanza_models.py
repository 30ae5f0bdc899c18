"""Trains tiny models of Stanza, by its own programs, into a folder that it then reads as its own.

    PYTHON stanza_models.py FOLDER TREEBANK.conllu SENTENCES STEPS

Tokenizer, expander of words of several parts (*don't*), tagger, lemmatizer and parser learn from the first sentences of
a treebank.
"""

import hashlib
import json
import sys
from pathlib import Path

from stanza.models import lemmatizer, mwt_expander, parser, tagger, tokenizer
from stanza.utils.datasets.common import prepare_tokenizer_dataset_labels

PROGRAMS = {
    "tokenize": tokenizer,
    "mwt": mwt_expander,
    "pos": tagger,
    "lemma": lemmatizer,
    "depparse": parser,
}
QUICK = "--hidden_dim 32 --batch_size 8 --dropout 0 --unit_dropout 0 --lr0 0.02"
SIZES = "--hidden_dim 32 --deep_biaff_hidden_dim 32 --num_layers 1 --no_char --no_pretrain --batch_size 20"


def sentences(treebank: Path, number: int) -> list[str]:
    """The first ones, without empty nodes, which are no words."""
    blocks = treebank.read_text(encoding="utf-8").strip().split("\n\n")[:number]
    return [
        "\n".join(line for line in block.split("\n") if "." not in line.split("\t")[0] or line[0] == "#")
        for block in blocks
    ]


def text_of(block: str) -> str:
    prefix = "# text = "
    return next(line for line in block.split("\n") if line.startswith(prefix)).removeprefix(prefix)


def arguments(name: str, folder: Path, steps: str) -> list[str]:
    """Of the program that trains a model."""
    trees, texts = str(folder / "trees.conllu"), str(folder / "texts.txt")
    labels, expansions = (str(folder / f"en_tiny-ud-train{end}") for end in (".toklabels", "-mwt.json"))
    common = ["--shorthand", "en_tiny", "--save_dir", str(folder / "en" / name), "--save_name", "tiny.pt"]
    if name == "tokenize":
        common += ["--lang", "en", *QUICK.split(), "--steps", steps, "--eval_steps", steps]
        common += ["--txt_file", texts, "--label_file", labels, "--mwt_json_file", expansions]
        return [*common, "--dev_txt_file", texts, "--dev_label_file", labels, "--dev_conll_gold", trees]
    common += ["--train_file", trees, "--eval_file", trees]
    if name in ("mwt", "lemma"):
        return [*common, "--dict_only", *(["--gold_file", trees] if name == "mwt" else [])]
    return [*common, "--lang", "en", "--max_steps", steps, "--eval_interval", steps, *SIZES.split()]


def resources(folder: Path) -> dict[str, object]:
    """The file by which Stanza knows what it has."""
    digests = {
        name: hashlib.md5((folder / "en" / name / "tiny.pt").read_bytes()).hexdigest() for name in PROGRAMS
    }
    models = {name: {"tiny": {"md5": digest}} for name, digest in digests.items()}
    return {
        "en": {"lang_name": "English", **models, "packages": {"default": dict.fromkeys(PROGRAMS, "tiny")}}
    }


def main(folder: Path, treebank: Path, number: int, steps: str) -> None:
    folder.mkdir(parents=True)
    blocks = sentences(treebank, number)
    trees, texts = folder / "trees.conllu", folder / "texts.txt"
    trees.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    texts.write_text("\n\n".join(map(text_of, blocks)) + "\n\n", encoding="utf-8")
    prepare_tokenizer_dataset_labels(str(texts), str(trees), str(folder), "en_tiny", "train")
    for name, program in PROGRAMS.items():
        program.main(arguments(name, folder, steps))
    (folder / "resources.json").write_text(json.dumps(resources(folder)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
