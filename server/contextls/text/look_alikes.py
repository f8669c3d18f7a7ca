"""Characters that a reader takes for others, or does not see at all."""

from __future__ import annotations

# Both are parts of a class of characters in a regular expression.
MARKS = "\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff"
INVISIBLE = (
    "\u00ad\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff"
)
# Letters of other scripts, capitals and digits that look like a letter of our tags, or of a name that sounds secret.
LOOK_ALIKES = {
    "a": "\u0391\u03b1\u0410\u0430\u0251\u1d00",
    "c": "\u0421\u0441\u03f2\u1d04",
    "d": "\u0501\u1d05",
    "e": "\u0395\u03b5\u0415\u0435\u04bd\u1d07",
    "h": "\u0397\u041d\u04bb\u0570",
    "i": "\u03b9\u0456\u0131",
    "k": "\u039a\u03ba\u041a\u043a\u1d0b",
    "l": "1I|\u0399\u0406\u04c0\u04cf\u029f",
    "m": "\u039c\u041c\u043c\u1d0d",
    "n": "\u039d\u0274\u0578\u1d0e",
    "o": "0\u039f\u03bf\u03c3\u041e\u043e\u0555\u0585\u1d0f",
    "p": "\u03a1\u03c1\u0420\u0440\u1d18",
    "r": "\u0433\u0280",
    "s": "\u0405\u0455\ua731",
    "t": "\u03a4\u03c4\u0422\u0442\u1d1b",
    "u": "\u028b\u03c5\u057d\u1d1c",
    "v": "\u0474\u0475\u03bd\u1d20",
    "w": "\u0461\u051d\u1d21",
    "x": "\u03a7\u03c7\u0425\u0445",
    "y": "\u03a5\u03b3\u0423\u0443\u028f",
}
AS_SEEN = str.maketrans({each: letter for letter, alike in LOOK_ALIKES.items() for each in alike})
