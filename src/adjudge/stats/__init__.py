"""Decisions from numbers: arrays and a callable in, frozen results out."""
