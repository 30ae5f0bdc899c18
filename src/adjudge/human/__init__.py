"""What people said of translations, and what follows from it."""
