"""Tests of whether systems differ by their scores on the same segments, and which one a design asks for."""

from __future__ import annotations

DEFAULT = "randomisation"
"""Where systems were scored on the same units of one kind, and nobody asked for another test."""
TWO_KINDS = "clustered-t"
"""For units of two kinds at once, which cannot be swapped or drawn together."""
UNPAIRED = "rank-sum"
"""Where systems were scored on segments of their own."""
PAIRED = "signed-rank"
"""What finds more than that where both were scored on the same segments, and ranks are compared."""
