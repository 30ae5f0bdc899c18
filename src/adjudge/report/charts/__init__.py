"""Charts as SVG that needs no script."""
