"""What the tests of claims share: the sentences that scores would bear."""

from helpers.comparisons import comparison


def said(scores, **options):
    return comparison(scores, caveats=False, **options).claims
