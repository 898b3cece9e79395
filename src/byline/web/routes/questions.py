"""Routes of questioned texts and of jobs."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from byline.errors import UsageError
from byline.report.case import case_html
from byline.report.html import POLICY
from byline.web import pages
from byline.web.jobs import AddResult, AskResult, JobKind
from byline.web.routes.base import TEXT, Routes
from byline.web.uploads import Form

MAX_LISTED = 10
# A report is one file with its own style and script. It has an opaque origin, so that even a script
# that somebody hides in a text can neither read nor change anything on this server.
REPORT_POLICY = f"{POLICY}; sandbox allow-scripts allow-downloads"


class QuestionRoutes(Routes):
    """Ask who wrote a text; follow and stop jobs."""

    def show_form(self, request: Request) -> Response:
        """Show the form for a questioned text."""
        return self._show_form(request)

    async def ask(self, request: Request) -> Response:
        """Accept a text, and start its attribution."""
        return await self._start_with_form(request, self._ask, self._show_form, long=(TEXT,))

    def _ask(self, job: str, form: Form) -> None:
        texts = [*form.uploads(TEXT), *form.uploads("file")]
        pasted = [upload for upload in texts if not upload.is_file]
        if pasted and not pasted[0].path.read_bytes().strip():
            texts.remove(pasted[0])
        if not texts:
            raise UsageError("there is no text: paste one, or choose a file")
        if len(texts) > 1:
            raise UsageError("there are both a pasted text and a file: send one at a time")
        open_set = form.fields.get("open_set") == "on"
        self.state.ask(
            job,
            form.fields.get("model"),
            texts[0],
            open_set=open_set,
            speaker=form.fields.get("speaker", "").strip(),
            n_bytes=form.n_bytes,
        )

    def _show_form(self, request: Request, message: str | None = None, text: str = "") -> Response:
        # A person who shares the server with others is not shown what they asked.
        n_listed = MAX_LISTED if self.policy.is_local else 0
        earlier = self.state.queue.jobs(JobKind.ASK, n_listed)
        return self._page(pages.ask_page, request, text=text, message=message, earlier=earlier)

    def show_job(self, request: Request) -> Response:
        """Show the page of a job."""
        job = self._job(request)
        if isinstance(job.result, AddResult):
            return RedirectResponse(f"/known?added={job.id}", 303)
        return self._page(pages.job_page, request, job)

    async def job_state(self, request: Request) -> Response:
        """Return the progress of a job as JSON."""
        job = self.state.queue.get(request.path_params["job"], with_result=False)
        if job is None:
            return JSONResponse({"state": "gone"}, 404)
        return JSONResponse(
            {
                "state": job.state,
                "done": job.done,
                "total": job.total,
                "what": job.what,
                "ahead": job.ahead,
                "progress": pages.progress_sentence(job),
            }
        )

    async def stop_job(self, request: Request) -> Response:
        """Stop a job."""
        job = self._job(request)
        self.state.queue.stop(job.id)
        return RedirectResponse(f"/jobs/{job.id}", 303)

    def case(self, request: Request) -> Response:
        """Send the report of a case as one file."""
        job = self._job(request)
        if not isinstance(job.result, AskResult):
            raise HTTPException(404)
        headers = {"Content-Security-Policy": REPORT_POLICY}
        if "download" in request.query_params:
            headers["Content-Disposition"] = 'attachment; filename="case.html"'
        return HTMLResponse(case_html(job.result.case), headers=headers)
