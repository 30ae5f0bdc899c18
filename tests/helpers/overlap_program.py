"""A program for `command`: the share of the output's words that a reference has."""

import json
import sys

for line in sys.stdin:
    row = json.loads(line)
    words = row["output"].split()
    shares = [sum(word in text.split() for word in words) / max(1, len(words)) for text in row["references"]]
    print(max(shares, default=0.0), flush=True)
