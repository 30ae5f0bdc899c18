"""Tests of whether one metric agrees with people better than another."""

DEFAULT = "permutation"
NO_TEST = "none"
"""What people say who want none."""
