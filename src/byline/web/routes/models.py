"""Routes of the page's models, and of how well they did."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from byline.errors import UsageError
from byline.web import presenting
from byline.web.routes.base import Routes
from byline.web.uploads import read_fields


class ModelRoutes(Routes):
    """Models are chosen, removed and handed out."""

    def models(self, request: Request) -> Response:
        """Show the models there are."""
        return self._models(request)

    async def choose_model(self, request: Request) -> Response:
        """Let another model answer."""
        fields = await read_fields(request)
        self.state.models.choose(fields.get("model", ""))
        return RedirectResponse("/", 303)

    async def remove_model(self, request: Request) -> Response:
        """Delete a model that was learnt here."""
        fields = await read_fields(request)
        try:
            self.state.models.remove(fields.get("model", ""))
        except UsageError as error:
            return await run_in_threadpool(self._refuse, self._models, request, str(error), 422)
        return RedirectResponse("/model", 303)

    async def download_model(self, request: Request) -> Response:
        """Hand out the file of a model."""
        file, _ = self.state.models.get(request.query_params.get("model"))
        return FileResponse(file.path, filename=file.name, media_type="application/octet-stream")

    def evaluation(self, request: Request) -> Response:
        """Show how well a model did on known texts that were held out of it."""
        _, card = self.state.models.get(request.query_params.get("model"))
        return self._page(presenting.evaluation_page, request, card.performance, card=card)

    def _models(self, request: Request, complaint: str | None = None) -> Response:
        cards = self.state.models.cards
        return self._page(presenting.model_page, request, cards, complaint=complaint)
