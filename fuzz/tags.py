"""Change tags, attributes and entities in XML and HTML."""

from __future__ import annotations

import random
import re

from harness import mutate_text

TEI = (
    b"TEI teiHeader fileDesc titleStmt title author persName text front body back div p l lg sp "
    b"speaker stage note choice sic corr orig reg app lem rdg subst del add w c pc lb pb g ref gap"
)
HTML = (
    b"html head title body div p a ul li nav header footer aside main article section form table "
    b"tr td pre br sup h1 script svg figure figcaption ruby rt"
)
ATTRIBUTES = (
    b' class="footnote"', b' class="menu comments has-sidebar"', b' role="doc-noteref"', b" hidden",
    b' href="#fn1"', b' href="/a"', b' id="fn1"', b' break="no"', b' type="main"', b' join="left"',
    b' target="#a"', b' part="I"', b' xmlns="urn:x"', b' corr="x"', b' title="footer"',
)  # fmt: skip
PIECES = (
    b"&amp;", b"&eacute;", b"&nope;", b"&#1;", b"&#x110000;", b"<!-- a -->", b"<![CDATA[<p>]]>",
    b"<?xml version='1.0' encoding='utf-16'?>", b'<!DOCTYPE a [<!ENTITY b "&b;&b;">]>', b"&b;",
    b"</", b'<!DOCTYPE a SYSTEM "b.dtd">', b"\xc2\xad", b"\xe2\x88\xa3", b"-\n", b"\xc2\xac<lb/>",
    b"<meta charset=koi8-r>", b"\xff", b"\x00", b"<plaintext>", b"<title/>",
)  # fmt: skip
_TAG = re.compile(rb"<[^<>]{1,200}>")
_DEEPEST = 3000


def mutate_tags(data: bytes, longest: int, seed: int) -> bytes:
    """Put a tag, an attribute or an entity somewhere, or nest very deep; or change bytes."""
    chance = random.Random(seed)  # noqa: S311
    if chance.random() < 0.4:
        return mutate_text(data, longest, seed)
    return change_tags(data, chance)[:longest]


def change_tags(data: bytes, chance: random.Random) -> bytes:
    """Make one change."""
    tags = list(_TAG.finditer(data))
    place = chance.choice(tags).end() if tags else 0
    end = chance.choice(tags).start() if tags else len(data)
    name = chance.choice(chance.choice((TEI, HTML)).split())
    how = chance.random()
    if how < 0.3:
        return data[:place] + chance.choice(PIECES) + data[place:]
    if how < 0.5 and tags:
        return data[: place - 1] + chance.choice(ATTRIBUTES) + data[place - 1 :]
    if how < 0.6:
        times = chance.randint(2, _DEEPEST)
        return data[:place] + b"<%s>" % name * times + data[place:]
    if how < 0.8 and place < end:
        return data[:place] + b"<%s>%s</%s>" % (name, data[place:end], name) + data[end:]
    if how < 0.9 and place < end:
        return data[:end] + data[place:end] * chance.randint(1, 50) + data[end:]
    return data[: min(place, end)] + data[max(place, end) :]
