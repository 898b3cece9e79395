"""What all routes share: forms that start jobs, pages, and error messages."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from byline.errors import BylineError, UsageError
from byline.formatting import printable
from byline.shortages import (
    DISK_ADVICE,
    SHORT_MEMORY_ADVICE,
    is_disk_shortage,
    is_memory_shortage,
)
from byline.web import pages
from byline.web.access_policy import AccessPolicy
from byline.web.app_state import AppState
from byline.web.job_queue import MAX_RESULT_BYTES, MAX_RESULTS, SECONDS_KEPT, BusyError
from byline.web.jobs import JobKind, JobStatus, ModelCard
from byline.web.uploads import MAX_BYTES, Form, FormError, read_form

MAX_UPLOADS = 24  # at the same time
RETRY_AFTER = "30"
MAX_LISTED = 10  # earlier jobs
ANSWERS_KEPT = (
    "Texts and answers are deleted when Byline is stopped. While it runs, they are kept for "
    f"{SECONDS_KEPT / 3600:g} hours, and for less time if there are more than {MAX_RESULTS} "
    f"results or more than {MAX_RESULT_BYTES / 2**20:g} MiB of them. Old ones are deleted when the "
    "page is next used."
)
TEXT = "text"
TITLES = {
    400: "This form cannot be accepted",
    404: "This page does not exist",
    405: "This cannot be done here",
    408: "The upload took too long",
    413: "The upload is too large",
    422: "This cannot be done",
    503: "Too many jobs are waiting",
    507: "This computer cannot do this at present",
    500: "There is a defect in Byline",
}
MESSAGES = {
    404: "It may have been deleted: answers are deleted after some hours, or when there are many.",
    405: "The page does not support this kind of request.",
    500: "This page cannot be shown. Other pages may work. Please report the defect if it happens "
    "again.",
}


class Routes:
    """Routes of one server.

    Parameters
    ----------
    state : AppState
    policy : AccessPolicy
    """

    def __init__(self, state: AppState, policy: AccessPolicy) -> None:
        self.state = state
        self.policy = policy
        self._n_uploads = 0

    async def static(self, request: Request) -> Response:
        """Send a style sheet, script or icon."""
        found = pages.asset(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return Response(found.content, media_type=found.media_type)

    async def problem(self, request: Request, status: int) -> Response:
        """Show the page of an HTTP error."""
        return await run_in_threadpool(self._problem, request, status, MESSAGES.get(status, ""))

    async def failed(self, request: Request, error: Exception) -> Response:
        """Show the message of an error of Byline's own or of this machine, or of a defect."""
        if isinstance(error, BusyError):
            status, message = 503, str(error)
        elif isinstance(error, FormError):
            status, message = error.status, str(error)
        elif isinstance(error, BylineError):
            status, message = 422, str(error)
        elif is_memory_shortage(error):
            status, message = 507, SHORT_MEMORY_ADVICE
        elif isinstance(error, OSError):
            status, message = 507, self._folder_message(error)
        else:
            status, message = 500, MESSAGES[500]
        return await run_in_threadpool(self._problem, request, status, message)

    def _folder_message(self, error: OSError) -> str:
        """Explain why the folder of the page, where all routes write, cannot be used."""
        advice = f"; {DISK_ADVICE}" if is_disk_shortage(error) else ""
        path = printable(self.state.folder.path)
        return f"Byline cannot write to its folder {path}: {error.strerror}{advice}"

    def _problem(self, request: Request, status: int, message: str) -> Response:
        title = TITLES.get(status, HTTPStatus(status).phrase)
        response = self._page(pages.problem_page, request, title, message)
        response.status_code = status
        if status == 503:
            response.headers["Retry-After"] = RETRY_AFTER
        return response

    async def _start_with_form(
        self,
        request: Request,
        start: Callable[[str, Form], None],
        show_form: Callable[..., Response],
        *,
        long: tuple[str, ...],
    ) -> Response:
        """Read a form into the folder of a new job and start the job, or show the form again."""
        queue = self.state.queue
        if self._n_uploads >= MAX_UPLOADS:
            raise BusyError("too many texts are being uploaded; try again in a minute")
        job = queue.open_job()
        self._n_uploads += 1
        try:
            form = await read_form(request, self.state.folder.job(job), long)
            await run_in_threadpool(start, job, form)
        except (UsageError, FormError) as error:
            queue.drop_job(job)
            status = error.status if isinstance(error, FormError) else 422
            return await run_in_threadpool(self._refuse, show_form, request, str(error), status)
        except BaseException:
            queue.drop_job(job)
            raise
        finally:
            self._n_uploads -= 1
        return RedirectResponse(f"/jobs/{job}", 303)

    def _start(self, start: Callable[[str], None]) -> Response:
        """Start a job that has no files."""
        job = self.state.queue.open_job()
        try:
            start(job)
        except BaseException:
            self.state.queue.drop_job(job)
            raise
        return RedirectResponse(f"/jobs/{job}", 303)

    def _refuse(
        self, show_form: Callable[..., Response], request: Request, message: str, status: int
    ) -> Response:
        response = show_form(request, message=message)
        response.status_code = status
        return response

    def _earlier(self, kind: JobKind) -> list[JobStatus]:
        """Return the latest jobs of a kind, unless several people use the server.

        A person who shares the server with others is not shown what they asked.
        """
        return self.state.queue.jobs(kind, MAX_LISTED if self.policy.is_local else 0)

    def _job(self, request: Request) -> JobStatus:
        job = self.state.queue.get(request.path_params["job"])
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

    def _site(self, request: Request, card: ModelCard | None) -> pages.Site:
        card = card or self.state.models.get()[1]
        return pages.Site(
            model=card.name,
            model_id=card.id,
            authors=card.authors,
            open_set=card.open_set is not None,
            address=request.headers["host"],
            local=self.policy.is_local,
            max_bytes=MAX_BYTES,
            kept=self._kept(),
            answers_kept=ANSWERS_KEPT,
        )

    def _kept(self) -> str:
        if self.state.folder.is_temporary:
            return "until Byline is stopped"
        path = printable(self.state.folder.path)
        return f"in {path}, also after Byline is stopped"
