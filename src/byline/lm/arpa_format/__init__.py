"""ARPA files: the format in which SRILM, KenLM and Byline exchange n-gram models."""
