"""Arpa format."""
