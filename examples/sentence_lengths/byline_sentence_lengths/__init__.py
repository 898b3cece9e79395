"""Add a section on the lengths of sentences to Byline's reports.

How long an author's sentences are hardly depends on the subject, and can be stated without a model.
The section has what every part of Byline's reports has: a function that turns results into a plain
dictionary, and a template that draws it. Once this package is installed, the section is in every
report for which the known texts are given:

    pip install ./examples/sentence_lengths
    byline attribute MODEL TEXT --known KNOWN --report report.html
"""

from byline_sentence_lengths.section import SECTION, lengths_part

__all__ = ["SECTION", "lengths_part"]
