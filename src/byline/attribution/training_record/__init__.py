"""Training record."""
