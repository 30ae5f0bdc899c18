"""What all databases have in common: the file, its locks, and errors in words.

No database library is imported here: campaigns use SQLAlchemy, but a history must open fast.
"""
