"""Names and numbers as people read them, on terminals, pages and in papers."""
