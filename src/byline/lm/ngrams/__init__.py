"""N-gram models: counts, smoothing, back-off, adaptation, and many models in one index."""
