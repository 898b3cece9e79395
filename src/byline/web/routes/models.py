"""Routes of models: choosing, evaluating, saving and removing them."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from byline.errors import ModelFileError, UsageError
from byline.web import pages
from byline.web.routes.base import Routes
from byline.web.uploads import read_fields


class ModelRoutes(Routes):
    """Choose, remove and download models."""

    def show_models(self, request: Request) -> Response:
        """Show all models."""
        return self._show_models(request)

    async def choose(self, request: Request) -> Response:
        """Make another model the current one."""
        fields = await read_fields(request)
        self.state.models.choose(fields.get("model", ""))
        return RedirectResponse("/", 303)

    async def remove(self, request: Request) -> Response:
        """Delete a model that was trained here."""
        fields = await read_fields(request)
        try:
            self.state.models.remove(fields.get("model", ""))
        except UsageError as error:
            return await run_in_threadpool(
                self._refuse, self._show_models, request, str(error), 422
            )
        return RedirectResponse("/model", 303)

    async def download(self, request: Request) -> Response:
        """Send the file of a model."""
        file, _ = self.state.models.get(request.query_params.get("model"))
        if not file.path.is_file():
            raise ModelFileError(f"{file.name} was deleted or moved; restart `byline serve`")
        return FileResponse(file.path, filename=file.name, media_type="application/octet-stream")

    def evaluation(self, request: Request) -> Response:
        """Show the accuracy of a model on held-out known texts."""
        _, card = self.state.models.get(request.query_params.get("model"))
        return self._page(pages.evaluation_page, request, card, card=card)

    def _show_models(self, request: Request, message: str | None = None) -> Response:
        cards = self.state.models.cards
        return self._page(pages.model_page, request, cards, message=message)
