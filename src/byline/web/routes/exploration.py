"""Routes of the exploration of texts."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from byline.errors import UsageError
from byline.report.exploration import DISTANCE_NAMES
from byline.web import pages
from byline.web.jobs import JobKind
from byline.web.routes.base import Routes
from byline.web.routes.form_texts import files_of_form
from byline.web.uploads import Form

SAMPLES = "samples"
MAX_DIGITS = 6  # of a number of words


class ExplorationRoutes(Routes):
    """Show which texts are similar."""

    def show_form(self, request: Request) -> Response:
        """Show the form for an exploration."""
        return self._show_form(request)

    async def explore(self, request: Request) -> Response:
        """Start an exploration."""
        return await self._start_with_form(request, self._explore, self._show_form, long=())

    def _explore(self, job: str, form: Form) -> None:
        distance = form.fields.get("distance", "")
        if distance not in DISTANCE_NAMES:
            raise UsageError("there is no such distance; choose one of the list")
        mfw = form.fields.get("mfw", "").strip()
        if not (mfw.isascii() and mfw.isdecimal() and len(mfw) <= MAX_DIGITS and int(mfw) >= 2):
            raise UsageError("the number of words must be a number of at least 2, such as 500")
        self.state.explore(
            job,
            form.fields.get("model"),
            files_of_form(form),
            with_samples=form.fields.get("source") == SAMPLES,
            distance=distance,
            mfw=int(mfw),
            n_bytes=form.n_bytes,
        )

    def _show_form(self, request: Request, message: str | None = None) -> Response:
        _, card = self.state.models.get()
        return self._page(
            pages.explore_page,
            request,
            self.state.listed_authors(card),
            message=message,
            earlier=self._earlier(JobKind.EXPLORE),
        )
