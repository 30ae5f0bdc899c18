"""Who computes rows, and how nothing is computed twice: threads here or a cluster, chunk by chunk; rows by content."""
