"""Language models as judges: what they are asked, over HTTP, and what their answers mean."""
