"""Pretrained causal language models whose training is continued for each author."""
