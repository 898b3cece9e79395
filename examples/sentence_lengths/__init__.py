"""A report part of one's own: how long sentences are, in the report of a case.

How long an author's sentences are hardly depends on the subject, and can be told without a model.
The part has what every part of Byline's reports has: a function that turns results into a plain
dict, and a template that draws it, here in a section behind the case's own.

    PYTHONPATH=examples python -m sentence_lengths MODEL KNOWN TEXT REPORT.html
"""

from sentence_lengths.part import case_with_lengths_html, lengths_part

__all__ = ["case_with_lengths_html", "lengths_part"]
