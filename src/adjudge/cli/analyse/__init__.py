"""Where and why systems differ: errors, words, n-grams, groups of segments."""
