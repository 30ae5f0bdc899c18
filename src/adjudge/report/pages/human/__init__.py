"""What people said, in sections: ratings, rankings, post-edits, agreement, campaigns."""
