"""Byline answers "who wrote this?" with one language model per candidate author."""

__version__ = "0.1.0"
