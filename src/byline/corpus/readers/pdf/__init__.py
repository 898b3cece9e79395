"""PDF: from the places of lines on pages to paragraphs."""
