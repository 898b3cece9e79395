"""Save fitted attributors to files and load them, without pickle.

Loading constructs only classes that are named here, and imports nothing that a file names.
"""
