"""The page for decision-makers, of one test set or several."""
