"""Neural models in a process of their own: `main.py` speaks JSON lines, a file beside it knows a family of models.

Nothing here imports adjudge, and nothing outside imports what is here: the files are run by a Python that has the
packages of the model, which may be another one than adjudge's (`python=` of the metrics), for those packages want
releases of numpy and transformers that nothing else does. `adjudge.text.models` talks to them.
"""
