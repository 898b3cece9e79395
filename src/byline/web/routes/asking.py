"""Routes of questioned texts, and of jobs."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from byline.errors import UsageError
from byline.report.case import case_html
from byline.web import presenting
from byline.web.jobs import AddResult, AskResult, JobKind
from byline.web.presenting.job import progress_words
from byline.web.routes.base import TEXT, Routes
from byline.web.uploads import Form

MOST_LISTED = 10
# A report is one file with a style of its own: nothing else may it do here.
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"


class AskRoutes(Routes):
    """A text is asked about; jobs are followed and stopped."""

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
        self.state.ask(job, model, texts[0], open_set=open_set, n_bytes=form.n_bytes)

    def _ask_form(self, request: Request, complaint: str | None = None, text: str = "") -> Response:
        # Whoever shares a page with others is not shown what they asked.
        n_listed = MOST_LISTED if self.policy.token is None else 0
        earlier = self.state.board.jobs(JobKind.ASK, n_listed)
        return self._page(
            presenting.ask_page, request, text=text, complaint=complaint, earlier=earlier
        )

    def job(self, request: Request) -> Response:
        """Show a job, however far it is."""
        job = self._job(request)
        if isinstance(job.result, AddResult):
            return RedirectResponse(f"/known?added={job.id}", 303)
        return self._page(presenting.job_page, request, job)

    async def job_state(self, request: Request) -> Response:
        """Tell how far a job is."""
        job = self.state.board.get(request.path_params["job"], with_result=False)
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
        self.state.board.stop(job.id)
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
