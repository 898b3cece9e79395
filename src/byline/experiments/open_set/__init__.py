"""Open-set attribution measured: the authors of some questioned texts are no candidates."""
