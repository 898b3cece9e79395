"""Fuzz plain text: decode it, join its lines, and divide it into sentences and tokens."""

from __future__ import annotations

from harness import FindingError, fuzz, instrumented, mutate_text

with instrumented():
    from byline.corpus import decode_text
    from byline.text import TextEncoder

ENCODERS = [
    TextEncoder(),
    TextEncoder.like_ge_sun_2016(),
    TextEncoder(unit="char", sentence_rule="punctuation"),
    TextEncoder(language="fr", numbers="replace", punctuation="drop"),
]
PROSE = (
    "The river rose in the night.\nNobody had heard it, and [MUSIC] the dog -- it slept.\n\n"
    "“Well,” said he… 3.14 and 1,000 boats; l’été d’un café. » Noël «\n>> WHO?\n"
)
SEEDS = [
    *(PROSE.encode(encoding) for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32")),
    PROSE.encode("cp1252", "replace"),
    "Река поднялась ночью. Никто не слышал.\n".encode("koi8-r"),
    "夜に川が増水した。誰も聞かなかった。\n".encode("iso2022_jp"),
    "夜に川が増水した。誰も聞かなかった。\n".encode("shift_jis"),
    b"a" * 3000 + b"\n" + b"." * 3000 + b"x",
]


def read(data: bytes) -> None:
    """Read a text, and divide it as `AuthorshipAttributor` does."""
    text = decode_text(data[1:], "text")
    text.encode()
    if "\0" in text:
        raise FindingError("the text contains NUL")
    encoder = ENCODERS[data[0] % len(ENCODERS)] if data else ENCODERS[0]
    for sentence in encoder.tokenize(text):
        if not all(sentence) or not sentence:
            raise FindingError(f"an empty token or sentence in {sentence!r:.200}")


if __name__ == "__main__":
    fuzz(read, [bytes([place]) + seed for place, seed in enumerate(SEEDS)], mutate_text)
