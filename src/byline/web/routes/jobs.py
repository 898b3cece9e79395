"""Routes of jobs: their progress, their results, and how they are stopped."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from byline.report.html import POLICY
from byline.web.jobs import AddResult
from byline.web.outcomes import progress_sentence
from byline.web.result_pages import job_page, report_of
from byline.web.routes.base import Routes

MAX_DIGITS = 4  # of the number of a text
# A report is one file with its own style and script. It has an opaque origin, so that even a script
# that somebody hides in a text can neither read nor change anything on this server.
REPORT_POLICY = f"{POLICY}; sandbox allow-scripts allow-downloads"


class JobRoutes(Routes):
    """Follow and stop jobs, and show their results."""

    def show(self, request: Request) -> Response:
        """Show the page of a job."""
        job = self._job(request)
        if isinstance(job.result, AddResult):
            return RedirectResponse(f"/known?added={job.id}", 303)
        number = request.query_params.get("text", "")
        is_number = number.isdecimal() and len(number) <= MAX_DIGITS
        shown = job_page(self._site(request, None), job, int(number) if is_number else None)
        if shown is None:
            raise HTTPException(404)
        return HTMLResponse(shown)

    async def progress(self, request: Request) -> Response:
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
                "progress": progress_sentence(job),
            }
        )

    async def stop(self, request: Request) -> Response:
        """Stop a job."""
        job = self._job(request)
        self.state.queue.stop(job.id)
        return RedirectResponse(f"/jobs/{job.id}", 303)

    def report(self, request: Request) -> Response:
        """Send a result as one HTML file."""
        report = report_of(self._job(request))
        if report is None:
            raise HTTPException(404)
        headers = {"Content-Security-Policy": REPORT_POLICY}
        if "download" in request.query_params:
            headers["Content-Disposition"] = f'attachment; filename="{report.name}"'
        return HTMLResponse(report.html, headers=headers)
