"""Slow, obvious twins of the kernels, written from the definitions."""
