"""Routes of the rolling attribution."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from byline.web import pages
from byline.web.jobs import JobKind
from byline.web.routes.base import TEXT, Routes
from byline.web.routes.form_texts import text_of_form
from byline.web.uploads import Form, read_fields


class RollingRoutes(Routes):
    """Follow the authors along a book."""

    def show_form(self, request: Request) -> Response:
        """Show the form for a book."""
        return self._show_form(request)

    async def roll(self, request: Request) -> Response:
        """Accept a book, and start its rolling attribution."""
        return await self._start_with_form(request, self._roll, self._show_form, long=(TEXT,))

    async def roll_sample(self, request: Request) -> Response:
        """Start the rolling attribution of the sample book."""
        await read_fields(request)
        return self._start(self.state.roll_sample)

    def _roll(self, job: str, form: Form) -> None:
        self.state.roll(job, form.fields.get("model"), text_of_form(form), n_bytes=form.n_bytes)

    def _show_form(self, request: Request, message: str | None = None) -> Response:
        return self._page(
            pages.rolling_page,
            request,
            self.state.models.cards,
            message=message,
            earlier=self._earlier(JobKind.ROLL),
        )
