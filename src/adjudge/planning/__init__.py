"""How many judgements or segments are enough, before and while people judge."""
