"""Routes of known texts: added, removed, checked, learnt."""

from __future__ import annotations

from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from byline.errors import UsageError
from byline.formatting import printable, quantity
from byline.web import presenting
from byline.web.jobs import AddResult, ModelCard
from byline.web.messages import How
from byline.web.routes.base import TEXT, Routes
from byline.web.uploads import Form, read_fields

MOST_AUTHOR = 100  # characters of a name
MOST_DIGITS = 9  # of the number of texts removed


class KnownRoutes(Routes):
    """Known texts, and what is learnt from them."""

    def known(self, request: Request) -> Response:
        """Show the known texts."""
        added = self.state.board.get(request.query_params.get("added", ""))
        said = _said(added.result) if added and isinstance(added.result, AddResult) else None
        removed = request.query_params.get("removed", "")
        if removed.isdecimal() and len(removed) <= MOST_DIGITS:
            said = f"{quantity(int(removed), 'text')} removed."
        return self._known(request, said=said)

    async def add_known(self, request: Request) -> Response:
        """Take known texts, and have them read."""
        return await self._with_job(request, self._add, self._known, long=(TEXT,))

    def _add(self, job: str, form: Form) -> None:
        author = printable(form.fields.get("author", "").strip())
        if len(author) > MOST_AUTHOR:
            raise UsageError(f"an author's name has at most {MOST_AUTHOR} characters; shorten it")
        files = [upload for upload in form.uploads("files") if upload.path.stat().st_size]
        for upload in form.uploads(TEXT):
            title = printable(form.fields.get("title", "").strip())[:MOST_AUTHOR]
            if upload.path.read_bytes().strip():
                files.append(replace(upload, name=title or upload.name))
        if not files:
            raise UsageError("there is nothing to add: choose files or a folder, or paste a text")
        self.state.add(job, author, files, form.n_bytes)

    async def remove_known(self, request: Request) -> Response:
        """Remove a known text, or all of an author."""
        fields = await read_fields(request)
        if "author" in fields:
            n_removed = self.state.known.remove_author(fields["author"])
        else:
            n_removed = int(self.state.known.remove(fields.get(TEXT, "")) is not None)
        return RedirectResponse(f"/known?removed={n_removed}", 303)

    async def check_known(self, request: Request) -> Response:
        """Have the known texts checked."""
        fields = await read_fields(request)
        return self._begin(lambda job: self.state.check(job, fields.get("model")))

    async def learn(self, request: Request) -> Response:
        """Have a new model learnt."""
        fields = await read_fields(request)
        how = How.ADD if fields.get("how") == How.ADD else How.ANEW
        try:
            return self._begin(lambda job: self.state.learn(job, fields.get("model"), how))
        except UsageError as error:
            return await run_in_threadpool(self._refuse, self._known, request, str(error), 422)

    def _known(
        self, request: Request, complaint: str | None = None, said: str | None = None
    ) -> Response:
        _, card = self.state.models.get()
        return self._page(
            presenting.known_page,
            request,
            self.state.known_authors(card),
            complaint=complaint,
            said=said,
            none_here=_none_here(card),
            can_add=card.can_grow,
            why_not=self.state.why_not_learn(card),
        )


def _none_here(card: ModelCard) -> str | None:
    """Say where the given model's texts are, for a page without any; None of a learnt one."""
    if card.learnt:
        return None
    amounts = [candidate["n_texts"] for candidate in card.candidates]
    texts = "texts" if None in amounts else quantity(sum(amounts), "text")
    return (
        f"The model learnt from {texts} that this page was not given. Start it with --known KNOWN "
        "to see, check and extend them."
    )


def _said(result: AddResult) -> str:
    authors = sorted({author for author, _, _ in result.added})
    n_words = sum(n_words for _, _, n_words in result.added)
    by = authors[0] if len(authors) == 1 else f"{len(authors):,} authors"
    said = f"{quantity(len(result.added), 'text')} by {by} added, {quantity(n_words, 'word')}."
    return " ".join([said, *result.notes])
