"""Ngrams."""
