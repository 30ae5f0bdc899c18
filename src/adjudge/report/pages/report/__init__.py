"""The page for researchers: every answer on one evaluation, and its segments."""
