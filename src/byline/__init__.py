"""Byline answers "who wrote this?" with language models and n-grams of candidate authors."""

__version__ = "0.1.0"
