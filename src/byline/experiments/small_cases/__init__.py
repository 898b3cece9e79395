"""Small cases of attribution: a few candidates, each with a few known texts.

`cases` takes cases from the corpora that `sources` reads, of the sizes that `grid` lists; `answers`
answers them, `cells` measures the answers, and `run` runs the whole benchmark.
"""
