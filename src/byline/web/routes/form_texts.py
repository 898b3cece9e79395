"""The questioned texts of a form: a pasted text, or files."""

from __future__ import annotations

from byline.errors import UsageError
from byline.web.messages import Upload
from byline.web.routes.base import TEXT
from byline.web.uploads import Form

MAX_TEXTS = 100  # of one form


def texts_of_form(form: Form) -> list[Upload]:
    """Return the pasted text of a form, or its files.

    Raises
    ------
    UsageError
        There is no text, there are both kinds, or there are too many files.
    """
    files = files_of_form(form)
    pasted = [each for each in form.uploads(TEXT) if each.path.read_bytes().strip()]
    if not pasted and not files:
        raise UsageError("there is no text: paste one, or choose a file")
    if pasted and files:
        raise UsageError("there are both a pasted text and a file: send one at a time")
    return pasted or files


def text_of_form(form: Form) -> Upload:
    """Return the pasted text of a form, or its file; errors as in `texts_of_form`."""
    texts = texts_of_form(form)
    if len(texts) > 1:
        raise UsageError(f"these are {len(texts):,} files: send one at a time")
    return texts[0]


def files_of_form(form: Form) -> list[Upload]:
    """Return the files of a form.

    Raises
    ------
    UsageError
        There are too many.
    """
    files = form.uploads("file")
    if len(files) > MAX_TEXTS:
        raise UsageError(
            f"these are {len(files):,} files, but the page reads at most {MAX_TEXTS} at once; "
            "send them in several parts, or use the command line"
        )
    return files
