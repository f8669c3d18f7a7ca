"""Words that point at the editor: "this function", "what happens here?", "diese Klasse"."""

from __future__ import annotations

import re

from contextls.assembly.wording.action_words import subject_words
from contextls.assembly.wording.pasted_text import split_message
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_CODE = (
    r"(?:functions?|methods?|class(?:es)?|structs?|traits?|interfaces?|enums?|types?|constructors?|getters?|setters?|hooks?"
    r"|handlers?|callbacks?|components?|tests?|specs?|loops?|blocks?|conditions?|statements?|expressions?"
    r"|variables?|constants?|fields?|propert(?:y|ies)|parameters?|arguments?|regex(?:es)?|quer(?:y|ies)|lines?|code|snippets?"
    r"|parts?|pieces?|sections?|files?|modules?|scripts?|places?|spots?)"
)
# What is around all files, and what was said or pasted before: no place in an editor.
_NO_PLACE = (
    r"(?:(?:whole|entire) \w|(?:code ?base|project|repo(?:sitor(?:y|ies))?|workspace|app(?:lication)?|system|program|product"
    r"|tool|librar(?:y|ies)|framework|server|service|site|website|plugin|extension|branch|team|company)\b(?!['’]s)"
    r"|(?:errors?|exceptions?|messages?|warnings?|failures?|crash(?:es)?|panics?|(?:stack ?)?traces?|tracebacks?|logs?)\b"
    r"|(?:outputs?|reports?|screenshots?|tickets?|issues?|bugs?|problems?|symptoms?|behaviou?r|features?|questions?)\b"
    r"|(?:way|kind|sort|time|case|moment|second|minute|hour|morning|evening|week|month|year|sprint|release|version|day)\b)"
)
_SURE = compile_late(
    rf"\b(?:this (?:\w+ )?|(?:current|selected|highlighted|active|open) ){_CODE}\b"
    rf"|\b{_CODE} (?:here|(?:(?:up|down) )?(?:above|below))\b"
    rf"|\b(?:{_CODE}|something|anything|others?) (?:exactly |just |very )?(?:like|similar to) this\b|\bsimilar {_CODE}\b"
    r"|\b(?:at|under|around|near|above|below) (?:the|my) (?:cursor|caret|selection)\b|\b(?:the|my|current) selection\b",
    re.IGNORECASE,
)
# After a sentence that says something, these mean what it said.
_BARE = compile_late(
    rf"\b(?:this|these)\b(?! {_NO_PLACE})|\bhere\b(?! (?:is|are|comes?)\b)|\bthe above\b|\bbelow\W*\Z",
    re.IGNORECASE,
)
# Whatever these two find holds one of these, which most questions do not.
_POINTERS = word_set(
    "this these here current selected highlighted active open above below similar cursor caret selection"
)
_NOT_BARE = compile_late(
    r"\b(?:like|as|by|before|after|than|all|until|besides?) this\b"
    r"|\b(?:is|are|was) there\b[^.?!\n]{0,200}\bhere\b|\b(?:do|does|did|have) (?:we|you|they|it)\b[^.?!\n]{0,200}\bhere\b",
    re.IGNORECASE,
)
_OTHER_LANGUAGES = compile_late(
    r"\bdies(?:e[rsmn]?)? (?:\w+ )?(?:funktion|methode|klasse|datei|stelle|zeilen?|code|block|test|schleife|modul|variable)"
    r"|\b(?:macht|tut|ist|passiert|bedeutet) (?:das |dies )?hier\b|\bhier (?:passiert|gemacht|los)\b"
    r"|\b(?:macht|tut) (?:das|dies)\b"
    r"|\b(?:cette|ces?|cet) (?:\w+ )?(?:fonction|méthode|classe|fichier|code|ligne|bloc|test|boucle|module|variable)"
    r"|\b(?:fait|passe)(?:-t-(?:il|elle))? (?:ceci|cela|ici)\b"
    r"|\b(?:est[ea]s?|ess[ea]) (?:funci[óo]n|m[ée]todo|clase|archivo|fichero|c[óo]digo|l[íi]nea|bloque|test|bucle|m[óo]dulo"
    r"|fun[çc][ãa]o|classe|arquivo|linha|bloco|vari[áa]vel|variable)"
    r"|\bhace (?:esto|aqu[íi])\b|\bfaz (?:isto|isso|aqui)\b|\bfa (?:questo|qui)\b"
    r"|\bquest[oaie] (?:funzione|metodo|classe|file|codice|riga|blocco|test|ciclo|modulo|variabile)"
    r"|\bэт(?:от|а|о|у|ой|ом|ого|их|и) (?:функци|метод|класс|файл|код|строк|блок|тест|цикл|модул)|\b(?:здесь|тут)\b"
    r"|(?:这个?|这段|此|该|当前|选中的?)(?:函数|方法|类|文件|代码|行|模块|测试|变量|组件)|这里|这段"
    r"|(?:この|現在の|選択した)(?:関数|メソッド|クラス|ファイル|コード|行|モジュール|テスト|変数)|ここ",
    re.IGNORECASE,
)
# Whatever that finds holds one of these, or letters that English has not.
_OTHER_POINTERS = word_set(
    "dies diese dieser dieses diesem diesen das hier cette ce ces cet ceci cela ici este esta estes estas esse essa esto "
    "aqui isto isso questo questa questi queste qui"
)
_WORD = compile_late(r"\w+")
# Questions for code that is like the code there.
_ALIKE = compile_late(
    r"\b(?:similar|alike|duplicat\w+|repeated|elsewhere)\b|\blike this\b|\b(?:else|other places)\b.*\b(?:this|these)\b"
    r"|\bsame (?:thing|code|logic|way)\b|\b(?:copy|copies) of\b",
    re.IGNORECASE,
)
_ALIKE_WORDS = word_set(
    "alike already another anything copies copy do done duplicate duplicated duplicates duplication elsewhere exist exists "
    "find like logic other others repeated similar something where"
)
_QUOTED = compile_late(
    r"```.*?(?:```|\Z)|`[^`\n]{0,300}`|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”|„[^“\n]{0,300}“|«[^»\n]{0,300}»",
    re.DOTALL,
)
_SENTENCE_END = compile_late(r"[.?!:]\s|\n")
# A greeting is no sentence that says something; a long one tells of what "this" then means.
_MIN_WORDS, _MAX_WORDS = 4, 12


