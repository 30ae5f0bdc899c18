"""What everything that keeps something in a database has in common: its file, its locks, its errors in words.

No library of databases is imported here: campaigns have SQLAlchemy, a history must open in the blink of an eye.
"""
