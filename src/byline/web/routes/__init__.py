"""The routes of the page: each reads a form, starts a job or changes a store, and shows a page."""
