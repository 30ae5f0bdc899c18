"""Power of campaigns: answers, tables and documents."""
