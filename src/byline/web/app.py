"""The page as an application: its routes behind their guard."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from byline.errors import BylineError
from byline.web.access_policy import AccessMiddleware, AccessPolicy
from byline.web.app_state import AppState
from byline.web.routes.asking import AskRoutes
from byline.web.routes.known import KnownRoutes
from byline.web.routes.models import ModelRoutes


def make_app(state: AppState, policy: AccessPolicy) -> ASGIApp:
    """Make the application.

    Parameters
    ----------
    desk : Desk
    door : Door
    """
    asking, known, models = (
        AskRoutes(state, policy),
        KnownRoutes(state, policy),
        ModelRoutes(state, policy),
    )
    get, post = ["GET"], ["POST"]
    routes = [
        Route("/", asking.ask_form, methods=get),
        Route("/ask", asking.ask, methods=post),
        Route("/jobs/{job}", asking.job, methods=get),
        Route("/jobs/{job}/state", asking.job_state, methods=get),
        Route("/jobs/{job}/stop", asking.stop_job, methods=post),
        Route("/jobs/{job}/case.html", asking.case, methods=get),
        Route("/known", known.known, methods=get),
        Route("/known/add", known.add_known, methods=post),
        Route("/known/remove", known.remove_known, methods=post),
        Route("/known/check", known.check_known, methods=post),
        Route("/known/learn", known.learn, methods=post),
        Route("/model", models.models, methods=get),
        Route("/model", models.choose_model, methods=post),
        Route("/model/remove", models.remove_model, methods=post),
        Route("/model/download", models.download_model, methods=get),
        Route("/evaluation", models.evaluation, methods=get),
        Route("/static/{name}", asking.static, methods=get),
    ]

    async def on_http_error(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return await asking.problem(request, status)

    async def on_error(request: Request, error: Exception) -> Response:
        return await asking.failed(request, error)

    app = Starlette(
        routes=routes,
        exception_handlers={
            HTTPException: on_http_error,
            BylineError: on_error,
            Exception: on_error,
        },
    )
    app.router.redirect_slashes = False
    return AccessMiddleware(app, policy, state.on_defect)
