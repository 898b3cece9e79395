"""Words that begin or end with an apostrophe, in English and some other languages."""

from __future__ import annotations

_AFTER = """
    tis twas twere twill twould twont tisnt twasnt tother tain taint twou twasn tisn em imself
    isself uns ee er av ud ull cos cuz coz neath gainst mongst midst twixt pon gin scuse spose
    sposed prentice prentices pothecary sdeath sblood slife swounds sfoot nuff nother nough
    rithmetic lectric merican mericans ome ouse ouses oss osses orse orses ead eads eart eard
    arry arriet enry liza lizabeth erbert orace ampton appy appen alf cademy undred undreds ung ullo
    ulloa umble eaven ospital otel ammer arf s t n d m ll ve
    kay fraid cept zounds zwounds slud sdeins odsbodikins gadzooks nuther nudder spect spects
    spected specially sactly zactly zackly parently cordin longside steada gator gators tater taters
    baccy bacca bacco shroom shrooms burbs fess magine tec tecs copter copters
"""
_OFTEN_AFTER = """
    im un e ad ave ere fore ot ow re k ne nen ner nem rein raus rum rauf runter bout round till til
    cause old ard most ill stead less deed cross way night phone bus plane flu cello
"""
_BEFORE = """
    th an wi ha fro tho thro altho thoro mo po ol de lil bo gi gie awa ca fa na tak mak hersel
    himsel mysel yoursel itsel theirsel oursel wouldn couldn shouldn didn don isn wasn hadn tha cd
    wd shd wou shou di da sta va qu lorsqu puisqu jusqu quelqu presqu dell nell all dall sull coll
    opa oma wha agin ould upo
"""

# After an apostrophe. These are no words without it: forms of English of all centuries.
AFTER = frozenset(_AFTER.split())
# These are words, too, of English or another language: English, Dutch and German forms.
OFTEN_AFTER = frozenset(_OFTEN_AFTER.split())
# Before an apostrophe: English dialects and verse, Italian, Dutch, and elisions of French. Other
# words of one letter belong to them.
BEFORE = frozenset(_BEFORE.split())
