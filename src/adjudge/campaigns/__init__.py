"""A campaign from its file to its judgements: what is asked, who gets what, the answers in a database."""
