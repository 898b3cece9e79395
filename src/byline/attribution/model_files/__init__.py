"""What fitted attributors are made of, as members of a model file.

Reading builds only classes named here and imports nothing that a file names.
"""
