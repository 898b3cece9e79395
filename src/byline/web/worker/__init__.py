"""Worker processes of the page, which call the same functions as the command line."""
