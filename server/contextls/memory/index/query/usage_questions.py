"""Questions how something is used or set up, in other languages than English.

Their words are put into English one by one, in their own order: "wie richte ich es ein?" never becomes "how do I …".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from contextls.regex import compile_late

_SPANISH_MEANS = r"(?:opci[oó]n|ajuste|configuraci[oó]n|manera|forma|modo)"
_PORTUGUESE_MEANS = r"(?:op[cç][aã]o|configura[cç][aã]o|maneira|forma|jeito|modo)"
# Questions with "I" or "one", or for an infinitive, are about using the thing. Those how to make it do something
# ("cómo hago para que no aparezca") are as often about its code.
_PATTERNS: Mapping[str, str] = {
    "German": (
        r"\bwie\s+\w+\s+(?:ich|man)\b|\bwie\s+(?:lässt|laesst|lassen)\s+sich\b"
        r"|\bwie\s+(?:kann|können|koennen|könnte)\s+(?:(?:die|der|ein|eine|unsere?)\s+)?"
        r"(?:\w+\s+)?(?:admin|(?:be)?nutzer|anwender|kunde|leute|jemand)\w*"
        r"|\b(?:kann|darf|könnte)\s+(?:ich|man)\b|\bist\s+es\s+möglich\b"
        r"|\bwas\s+(?:muss|müsste|soll|sollte|kann)\s+(?:ich|man)\b"
        r"|\bgibt\s+es\s+(?:(?:eine?n?|irgendeine?n?)\s+)?(?:option|einstellung|schalter|möglichkeit|weg)\b"
    ),
    "French": (
        r"\bcomment\s+(?!faire\s+(?:pour|en\s+sorte)\s+qu)(?>(?:(?:ne|pas|se|en|y|le(?=\s+faire))\s+|[sl]['’])*)\w+(?:[eo]?ir|er|re)\b"
        r"|\bcomment\s+(?:puis|peut|pourrait|dois|doit|fait|ferait)-(?:je|on|t-on)\b"
        r"|\bcomment\s+(?:est-ce\s+qu(?:e\s+|['’]))?(?:je|on|nos\s+utilisateurs|(?:un|les)\s+utilisateurs?)\s+\w"
        r"|\b(?:puis-je|peut-on|est-il\s+possible)\b|\bque\s+(?:dois|puis)-je\b"
        r"|\b(?:y\s+a-t-il|existe-t-il|est-ce\s+qu['’]il\s+y\s+a)\s+une?\s+"
        r"(?:option|réglage|paramètre|moyen|façon|manière)\b"
    ),
    "Spanish": (
        r"\bc[oó]mo\s+(?:se\s+)?(?:puedo|puede|podr[ií]a|debo|deber[ií]a|hago(?!\s+para\s+que\b))\b"
        r"|\bc[oó]mo\s+\w+[aei]r(?:l[aeo]s?|me|se)?\b|\bc[oó]mo\s+(?!(?:es|est|mism|tod|hag)o\b)\w+o\b"
        r"|\b(?:puedo|es\s+posible)\b|\bqu[eé]\s+(?:debo|tengo\s+que)\b"
        rf"|\bhay\s+(?:una?|alguna?|algún)\s+{_SPANISH_MEANS}\b"
    ),
    "Portuguese": (
        r"\bcomo\s+(?:eu\s+|se\s+)?(?:posso|pode|poderia|devo|deveria|fa[çc]o(?!\s+para\s+que\b))\b"
        r"|\bcomo\s+\w+(?:[aei]r|por|pôr)\b|\bcomo\s+(?:eu\s+\w|(?!(?:iss|ist|mesm|tud|fa[çc])o\b)\w+o\b)"
        r"|\b(?:posso|é\s+possível)\b|\bo\s+que\s+(?:devo|preciso|tenho\s+que)\b"
        rf"|\b(?:há|existe|tem)\s+(?:uma?|alguma?)\s+{_PORTUGUESE_MEANS}\b"
    ),
    "Italian": (
        r"\bcome\s+(?:posso|potrei|devo|dovrei|si\s+(?:può|puo|fa))\b"
        r"|\bcome\s+\w+(?:[aei]re|rre|r(?:l[aeio]|si|mi))\b|\bcome\s+(?!(?:quest|tutt)o\b)\w+o\b"
        r"|\b(?:posso|è\s+possibile)\b|\b(?:che\s+)?cosa\s+(?:devo|bisogna)\b"
        r"|\b(?:c['’]è|esiste)\s+un(?:a\s+|\s+|['’])(?:opzione|impostazione|modo|maniera)\b"
    ),
    "Russian": r"\bкак\s+(?:(?:мне|можно|я)\s+){0,2}\w+(?:ть|ти|чь)(?:ся)?\b|\bможно\s+ли\b",
    "Chinese": (
        r"(?:我们?|用户)(?:应该|可以|该|要|能)?(?:如何|怎么|怎样)|(?:如何|怎么|怎样)(?:才能|配置|设置|启用|禁用|使用|安装)"
    ),
    "Japanese": r"どうすれば|どうやって\w{0,20}(?:すれば|できます)|(?:設定|使用|利用|やる|する)方法|使い方",
}
_USAGE = {language: compile_late(pattern, re.IGNORECASE) for language, pattern in _PATTERNS.items()}


def asks_for_usage(question: str, language: str) -> bool:
    """Whether ``question``, plainly in this ``language``, asks how to do something; ``False`` for languages not known."""
    usage = _USAGE.get(language)
    return usage is not None and usage.search(question) is not None
