"""Evaluations over time: every one kept with its rows, a system's line over versions, and what changed on it.

`records.py` keeps them in a database (`connection.py`, `schema.py`), `evaluations.py` makes records of results, and
`lines.py` puts them beside each other: only what can be compared is compared.
"""
