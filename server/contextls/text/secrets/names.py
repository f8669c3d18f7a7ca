"""Names that sound secret: the one list of them, for assignments, flags, headers, tags and JSON fields alike."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

# Every such name holds one of these, in small letters.
STEMS = (
    b"pass", b"pw", b"secret", b"token", b"key", b"auth", b"cred", b"salt", b"psk", b"otp", b"senha", b"contrase", b"kennwort",
    b"wachtwoord", b"haslo", b"mdp", b"bearer", b"jwt", b"_pat",
)  # fmt: skip


class Strength(IntEnum):
    """How surely a value given to a name is a secret."""

    NONE = 0
    WEAK = 1  # key, auth: only what no human wrote
    SHOUTED = 2  # FAL_KEY: hexadecimal as well
    TOKEN = 3  # api_key, secret: what is mixed
    PASSWORD = 4  # password: what is no word


_PASSWORD_WORDS = frozenset(
    "pass passwd password passphrase passcode passwort pwd pw pswd passw kennwort senha contrasena contraseña wachtwoord"
    " haslo userpwd userpass rootpw bindpw dbpass dbpassword storepass keypass storepassword keypassword psk requirepass mdp passe clave".split()
)
_TOKEN_WORDS = frozenset(
    "secret secrets token credential credentials creds cred authtoken apikey apitoken authkey secretkey accesskey privatekey"
    " accesstoken refreshtoken bearer authorization jwt salt otp totp apisecret clientsecret masterauth authtok pat".split()
)
_WEAK_WORDS = frozenset({"key", "auth", "keys", "tokens"})
_KEY_OWNERS = frozenset(
    "api access private priv secret encryption encrypt encrypted decryption decrypt signing sign signature hmac master account acct"
    " license licence auth authorization authentication service shared preshared storage session cipher crypto aes rsa jwt webhook"
    " admin deploy client consumer subscription function sdk integration rapidapi validation server app application security"
    " data enc fernet cookie csrf vault unseal recovery wireguard ssh tls ssl gpg pgp signer hash wallet".split()
)
# Behind one of these a name says where a secret is, or what it is like.
_ABOUT = frozenset(
    "id ids name names type types url urls uri path paths file files filename dir directory field fields label length len size"
    " count limit limits policy expiry expires expiration ttl lifetime timeout index idx hint prompt message msg error errors"
    " pattern regex format prefix suffix provider manager handler helper ref arn validator reset required enabled disabled"
    " algorithm alg kind class map set table column row input form link page view screen title description button icon usage"
    " method endpoint header headers status scope scopes issuer audience fingerprint checksum public placeholder selector"
    " version date time at budget budgets usage position pos char chars word words ring mode rotation strategy factory"
    " generator service client store iterator iter stream list response request bytes digest alias usage cost".split()
)
_NOT_SECRET = frozenset(
    "public pub publishable primary foreign sort partition cache row dict group unique object i18n translation hot arrow tokenizer"
    " bypass compass passthrough passed passing passes keyboard keyword keywords hotkey pubkey publickey".split()
)
_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z\u00df-\u00ff]+|\d+")
_GLUED = re.compile(
    r"(?:.*(?:password|passwd|passphrase|passcode|passwort|pwd)|(?!.*(?:by|com|sur|over|tres|encom)pass).{2,}pass)\d*$"
)
_GLUED_TOKEN = re.compile(
    r".*(?:token|secret|apikey|secretkey|accesskey|privatekey|authkey|masterkey|signingkey|encryptionkey)\d*$"
)
_VALUE_WORDS = frozenset("value val default prod production dev development staging stage test live new old current tmp raw plain text"
                         " base hash b64 base64 hex str string cleartext data env v s".split())  # fmt: skip


@lru_cache(maxsize=8192)
def strength_of(name: str) -> Strength:
    """How much a name says that its value is a secret."""
    words = [word.lower() for word in _SPLIT.findall(name)]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _VALUE_WORDS):
        words.pop()
    if "".join(words[-2:]) in _PASSWORD_WORDS:
        return Strength.PASSWORD
    if words and words[-1] == "seed" and not _TOKEN_WORDS.isdisjoint(words):
        return Strength.TOKEN
    if not words or words[-1] in _ABOUT or not _NOT_SECRET.isdisjoint(words):
        return Strength.NONE
    last = words[-1]
    if last in _PASSWORD_WORDS or _GLUED.match(last):
        return Strength.PASSWORD
    if last in _TOKEN_WORDS or _GLUED_TOKEN.match(last):
        return Strength.TOKEN
    if last == "key" and not _KEY_OWNERS.isdisjoint(words[:-1]):
        return Strength.TOKEN
    if last in _WEAK_WORDS or last.endswith("key") or not (_PASSWORD_WORDS | _TOKEN_WORDS).isdisjoint(words):
        return Strength.WEAK
    return Strength.NONE
