"""The double-dummy solver: cards, rule books, positions, referee and search."""
