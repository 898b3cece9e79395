"""Reproductions."""
