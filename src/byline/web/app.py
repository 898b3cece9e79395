"""The page as an application: its routes behind their guard."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from byline.errors import BylineError
from byline.web.desk import Desk
from byline.web.guard import Door, Guard
from byline.web.pages import Pages


def make_app(desk: Desk, door: Door) -> ASGIApp:
    """Make the application.

    Parameters
    ----------
    desk : Desk
    door : Door
    """
    pages = Pages(desk, door)
    get, post = ["GET"], ["POST"]
    routes = [
        Route("/", pages.ask_form, methods=get),
        Route("/ask", pages.ask, methods=post),
        Route("/jobs/{job}", pages.job, methods=get),
        Route("/jobs/{job}/state", pages.job_state, methods=get),
        Route("/jobs/{job}/stop", pages.stop_job, methods=post),
        Route("/jobs/{job}/case.html", pages.case, methods=get),
        Route("/known", pages.known, methods=get),
        Route("/known/add", pages.add_known, methods=post),
        Route("/known/remove", pages.remove_known, methods=post),
        Route("/known/check", pages.check_known, methods=post),
        Route("/known/learn", pages.learn, methods=post),
        Route("/model", pages.models, methods=get),
        Route("/model", pages.choose_model, methods=post),
        Route("/model/remove", pages.remove_model, methods=post),
        Route("/model/download", pages.download_model, methods=get),
        Route("/evaluation", pages.evaluation, methods=get),
        Route("/static/{name}", pages.static, methods=get),
    ]

    async def on_http_error(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return await pages.problem(request, status)

    async def on_error(request: Request, error: Exception) -> Response:
        return await pages.failed(request, error)

    app = Starlette(
        routes=routes,
        exception_handlers={
            HTTPException: on_http_error,
            BylineError: on_error,
            Exception: on_error,
        },
    )
    app.router.redirect_slashes = False
    return Guard(app, door, desk.on_defect)
