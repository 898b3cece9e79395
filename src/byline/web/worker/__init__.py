"""What the page's workers do, each in a process of its own: the functions of the command line."""
