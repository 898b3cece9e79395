"""Reproduction of Ge & Sun (2016): tables, figures and errata from the folder of a run."""
