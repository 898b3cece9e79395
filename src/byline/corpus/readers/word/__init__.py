"""Word documents (``.docx``): the text as it would be printed."""
