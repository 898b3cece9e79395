"""`PretrainedLM`: probabilities, training, resuming, saving, and what it does not accept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.array_types import Ids
from byline.errors import BylineError, MissingBaseError, ModelFileError, TrainingError, UsageError
from byline.experiments.prototypes import describe_estimator
from byline.lm import ModelState, PretrainedLM
from byline.text import SubwordEncoder

pytestmark = pytest.mark.oracles
Fit = Callable[..., PretrainedLM]


@pytest.fixture(scope="module")
def encoder(pretrained_base: Path, demo_texts: dict[str, list[str]]) -> SubwordEncoder:
    return SubwordEncoder(str(pretrained_base), max_passage_tokens=100).fit(
        [text for own in demo_texts.values() for text in own]
    )


@pytest.fixture(scope="module")
def passages(encoder: SubwordEncoder, demo_texts: dict[str, list[str]]) -> list[Ids]:
    return [ids for text in encoder.transform(demo_texts["Barack Obama"][:2]) for ids in text]


@pytest.fixture(scope="module")
def fit(pretrained_base: Path, encoder: SubwordEncoder, passages: list[Ids]) -> Fit:
    def fitted(sentences: list[Ids] = passages, **given: Any) -> PretrainedLM:
        chosen = {"epochs": 2, "learning_rate": 0.003, "device": "cpu", **given}
        of_fit = {name: chosen.pop(name) for name in ("checkpoint", "stop") if name in chosen}
        model = PretrainedLM(str(pretrained_base), **chosen)
        return model.fit(sentences, vocabulary_size=encoder.vocabulary_.size, **of_fit)

    return fitted


@pytest.fixture(scope="module")
def model(fit: Fit) -> PretrainedLM:
    return fit()


def torch_log_probs(base: Path, ids: Ids) -> Any:
    """The log-probabilities by transformers alone, of a passage that fits into one window."""
    import torch
    from transformers import AutoModelForCausalLM

    network = AutoModelForCausalLM.from_pretrained(base).eval()
    inputs = torch.tensor([[0, *(ids - 1).tolist()]])
    with torch.no_grad():
        logits = network(input_ids=inputs).logits[0, :-1].double().log_softmax(-1)
    return logits[np.arange(len(ids)), ids - 1].numpy()


@pytest.mark.parametrize("tuning", ["lora", "full"])
def test_without_a_step_the_scores_are_those_of_the_base(
    fit: Fit, pretrained_base: Path, passages: list[Ids], tuning: str
) -> None:
    model = fit(tuning=tuning, learning_rate=1e-30, epochs=1)
    own = model.token_log_probs(passages[0][:31])
    expected = torch_log_probs(pretrained_base, passages[0][:31])
    np.testing.assert_allclose(own, expected, atol=2e-5)


@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 63, 64, 90])
def test_probabilities_sum_to_one(model: PretrainedLM, passages: list[Ids], n: int) -> None:
    log_probs = model.log_distribution(passages[0][:n])
    assert log_probs.shape == (model.n_events,) and log_probs[0] == -np.inf
    np.testing.assert_allclose(np.exp(log_probs).sum(), 1, atol=1e-12)


@pytest.mark.parametrize("sizes", [{}, {"window": 10, "stride": 3}, {"stride": 1000}])
def test_tokens_of_long_passages_are_scored_by_windows(
    fit: Fit, passages: list[Ids], sizes: dict[str, int]
) -> None:
    model = fit(epochs=1, **sizes)
    log_probs = model.token_log_probs(passages[0])
    assert len(log_probs) == len(passages[0]) == 100
    for place in (0, 1, 9, 10, 11, 12, 31, 32, 33, 47, 48, 49, 64, 99):
        expected = model.log_distribution(passages[0][:place])[passages[0][place]]
        np.testing.assert_allclose(log_probs[place], expected, atol=2e-5)


def test_a_score_does_not_depend_on_other_passages(
    fit: Fit, passages: list[Ids], model: PretrainedLM
) -> None:
    mixed = [passages[0], passages[1][:7], np.zeros(0, np.int32), passages[0], passages[2][:40]]
    one_by_one = np.concatenate([model.token_log_probs(passage) for passage in mixed])
    np.testing.assert_allclose(model.batch_log_probs(mixed), one_by_one, atol=2e-5)
    assert model.batch_log_probs([]).shape == (0,)


@pytest.mark.parametrize("tuning", ["lora", "full"])
def test_training_makes_an_authors_texts_less_surprising(
    fit: Fit, encoder: SubwordEncoder, demo_texts: dict[str, list[str]], tuning: str
) -> None:
    sentences = {
        author: [ids for text in encoder.transform(texts[:3]) for ids in text]
        for author, texts in demo_texts.items()
    }
    first, _, second = demo_texts
    models = [fit(sentences[author], tuning=tuning, epochs=5) for author in (first, second)]
    texts = [encoder.transform([demo_texts[author][3]]) for author in (first, second)]
    gains = [models[0].perplexity(text) / models[1].perplexity(text) for text in texts]
    assert gains[0] < gains[1]


def test_only_small_matrices_are_kept_with_lora(fit: Fit, model: PretrainedLM) -> None:
    # Two layers with four linear layers each, (inputs, outputs): 8 (32 + 96), 8 (32 + 32),
    # 8 (32 + 128) and 8 (128 + 32) values, so 2 (1024 + 512 + 1280 + 1280) = 8192.
    assert sum(array.size for array in model.weights_.values()) == 8192
    assert {array.dtype for array in model.weights_.values()} == {np.dtype(np.float32)}
    whole = fit(tuning="full", epochs=1)
    # 400 + 32 embeddings of 32; per layer, 12 * 32 * 32 weights, 9 * 32 biases and 4 * 32 of the
    # normalisations; at the end, one more normalisation.
    expected = 432 * 32 + 2 * (12 * 32 * 32 + 13 * 32) + 2 * 32
    assert sum(array.size for array in whole.weights_.values()) == expected


def test_the_same_seed_gives_the_same_weights_whatever_was_trained_before(
    fit: Fit, model: PretrainedLM
) -> None:
    fit(tuning="full", epochs=1)
    again, other = fit(), fit(random_state=1)
    for name, array in model.weights_.items():
        np.testing.assert_array_equal(again.weights_[name], array)
    assert any((other.weights_[name] != array).any() for name, array in model.weights_.items())


@pytest.mark.parametrize("tuning", ["lora", "full"])
def test_an_interrupted_training_resumes(fit: Fit, tmp_path: Path, tuning: str) -> None:
    whole = fit(tuning=tuning, epochs=3, patience=3)
    path = tmp_path / "checkpoint"
    given = {"tuning": tuning, "epochs": 3, "patience": 3, "checkpoint": path}
    fit(**given, stop=lambda record: record.epoch == 1)
    resumed = fit(**given)
    assert [record.epoch for record in resumed.history_] == [1, 2, 3]
    assert resumed.history_ == whole.history_
    for name, array in whole.weights_.items():
        np.testing.assert_array_equal(resumed.weights_[name], array)
    with pytest.raises(UsageError, match="learning_rate differ"):
        fit(**given, learning_rate=0.001)


def test_a_rebuilt_model_has_the_same_scores(model: PretrainedLM, passages: list[Ids]) -> None:
    state = model.get_state()
    swapped = ModelState(state.params, dict(sorted(state.arrays.items(), reverse=True)))
    rebuilt = PretrainedLM.from_state(swapped)
    np.testing.assert_array_equal(
        rebuilt.batch_log_probs(passages), model.batch_log_probs(passages)
    )
    assert rebuilt.history_ == model.history_


def test_a_missing_or_changed_base_is_an_error(
    pretrained_base: Path, encoder: SubwordEncoder, passages: list[Ids], tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(pretrained_base, folder)
    model = PretrainedLM(str(folder), epochs=1, device="cpu")
    model.fit(passages, vocabulary_size=encoder.vocabulary_.size)
    state = model.get_state()
    config = folder / "config.json"
    config.write_text(config.read_text() + " ")
    with pytest.raises(MissingBaseError, match="has another base than the one with which"):
        PretrainedLM.from_state(state)
    with pytest.raises(MissingBaseError, match="has another base"):
        model.token_log_probs(passages[0])
    shutil.rmtree(folder)
    with pytest.raises(MissingBaseError, match=r"needs the pretrained base .* no such folder"):
        PretrainedLM.from_state(state)


def test_a_prototype_is_described_by_the_contents_of_its_files(
    pretrained_base: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "base"
    shutil.copytree(pretrained_base, folder)
    prototypes = PretrainedLM(str(folder)), SubwordEncoder(str(folder))
    before = list(map(describe_estimator, prototypes))
    assert list(map(describe_estimator, prototypes)) == before
    with (folder / "tokenizer.json").open("a") as stream:
        stream.write("\n")
    after = list(map(describe_estimator, prototypes))
    assert all(old != new for old, new in zip(before, after, strict=True))


def test_damaged_states_are_rejected(model: PretrainedLM, passages: list[Ids]) -> None:
    state = model.get_state()
    with pytest.raises(ModelFileError, match="not the state of a pretrained model"):
        PretrainedLM.from_state(ModelState({}, {}))
    name = next(iter(state.arrays))
    fewer = {key: array for key, array in state.arrays.items() if key != name}
    with pytest.raises(ModelFileError, match="not those of the base"):
        PretrainedLM.from_state(ModelState(state.params, fewer)).token_log_probs(passages[0])
    other = {**state.arrays, name: np.zeros(3, np.float32)}
    with pytest.raises(ModelFileError, match="do not fit the base"):
        PretrainedLM.from_state(ModelState(state.params, other)).token_log_probs(passages[0])


def test_folders_without_a_part_of_a_model_are_rejected(
    pretrained_base: Path, encoder: SubwordEncoder, passages: list[Ids], tmp_path: Path
) -> None:
    def message(folder: Path) -> str:
        with pytest.raises(UsageError) as raised:
            PretrainedLM(str(folder)).fit(passages, vocabulary_size=encoder.vocabulary_.size)
        return str(raised.value)

    assert "there is no such folder" in message(tmp_path / "nowhere")
    assert "the folder has no tokenizer (tokenizer.json)" in message(tmp_path)
    folder = tmp_path / "parts"
    folder.mkdir()
    shutil.copy(pretrained_base / "tokenizer.json", folder)
    assert "the folder has no model (config.json)" in message(folder)
    (folder / "config.json").write_text('{"model_type": "gpt2"}')
    (folder / "pytorch_model.bin").write_bytes(b"")
    assert "has no weights in the format safetensors" in message(folder)
    (folder / "model.safetensors").write_bytes(b"")
    assert "no causal language model that transformers can read" in message(folder)
    shutil.copytree(pretrained_base, tmp_path / "layers")
    config = tmp_path / "layers" / "config.json"
    values = json.loads(config.read_text())
    config.write_text(json.dumps(values | {"n_layer": values["n_layer"] + 1}))
    assert "the files lack weights of the model in config.json" in message(tmp_path / "layers")
    config.write_text(json.dumps(values | {"n_embd": 2 * values["n_embd"]}))
    assert "no causal language model that transformers can read" in message(tmp_path / "layers")
    shutil.copytree(pretrained_base, tmp_path / "marks")
    config = tmp_path / "marks" / "config.json"
    config.write_text(config.read_text().replace('token_id": 0', 'token_id": 900'))
    assert "names no token for the start or the end of a text" in message(tmp_path / "marks")


def test_what_it_cannot_be_trained_on(fit: Fit, passages: list[Ids]) -> None:
    with pytest.raises(TrainingError, match="no token to train on"):
        fit([np.zeros(0, np.int32)])
    with pytest.raises(UsageError, match="the tokenizer of the base has 401 ids"):
        PretrainedLM(fit(epochs=1).base).fit(passages, vocabulary_size=1000)
    for wrong in ({"tuning": "half"}, {"epochs": 0}, {"stride": 0}, {"learning_rate": 0.0}):
        with pytest.raises(UsageError, match=next(iter(wrong))):
            fit(**wrong)


def test_a_lack_of_memory_says_what_needs_less(
    model: PretrainedLM, passages: list[Ids], monkeypatch: pytest.MonkeyPatch
) -> None:
    def logits(*args: object) -> None:
        raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")

    monkeypatch.setattr("byline.lm.pretrained.base_model.BaseModel._logits", logits)
    with pytest.raises(BylineError, match="batch_size=8 and window=32; choose a smaller batch"):
        model.token_log_probs(passages[0])


def test_a_gpu_agrees_with_the_cpu(model: PretrainedLM, passages: list[Ids]) -> None:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("PyTorch finds no GPU")
    there = PretrainedLM.from_state(model.get_state()).set_params(device="cuda")
    on_gpu, on_cpu = (each.batch_log_probs(passages) for each in (there, model))
    np.testing.assert_allclose(on_gpu, on_cpu, atol=1e-3)
