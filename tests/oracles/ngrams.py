"""BLEU and chrF rows from the definition: count all n-grams, clip, add up."""

from collections import Counter

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def ngrams(symbols, n):
    return Counter(tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1))


def bleu_row(hypothesis, references, max_order):
    """Tokens in: length, closest reference length (the shorter of two as close), matches, totals."""
    closest = min((len(r) for r in references), key=lambda size: (abs(size - len(hypothesis)), size))
    matches, totals = [], []
    for n in range(1, max_order + 1):
        counts = ngrams(hypothesis, n)
        clip = Counter()
        for reference in references:
            clip |= ngrams(reference, n)
        matches.append(sum((counts & clip).values()))
        totals.append(sum(counts.values()))
    return [len(hypothesis), closest, *matches, *totals]


def chrf_words(line):
    words = []
    for word in line.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in PUNCTUATION:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def chrf_row(hypothesis, reference, char_order, word_order, whitespace):
    """Strings in: n-grams of both sides and matches, order by order."""

    def characters(line):
        return line if whitespace else "".join(line.split())

    pairs = [(characters(hypothesis), characters(reference), n) for n in range(1, char_order + 1)]
    pairs += [(chrf_words(hypothesis), chrf_words(reference), n) for n in range(1, word_order + 1)]
    row = []
    for hyp, ref, n in pairs:
        ours, theirs = ngrams(hyp, n), ngrams(ref, n)
        row += [ours.total() if theirs else 0, theirs.total(), (ours & theirs).total()]
    return row
