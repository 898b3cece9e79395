"""The local web page: the functions of the command line in a browser on this machine.

`byline.web.pages` makes every page from the dataclasses of `byline.web.jobs`. Whatever takes time
is a job, which runs in a worker process.

=======  =====================  ==================================================================
method   path                   response
=======  =====================  ==================================================================
GET      /                      `pages.ask_page`
POST     /ask                   303 to /jobs/ID; a form without text, or too large: the form again
GET      /jobs/ID               `pages.job_page`; for known texts that were added, 303 to
                                /known?added=ID
GET      /jobs/ID/state         JSON: state, done, total, what, ahead, progress
POST     /jobs/ID/stop          303 to /jobs/ID
GET      /jobs/ID/case.html     `byline.report.case_html`; with ?download, as a file
GET      /known                 `pages.known_page`
POST     /known/add             303 to /jobs/ID
POST     /known/remove          303 to /known
POST     /known/check           303 to /jobs/ID
POST     /known/train           303 to /jobs/ID
GET      /model                 `pages.model_page`
POST     /model                 303 to /
POST     /model/remove          303 to /model
GET      /model/download        the file of the model ?model=ID, by default the current one
GET      /evaluation            `pages.evaluation_page` of ?model=ID, by default the current one
GET      /static/NAME           `pages.asset`
any      other                  `pages.problem_page`
=======  =====================  ==================================================================

Every request needs the token of the server, in a cookie or as ?token= (`byline.web.access_policy`).

The form of /ask has the fields text, file (one), open_set ("on") and model (the ID of the model
that the form was made for, so that a choice in another window does not affect it). The form of
/known/add has author, text, title and files (any number; author may be empty for a ZIP file or a
folder with one folder per author). The form of /known/remove has text (an ID) or author. The form
of /known/train has mode ("retrain" on all known texts, or "add" to a model that can grow). The
forms of /model and /model/remove have model (an ID).
"""

from __future__ import annotations

from importlib.util import find_spec

from byline.errors import MissingExtraError

REQUIRED_PACKAGES = ("python_multipart", "starlette", "uvicorn")


def check_extra() -> None:
    """Check that the packages of the extra ``web`` are installed.

    Raises
    ------
    MissingExtraError
        One of them is not.
    """
    missing = [name for name in REQUIRED_PACKAGES if find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f'the local page needs {", ".join(missing)}; type: python -m pip install "byline[web]"'
        )
