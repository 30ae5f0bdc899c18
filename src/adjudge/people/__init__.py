"""What people's judgements say of systems: scores, tests, clusters, and what may be claimed."""
