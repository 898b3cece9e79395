"""The local page: the same functions as the command line, in a browser on this machine.

Every page is made by a function of `byline.web.presenting` from the dataclasses of
`byline.web.jobs`; what is long is a job, done in a process of its own.

=======  =====================  ==================================================================
method   path                   answer
=======  =====================  ==================================================================
GET      /                      `presenting.ask_page`
POST     /ask                   303 to /jobs/ID; a form without text, or too large: the form again
GET      /jobs/ID               `presenting.job_page`; of known texts that were added, 303 to
                                /known?added=ID
GET      /jobs/ID/state         JSON: state, done, total, what, ahead
POST     /jobs/ID/stop          303 to /jobs/ID
GET      /jobs/ID/case.html     `byline.report.case_html`; ?download as a file
GET      /known                 `presenting.known_page`
POST     /known/add             303 to /jobs/ID
POST     /known/remove          303 to /known
POST     /known/check           303 to /jobs/ID
POST     /known/learn           303 to /jobs/ID
GET      /model                 `presenting.model_page`
POST     /model                 303 to /
POST     /model/remove          303 to /model
GET      /model/download        the file of the model ?model=ID, or of the one that answers
GET      /evaluation            `presenting.evaluation_page` of ?model=ID, or the one that answers
GET      /static/NAME           `presenting.asset`
any      other                  `presenting.problem_page`
=======  =====================  ==================================================================

Forms: /ask has text, file (one), open_set ("on") and model (ID of the model that the form was made
for: what another window chooses in the meantime changes nothing here); /known/add has author, text,
title and files (any number; of a ZIP or folder with one folder an author, author may be empty);
/known/remove has text (ID), or author; /known/learn has how ("anew" from all known texts, or "add"
to a model that can grow); /model and /model/remove have model (ID).
"""
