"""Several test sets at once: one file says what is evaluated."""
