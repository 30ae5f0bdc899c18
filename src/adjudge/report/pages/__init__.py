"""Pages for a browser: reports, studies, summaries for decision-makers, alignments, histories."""
