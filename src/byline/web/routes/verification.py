"""Routes of the verification of one author."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from byline.errors import UsageError
from byline.web import pages
from byline.web.jobs import JobKind
from byline.web.routes.base import TEXT, Routes
from byline.web.routes.form_texts import text_of_form
from byline.web.samples import choose_samples
from byline.web.uploads import Form, read_fields


class VerificationRoutes(Routes):
    """Verify whether an author wrote a text."""

    def show_form(self, request: Request) -> Response:
        """Show the form for a questioned text and an author."""
        return self._show_form(request)

    async def verify(self, request: Request) -> Response:
        """Accept a text, and start the verification of an author."""
        return await self._start_with_form(request, self._verify, self._show_form, long=(TEXT,))

    async def verify_samples(self, request: Request) -> Response:
        """Start the verification of the author of a sample text."""
        fields = await read_fields(request)
        [sample, *_] = choose_samples(fields.get("sample", ""))
        author = fields.get("author", "")
        return self._start(lambda job: self.state.verify_sample(job, author, sample))

    def _verify(self, job: str, form: Form) -> None:
        author = form.fields.get("author", "")
        if not author:
            raise UsageError("no author is chosen; choose the author in question")
        self.state.verify(
            job,
            form.fields.get("model"),
            author,
            text_of_form(form),
            speaker=form.fields.get("speaker", "").strip(),
            n_bytes=form.n_bytes,
        )

    def _show_form(self, request: Request, message: str | None = None) -> Response:
        _, card = self.state.models.get()
        return self._page(
            pages.verify_page,
            request,
            self.state.listed_authors(card),
            message=message,
            earlier=self._earlier(JobKind.VERIFY),
        )
