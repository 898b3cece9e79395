"""Read PDF: from the positions of lines on pages to paragraphs."""
