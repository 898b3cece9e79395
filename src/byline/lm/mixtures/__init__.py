"""Mixtures."""
