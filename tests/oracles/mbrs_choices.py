"""What mbrs chooses from lists of hypotheses, and the processor time that it takes. Run by a Python that has it.

    python mbrs_choices.py LISTS.json METRIC > choices.json

METRIC is chrf, fastchrf, aggregated (fastchrf with one reference made of all) or bleu; LISTS has a list of texts for
each segment. The time is that of this process and of those it starts, without imports.
"""

import json
import os
import sys

from mbrs.decoders import DecoderAggregateMBR, DecoderMBR
from mbrs.metrics import MetricBLEU, MetricChrF


def decoder_of(name):
    """The decoder with one worker: what several of them cost is no part of the metric."""
    if name == "bleu":
        metric = MetricBLEU(MetricBLEU.Config(num_workers=1))
    else:
        metric = MetricChrF(MetricChrF.Config(fastchrf=name != "chrf", num_workers=1))
    kind = DecoderAggregateMBR if name == "aggregated" else DecoderMBR
    return kind(kind.Config(), metric)


def seconds():
    """Processor time so far."""
    return sum(os.times()[:4])


def main(path, name):
    """Print the choices."""
    with open(path, encoding="utf-8") as file:
        lists = json.load(file)
    decoder = decoder_of(name)
    decoder.decode(["a b", "a c"], ["a b", "a c"])  # whatever is loaded late
    start = seconds()
    choices = [decoder.decode(own, own).idx[0] for own in lists]
    print(json.dumps({"choices": choices, "seconds": seconds() - start}))


if __name__ == "__main__":
    main(*sys.argv[1:])
