"""What a model was trained on: digests, fingerprints and word frequencies of the known texts."""
