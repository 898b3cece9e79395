"""The local page: the same functions as the command line, in a browser on this machine."""
