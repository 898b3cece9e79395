"""Routes of known texts: adding, removing, checking, and training on them."""

from __future__ import annotations

from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from byline.errors import UsageError
from byline.formatting import printable, quantity
from byline.web import pages
from byline.web.jobs import AddResult, ModelCard
from byline.web.messages import TrainingMode
from byline.web.routes.base import TEXT, Routes
from byline.web.uploads import Form, read_fields

MAX_AUTHOR = 100  # characters of a name
MAX_DIGITS = 9  # of the number of texts that were removed


class KnownTextRoutes(Routes):
    """Manage the known texts, and train models on them."""

    def show_texts(self, request: Request) -> Response:
        """Show the known texts."""
        added = self.state.queue.get(request.query_params.get("added", ""))
        done = _added(added.result) if added and isinstance(added.result, AddResult) else None
        removed = request.query_params.get("removed", "")
        if removed.isdecimal() and len(removed) <= MAX_DIGITS:
            done = f"{quantity(int(removed), 'text')} removed."
        return self._show_texts(request, done=done)

    async def add(self, request: Request) -> Response:
        """Accept known texts, and start to read them."""
        return await self._start_with_form(request, self._add, self._show_texts, long=(TEXT,))

    def _add(self, job: str, form: Form) -> None:
        author = printable(form.fields.get("author", "").strip())
        if len(author) > MAX_AUTHOR:
            raise UsageError(f"an author's name has at most {MAX_AUTHOR} characters; shorten it")
        files = [upload for upload in form.uploads("files") if upload.path.stat().st_size]
        for upload in form.uploads(TEXT):
            title = printable(form.fields.get("title", "").strip())[:MAX_AUTHOR]
            if upload.path.read_bytes().strip():
                files.append(replace(upload, name=title or upload.name))
        if not files:
            raise UsageError("there is nothing to add: choose files or a folder, or paste a text")
        self.state.add(job, author, files, form.n_bytes)

    async def remove(self, request: Request) -> Response:
        """Remove one known text, or all texts by an author."""
        fields = await read_fields(request)
        if "author" in fields:
            n_removed = self.state.texts.remove_author(fields["author"])
        else:
            n_removed = int(self.state.texts.remove(fields.get(TEXT, "")) is not None)
        return RedirectResponse(f"/known?removed={n_removed}", 303)

    async def check(self, request: Request) -> Response:
        """Start a check of the known texts."""
        fields = await read_fields(request)
        return self._start(lambda job: self.state.check(job, fields.get("model")))

    async def train(self, request: Request) -> Response:
        """Start to train a new model."""
        fields = await read_fields(request)
        is_add = fields.get("mode") == TrainingMode.ADD
        mode = TrainingMode.ADD if is_add else TrainingMode.RETRAIN
        try:
            return self._start(lambda job: self.state.train(job, fields.get("model"), mode))
        except UsageError as error:
            return await run_in_threadpool(self._refuse, self._show_texts, request, str(error), 422)

    def _show_texts(
        self, request: Request, message: str | None = None, done: str | None = None
    ) -> Response:
        _, card = self.state.models.get()
        return self._page(
            pages.known_page,
            request,
            self.state.listed_authors(card),
            message=message,
            done=done,
            none_here=_none_here(card),
            can_add=card.can_grow,
            obstacle=self.state.training_obstacle(card),
        )


def _none_here(card: ModelCard) -> str | None:
    """Explain where the texts of the given model are; None for a model that was trained here."""
    if card.trained_here:
        return None
    amounts = [candidate["n_texts"] for candidate in card.candidates]
    texts = "texts" if None in amounts else quantity(sum(amounts), "text")
    return (
        f"The model was trained on {texts} that this page does not have. Start the page with "
        "--known KNOWN to see, check and extend them."
    )


def _added(result: AddResult) -> str:
    authors = sorted({author for author, _, _ in result.added})
    n_words = sum(n_words for _, _, n_words in result.added)
    by = authors[0] if len(authors) == 1 else quantity(len(authors), "author")
    added = f"{quantity(len(result.added), 'text')} by {by} added, {quantity(n_words, 'word')}."
    return " ".join([added, *result.notes])
