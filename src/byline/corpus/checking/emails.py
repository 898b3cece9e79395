"""Find what is not the author's running text in messages that were saved as plain text."""

from __future__ import annotations

from byline.corpus.checking.edits import Edit, remove_lines
from byline.corpus.document import Document
from byline.corpus.emails.parts import email_parts


def find_email_parts(document: Document) -> list[Edit]:
    """Find the parts of an e-mail that its author did not write as running text.

    The codes are ``email-headers``, ``quoted-lines`` (lines that begin with ">", and everything
    after "Original Message", "On ... wrote:" or the headers of another message),
    ``email-signature`` and ``email-disclaimer``.
    """
    text = document.text
    end = len(text.rstrip())
    return [
        remove_lines(text, start, stop, code) if stop < end else Edit(start, len(text), "", code)
        for start, stop, code in email_parts(text)
    ]
