"""Routes of questioned texts."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from byline.web import pages
from byline.web.jobs import JobKind
from byline.web.routes.base import TEXT, Routes
from byline.web.routes.form_texts import texts_of_form
from byline.web.samples import choose_samples
from byline.web.uploads import Form, read_fields


class QuestionRoutes(Routes):
    """Ask who wrote texts."""

    def show_form(self, request: Request) -> Response:
        """Show the form for a questioned text."""
        return self._show_form(request)

    async def ask(self, request: Request) -> Response:
        """Accept a text, and start its attribution."""
        return await self._start_with_form(request, self._ask, self._show_form, long=(TEXT,))

    def _ask(self, job: str, form: Form) -> None:
        texts = texts_of_form(form)
        open_set = form.fields.get("open_set") == "on"
        self.state.ask(
            job,
            form.fields.get("model"),
            texts,
            open_set=open_set,
            speaker=form.fields.get("speaker", "").strip(),
            n_bytes=form.n_bytes,
        )

    async def ask_samples(self, request: Request) -> Response:
        """Start the attribution of sample texts."""
        fields = await read_fields(request)
        samples = choose_samples(fields.get("sample", ""))
        return self._start(lambda job: self.state.ask_samples(job, samples))

    def _show_form(self, request: Request, message: str | None = None, text: str = "") -> Response:
        earlier = self._earlier(JobKind.ASK)
        return self._page(pages.ask_page, request, text=text, message=message, earlier=earlier)
