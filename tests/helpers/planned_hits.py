"""What the tests of hits share: campaigns to be planned."""

QUESTIONS = {f"d{n}": [{"question": "Who?", "answer": "he"}] for n in range(6)}
