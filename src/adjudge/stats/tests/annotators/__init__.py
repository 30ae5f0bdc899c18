"""Tests of whether an annotator scores damaged translations worse than whole ones."""

DEFAULT = "paired-t"
