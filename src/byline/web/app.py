"""The web application: its routes, and the access policy in front of them."""

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
from byline.web.routes.known_texts import KnownTextRoutes
from byline.web.routes.models import ModelRoutes
from byline.web.routes.questions import QuestionRoutes


def make_app(state: AppState, policy: AccessPolicy) -> ASGIApp:
    """Make the application.

    Parameters
    ----------
    state : AppState
    policy : AccessPolicy
    """
    questions = QuestionRoutes(state, policy)
    known, models = KnownTextRoutes(state, policy), ModelRoutes(state, policy)
    get, post = ["GET"], ["POST"]
    routes = [
        Route("/", questions.show_form, methods=get),
        Route("/ask", questions.ask, methods=post),
        Route("/jobs/{job}", questions.show_job, methods=get),
        Route("/jobs/{job}/state", questions.job_state, methods=get),
        Route("/jobs/{job}/stop", questions.stop_job, methods=post),
        Route("/jobs/{job}/case.html", questions.case, methods=get),
        Route("/known", known.show_texts, methods=get),
        Route("/known/add", known.add, methods=post),
        Route("/known/remove", known.remove, methods=post),
        Route("/known/check", known.check, methods=post),
        Route("/known/train", known.train, methods=post),
        Route("/model", models.show_models, methods=get),
        Route("/model", models.choose, methods=post),
        Route("/model/remove", models.remove, methods=post),
        Route("/model/download", models.download, methods=get),
        Route("/evaluation", models.evaluation, methods=get),
        Route("/static/{name}", questions.static, methods=get),
    ]

    async def on_http_error(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return await questions.problem(request, status)

    async def on_error(request: Request, error: Exception) -> Response:
        return await questions.failed(request, error)

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
