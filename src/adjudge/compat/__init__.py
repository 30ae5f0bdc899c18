"""Surfaces of other tools over adjudge's metrics, for those who want to change one import only."""
