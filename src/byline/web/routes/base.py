"""What all routes share: forms that begin jobs, pages, and what is shown of errors."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from byline.errors import BylineError, UsageError
from byline.formatting import printable
from byline.web import presenting
from byline.web.access_policy import AccessPolicy
from byline.web.app_state import AppState
from byline.web.job_queue import BusyError
from byline.web.jobs import JobStatus, ModelCard
from byline.web.uploads import MOST_BYTES, Form, FormError, read_form

MOST_UPLOADS = 24  # at once
RETRY_AFTER = "30"
TEXT = "text"
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


class Routes:
    """Routes of one page.

    Parameters
    ----------
    desk : Desk
    door : Door
    """

    def __init__(self, state: AppState, policy: AccessPolicy) -> None:
        self.state = state
        self.policy = policy
        self._n_uploads = 0

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
        board = self.state.board
        if self._n_uploads >= MOST_UPLOADS:
            raise BusyError("too many texts are coming in at once; try again in a minute")
        job = board.open_job()
        self._n_uploads += 1
        try:
            form = await read_form(request, self.state.folder.job(job), long)
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
        finally:
            self._n_uploads -= 1
        return RedirectResponse(f"/jobs/{job}", 303)

    def _begin(self, begin: Callable[[str], None]) -> Response:
        """Begin a job that has no files."""
        job = self.state.board.open_job()
        try:
            begin(job)
        except BaseException:
            self.state.board.drop_job(job)
            raise
        return RedirectResponse(f"/jobs/{job}", 303)

    def _refuse(
        self, show_form: Callable[..., Response], request: Request, complaint: str, status: int
    ) -> Response:
        response = show_form(request, complaint=complaint)
        response.status_code = status
        return response

    def _job(self, request: Request) -> JobStatus:
        job = self.state.board.get(request.path_params["job"])
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
        card = card or self.state.models.get()[1]
        return presenting.Site(
            model=card.name,
            model_id=card.id,
            authors=card.authors,
            open_set=card.open_set is not None,
            address=request.headers["host"],
            local=self.policy.is_local,
            most_bytes=MOST_BYTES,
            kept=self._kept(),
        )

    def _kept(self) -> str:
        if self.state.folder.is_temporary:
            return "until Byline is stopped"
        path = printable(self.state.folder.path)
        return f"until Byline is stopped; known texts and models stay after that, in {path}"