def points_here(query: str) -> bool:
    """Whether a question, in the words that a person typed, is about what the editor shows."""
    text = _QUOTED.sub(" … ", query).strip()
    if not text:
        return False
    message = split_message(text.splitlines())
    typed = "\n".join([*message.typed, *message.typed_below])
    may_point = any(pointer in typed.casefold() for pointer in _POINTERS)
    if (may_point and _SURE.search(typed)) or _points_in_other_words(typed):
        return True
    if message.pasted or not may_point:  # what was pasted is what "this" means
        return False
    return _BARE.search(_NOT_BARE.sub(" ", _first_sentence(typed))) is not None


def _points_in_other_words(typed: str) -> bool:
    if typed.isascii() and _OTHER_POINTERS.isdisjoint(_WORD.findall(typed.lower())):
        return False
    return _OTHER_LANGUAGES.search(typed) is not None


def _first_sentence(text: str) -> str:
    """The first sentence of a text; "" where it is long."""
    words: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        words += sentence.split()
        if len(words) >= _MIN_WORDS:
            break
    return " ".join(words) if len(words) <= _MAX_WORDS else ""


def speaks_of_here_alone(text: str) -> bool:
    """Whether a question that points here asks for nothing else, as "explain this function" does."""
    words = subject_words(text)
    return not words or (words <= _ALIKE_WORDS and asks_for_alike(text))


def asks_for_alike(text: str) -> bool:
    """Whether a question that points here asks for other code like the code there."""
    return bool(_ALIKE.search(text))
