"""What lies behind scores: arrays and alignments in, frozen results out."""
