"""The local web page: the functions of the command line in a browser on this machine.

`byline.web.pages` makes the pages with forms, and `byline.web.result_pages` those of results, from
the dataclasses of `byline.web.jobs`. Whatever takes time is a job, which runs in a worker process.

=======  =======================  ================================================================
method   path                     response
=======  =======================  ================================================================
GET      /                        `pages.ask_page`
POST     /ask                     303 to /jobs/ID; a form without text, or too large: the form again
POST     /ask/samples             303 to /jobs/ID
GET      /verify                  `pages.verify_page`
POST     /verify                  303 to /jobs/ID, or the form again
POST     /verify/samples          303 to /jobs/ID
GET      /explore                 `pages.explore_page`
POST     /explore                 303 to /jobs/ID, or the form again
GET      /rolling                 `pages.rolling_page`
POST     /rolling                 303 to /jobs/ID, or the form again
POST     /rolling/sample          303 to /jobs/ID
GET      /jobs/ID                 `result_pages.job_page`, with ?text=N about one of several texts;
                                  for known texts that were added, 303 to /known?added=ID
GET      /jobs/ID/state           JSON: state, done, total, what, ahead, progress
POST     /jobs/ID/stop            303 to /jobs/ID
GET      /jobs/ID/report.html     `result_pages.report_of`; with ?download, as a file
GET      /known                   `pages.known_page`
POST     /known/add               303 to /jobs/ID
POST     /known/remove            303 to /known
POST     /known/check             303 to /jobs/ID
POST     /known/train             303 to /jobs/ID
GET      /model                   `pages.model_page`
POST     /model                   303 to /
POST     /model/remove            303 to /model
GET      /model/download          the file of the model ?model=ID, by default the current one
GET      /evaluation              `pages.evaluation_page` of ?model=ID, by default the current one
GET      /static/NAME             `pages.asset`
any      other                    `pages.problem_page`
=======  =======================  ================================================================

Every request needs the token of the server, in a cookie or as ?token= (`byline.web.access_policy`).

The forms have these fields, where model is the ID of the model that the form was made for, so that
a choice in another window does not affect it:

- /ask: text, file (any number), speaker, open_set ("on"), model;
- /ask/samples: sample (an ID; empty for all);
- /verify: author, text or file (one), speaker, model; /verify/samples: sample, author;
- /explore: source ("known" or "samples"), file (any number), distance, mfw, model;
- /rolling: text or file (one), model;
- /known/add: author, text, title, files (any number; author may be empty for a ZIP file or a folder
  with one folder per author);
- /known/remove: text (an ID) or author;
- /known/train: mode ("retrain" on all known texts, or "add" to a model that can grow), model;
- /model and /model/remove: model.
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
