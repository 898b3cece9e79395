"""Read HTML pages, and the chapters of e-books."""
