"""What each route does: takes a form, has it done, and shows what there is to show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
)

from byline.corpus.findings import count
from byline.corpus.names import printable
from byline.errors import BylineError, UsageError
from byline.report.case import case_html
from byline.web import presenting
from byline.web.board import BusyError
from byline.web.desk import Desk
from byline.web.guard import Door
from byline.web.jobs import AddResult, AskResult, Job, Kind, ModelCard
from byline.web.presenting.job import progress_words
from byline.web.tasks import How
from byline.web.uploads import MOST_BYTES, Form, FormError, read_fields, read_form

MOST_LISTED = 10
MOST_AUTHOR = 100  # characters of a name
RETRY_AFTER = "30"
TEXT = "text"
# A report is one file with a style of its own: nothing else may it do here.
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

TITLES = {
    400: "This cannot be taken",
    404: "There is nothing here",
    405: "This cannot be done here",
    408: "That took too long",
    413: "That is too large",
    422: "This cannot be done",
    503: "Too many are waiting",
    500: "There is a defect in Byline",
}
MESSAGES = {
    404: "What was here is no longer kept, or never was: answers are let go after some hours, and "
    "when there are many.",
    405: "The page is asked for in a way that it does not know.",
    500: "This page cannot be shown. Others may work; please report it if it happens again.",
}


class Pages:
    """The routes' functions.

    Parameters
    ----------
    desk : Desk
    door : Door
    """

    def __init__(self, desk: Desk, door: Door) -> None:
        self.desk = desk
        self.door = door

    # A text is asked about

    def ask_form(self, request: Request) -> Response:
        """Show the form of the text."""
        return self._ask_form(request)

    async def ask(self, request: Request) -> Response:
        """Take a text, and have it attributed."""
        return await self._with_job(request, self._ask, self._ask_form, long=(TEXT,))

    def _ask(self, job: str, form: Form) -> None:
        texts = [*form.uploads(TEXT), *form.uploads("file")]
        pasted = [upload for upload in texts if not upload.is_file]
        if pasted and not pasted[0].path.read_bytes().strip():
            texts.remove(pasted[0])
        if not texts:
            raise UsageError("there is no text: paste one, or choose a file")
        if len(texts) > 1:
            raise UsageError("there are a pasted text and a file: ask about one of them at a time")
        open_set = form.fields.get("open_set") == "on"
        model = form.fields.get("model")
        self.desk.ask(job, model, texts[0], open_set=open_set, n_bytes=form.n_bytes)

    def _ask_form(self, request: Request, complaint: str | None = None, text: str = "") -> Response:
        # Whoever shares a page with others is not shown what they asked.
        n_listed = MOST_LISTED if self.door.token is None else 0
        earlier = self.desk.board.jobs(Kind.ASK, n_listed)
        return self._page(
            presenting.ask_page, request, text=text, complaint=complaint, earlier=earlier
        )

    # Jobs

    def job(self, request: Request) -> Response:
        """Show a job, however far it is."""
        job = self._job(request)
        if isinstance(job.result, AddResult):
            return RedirectResponse(f"/known?added={job.id}", 303)
        return self._page(presenting.job_page, request, job)

    async def job_state(self, request: Request) -> Response:
        """Tell how far a job is."""
        job = self.desk.board.get(request.path_params["job"], with_result=False)
        if job is None:
            return JSONResponse({"state": "gone"}, 404)
        return JSONResponse(
            {
                "state": job.state,
                "done": job.done,
                "total": job.total,
                "what": job.what,
                "ahead": job.ahead,
                "says": progress_words(job),
            }
        )

    async def stop_job(self, request: Request) -> Response:
        """Stop a job."""
        job = self._job(request)
        self.desk.board.stop(job.id)
        return RedirectResponse(f"/jobs/{job.id}", 303)

    def case(self, request: Request) -> Response:
        """Show the report of a case, as one file."""
        job = self._job(request)
        if not isinstance(job.result, AskResult):
            raise HTTPException(404)
        headers = {"Content-Security-Policy": REPORT_POLICY}
        if "download" in request.query_params:
            headers["Content-Disposition"] = 'attachment; filename="case.html"'
        return HTMLResponse(case_html(job.result.case), headers=headers)

    # Known texts

    def known(self, request: Request) -> Response:
        """Show the known texts."""
        added = self.desk.board.get(request.query_params.get("added", ""))
        said = _said(added.result) if added and isinstance(added.result, AddResult) else None
        removed = request.query_params.get("removed", "")
        if removed.isdecimal():
            said = f"{count(int(removed), 'text')} removed."
        return self._known(request, said=said)

    async def add_known(self, request: Request) -> Response:
        """Take known texts, and have them read."""
        return await self._with_job(request, self._add, self._known, long=(TEXT,))

    def _add(self, job: str, form: Form) -> None:
        author = printable(form.fields.get("author", "").strip())
        if len(author) > MOST_AUTHOR:
            raise UsageError(f"an author's name has at most {MOST_AUTHOR} characters; shorten it")
        files = [upload for upload in form.uploads("files") if upload.path.stat().st_size]
        for upload in form.uploads(TEXT):
            title = printable(form.fields.get("title", "").strip())[:MOST_AUTHOR]
            if upload.path.read_bytes().strip():
                files.append(replace(upload, name=title or upload.name))
        if not files:
            raise UsageError("there is nothing to add: choose files or a folder, or paste a text")
        self.desk.add(job, author, files, form.n_bytes)

    async def remove_known(self, request: Request) -> Response:
        """Remove a known text, or all of an author."""
        fields = await read_fields(request)
        if "author" in fields:
            n_removed = self.desk.known.remove_author(fields["author"])
        else:
            n_removed = int(self.desk.known.remove(fields.get(TEXT, "")) is not None)
        return RedirectResponse(f"/known?removed={n_removed}", 303)

    async def check_known(self, request: Request) -> Response:
        """Have the known texts checked."""
        fields = await read_fields(request)
        return self._begin(lambda job: self.desk.check(job, fields.get("model")))

    async def learn(self, request: Request) -> Response:
        """Have a new model learnt."""
        fields = await read_fields(request)
        how = How.ADD if fields.get("how") == How.ADD else How.ANEW
        try:
            return self._begin(lambda job: self.desk.learn(job, fields.get("model"), how))
        except UsageError as error:
            return await run_in_threadpool(self._refuse, self._known, request, str(error), 422)

    def _known(
        self, request: Request, complaint: str | None = None, said: str | None = None
    ) -> Response:
        _, card = self.desk.models.get()
        return self._page(
            presenting.known_page,
            request,
            self.desk.known_authors(card),
            complaint=complaint,
            said=said,
            can_add=card.can_grow,
            why_not=self.desk.why_not_learn(card),
        )

    # Models

    def models(self, request: Request) -> Response:
        """Show the models there are."""
        return self._models(request)

    async def choose_model(self, request: Request) -> Response:
        """Let another model answer."""
        fields = await read_fields(request)
        self.desk.models.choose(fields.get("model", ""))
        return RedirectResponse("/", 303)

    async def remove_model(self, request: Request) -> Response:
        """Delete a model that was learnt here."""
        fields = await read_fields(request)
        try:
            self.desk.models.remove(fields.get("model", ""))
        except UsageError as error:
            return await run_in_threadpool(self._refuse, self._models, request, str(error), 422)
        return RedirectResponse("/model", 303)

    async def download_model(self, request: Request) -> Response:
        """Hand out the file of a model."""
        file, _ = self.desk.models.get(request.query_params.get("model"))
        return FileResponse(file.path, filename=file.name, media_type="application/octet-stream")

    def evaluation(self, request: Request) -> Response:
        """Show how well a model did on known texts that were held out of it."""
        _, card = self.desk.models.get(request.query_params.get("model"))
        return self._page(presenting.evaluation_page, request, card.performance, card=card)

    def _models(self, request: Request, complaint: str | None = None) -> Response:
        cards = self.desk.models.cards
        return self._page(presenting.model_page, request, cards, complaint=complaint)

    # What all share

    async def static(self, request: Request) -> Response:
        """Hand out a style, a script or a picture."""
        found = presenting.asset(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return Response(found.content, media_type=found.media_type)

    async def problem(self, request: Request, status: int) -> Response:
        """Show that something cannot be done."""
        return await run_in_threadpool(self._problem, request, status, MESSAGES.get(status, ""))

    async def failed(self, request: Request, error: Exception) -> Response:
        """Show why something failed: our error's message, or that there is a defect."""
        if isinstance(error, BusyError):
            status = 503
        elif isinstance(error, FormError):
            status = error.status
        else:
            status = 422 if isinstance(error, BylineError) else 500
        message = str(error) if isinstance(error, BylineError) else MESSAGES[500]
        return await run_in_threadpool(self._problem, request, status, message)

    def _problem(self, request: Request, status: int, message: str) -> Response:
        title = TITLES.get(status, HTTPStatus(status).phrase)
        response = self._page(presenting.problem_page, request, title, message)
        response.status_code = status
        if status == 503:
            response.headers["Retry-After"] = RETRY_AFTER
        return response

    async def _with_job(
        self,
        request: Request,
        begin: Callable[[str, Form], None],
        show_form: Callable[..., Response],
        *,
        long: tuple[str, ...],
    ) -> Response:
        """Read a form into the folder of a new job, and begin it; else show the form again."""
        board = self.desk.board
        job = board.open_job()
        try:
            form = await read_form(request, self.desk.folder.job(job), long)
            await run_in_threadpool(begin, job, form)
        except (UsageError, FormError) as error:
            board.drop_job(job)
            status = error.status if isinstance(error, FormError) else 422
            return await run_in_threadpool(self._refuse, show_form, request, str(error), status)
        except ClientDisconnect:
            board.drop_job(job)
            return Response(status_code=400)
        except BaseException:
            board.drop_job(job)
            raise
        return RedirectResponse(f"/jobs/{job}", 303)

    def _begin(self, begin: Callable[[str], None]) -> Response:
        """Begin a job that has no files."""
        job = self.desk.board.open_job()
        try:
            begin(job)
        except BaseException:
            self.desk.board.drop_job(job)
            raise
        return RedirectResponse(f"/jobs/{job}", 303)

    def _refuse(
        self, show_form: Callable[..., Response], request: Request, complaint: str, status: int
    ) -> Response:
        response = show_form(request, complaint=complaint)
        response.status_code = status
        return response

    def _job(self, request: Request) -> Job:
        job = self.desk.board.get(request.path_params["job"])
        if job is None:
            raise HTTPException(404)
        return job

    def _page(
        self,
        show: Callable[..., str],
        request: Request,
        *values: Any,
        card: ModelCard | None = None,
        **named: Any,
    ) -> HTMLResponse:
        return HTMLResponse(show(self._site(request, card), *values, **named))

    def _site(self, request: Request, card: ModelCard | None) -> presenting.Site:
        card = card or self.desk.models.get()[1]
        return presenting.Site(
            model=card.name,
            model_id=card.id,
            authors=card.authors,
            open_set=card.open_set is not None,
            address=request.headers["host"],
            local=self.door.is_local,
            most_bytes=MOST_BYTES,
            kept=self._kept(),
        )

    def _kept(self) -> str:
        if self.desk.folder.is_temporary:
            return "until Byline is stopped"
        path = printable(self.desk.folder.path)
        return f"until Byline is stopped; known texts and models stay after that, in {path}"


def _said(result: AddResult) -> str:
    authors = sorted({author for author, _, _ in result.added})
    n_words = sum(n_words for _, _, n_words in result.added)
    by = authors[0] if len(authors) == 1 else f"{len(authors):,} authors"
    said = f"{count(len(result.added), 'text')} by {by} added, {count(n_words, 'word')}."
    return " ".join([said, *result.notes])
