"""Where rows are computed and kept."""
