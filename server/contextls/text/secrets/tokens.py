"""Tokens that name their service in their first characters, and random ones of services nobody listed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from contextls.regex import compile_late
from contextls.text.secrets.randomness import (
    is_drawn,
    is_long_tail,
    is_random_tail,
    is_readable,
    is_scrambled,
)
from contextls.text.secrets.rules import TokenRule, compile_rule, token_rules
from contextls.text.secrets.runs import mixed_runs
from contextls.text.secrets.values import MARK, is_placeholder

# How far before a run a prefix may begin (production$…) and within it (glued to what stands before).
_BEFORE, _WITHIN = 28, 60
# What a prefix may have right before a run of letters and digits.
_JOINTS = frozenset(".$/+=:~%#!")
_MAX_UNKNOWN_CHARS = 300
_LETTER_BY_DIGIT = compile_late(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])")

_UNKNOWN = compile_late(
    r"(?P<prefix>[A-Za-z][A-Za-z0-9]{1,15}(?:[_-][A-Za-z0-9]{1,12}){0,3}?)[_-](?P<tail>[A-Z"
    r"a-z0-9]{20,200})(?![A-Za-z0-9])"
)
_KEY_PART = compile_late(
    r"(?:^|[_-])(?:live|test|prod|dev|sk|rk|ak|at|rt|pat|tok|token|key|apikey|api|secret|sec|auth"
    r"|oauth2?|access|refresh|svc|bot"
    r"|pw|pwd|pass|priv|private|session|sess|jwt|signkey|admin|personal|service|client|user|app)(?=[_-]|$)"
)
_HARMLESS_PREFIX = compile_late(
    r"(?:sha\d*|md5|blake\w*|crc\w*|etag|commit|rev|hash|digest|pub|public|uuid|guid|cid|img|image"
    r"|chunk|bundle|build|cache|data-v"
    r"|diff|anchor|css|font|svg|icon|sprite|pkg|layer|snapshot|nonce|request|trace|span|urn|id|pk"
    r"|test_case|gid|zh|_Z\w*|ZN\w*)(?=[_-]|$)",
    re.IGNORECASE,
)
_NEAR = compile_late(
    r"(?:api[ _-]?key|secret|(?<!class=[\"'])token|passw|credential|bearer|auth(?:oriz|entic|[ _-]|\b)"
    r"|private[ _-]?key|access[ _-]?key|\bkey\b|login"
    r"|signing|\bcurl\b|client\()",
    re.IGNORECASE,
)
_NEAR_HARMLESS = compile_late(
    r"public|cert|fingerprint|checksum|sha\d|integrity|digest|hash|etag|commit|revision|uuid|ssh-"
    r"|data:|base64,|nonce|test vector"
    r"|signature|pubkey|\bpk\b|cache|client[ _-]?id",
    re.IGNORECASE,
)
_NAMED_AFTER = compile_late(r"\b(?:api[ _-]?key|access token|api token|secret|password)\b", re.IGNORECASE)
# Services whose keys have no form of their own. None that names things by hashes: those are everywhere next to commits.
_VENDORS = compile_late(
    r"(?<![a-z])(?:adafruit|adobe|airtable|algolia|amplitude|asana|auth0|bitly|bittrex|braintree"
    r"|branch\.?io|brevo|bugsnag|calendly"
    r"|chargebee|clearbit|clickup|cloudinary|coinbase|confluent|contentful|copper|coveralls|datadog"
    r"|deepgram|deepl|discord|disqus"
    r"|dropbox|elastic|elevenlabs|etsy|eventbrite|fastly|finnhub|firebase|flickr|foursquare"
    r"|freshdesk|front|gitter|giphy|gumroad"
    r"|harvest|helpscout|here\.?maps|honeybadger|hubspot|ibm[_ -]?cloud|intercom|ipstack|jira|kagi"
    r"|klaviyo|kraken|kucoin|launchdarkly"
    r"|lastfm|linkedin|livechat|logdna|loggly|looker|mailchimp|mailjet|mandrill|mapbox|mattermost"
    r"|messagebird|mixpanel|moosend"
    r"|newsapi|nexmo|nytimes|okta|omdb|onesignal|opencage|openweather\w*|opsgenie|pagerduty|pendo"
    r"|pipedrive|pivotal|plaid|plivo"
    r"|polygon\.?io|postmark|pubnub|pusher|quickbooks|rapidapi|razorpay|recaptcha|rollbar|scaleway"
    r"|segment\.?io|sendbird|shodan"
    r"|sinch|smartsheet|sonar|splunk|spotify|squarespace|strava|sumo|surveymonkey|tiingo|tmdb"
    r"|todoist|trello|twilio|twitch|typeform"
    r"|unsplash|uploadcare|urlscan|virustotal|vimeo|vonage|weatherapi|webex|wit\.?ai|xero|yelp"
    r"|youtube|zapier|zendesk|zoom)(?:api|app|cloud|hq|io|qube|search|(?![a-z]))",
    re.IGNORECASE,
)
_ALNUM = compile_late(r"[A-Za-z0-9]{20,200}+")
# What addresses name things to look at by, at the end of what stands before a run: ?list=, &v=, /channel/. What follows
# is as random as a key, and for everybody to see.
_THING = compile_late(
    r"(?:(?:[?&]|&amp;)(?:v|list|playlist|channel|video|album|track|episode)="
    r"|/(?:playlist|channel|video|album|track|episode)s?/)$",
    re.IGNORECASE,
)
_MAX_THING_CHARS = 16
# A commit in Markdown, which is shown by its first characters: [1c2cdf9](1c2cdf92…).
_COMMIT = compile_late(r"\[(?P<short>[0-9a-f]{7,12})\]\([^()\s]{0,160}$")
_MAX_COMMIT_CHARS = 180
_HASH = compile_late(r"[0-9a-f]{40}(?![0-9A-Za-z])")
_REVISION = compile_late(r"/(?:blob|tree|raw|blame|commits?)/$")
# Files that builds name by what is in them.
_ASSET = compile_late(
    r"(?:\.(?:min|chunk|module|bundle))?\.(?:woff2?|ttf|otf|eot|png|jpe?g|gif|webp|avif|svg|ico|css|m?js|map|mp[34]|webm)(?![\w.])"
)


def token_spans(text: str, raw: bytes) -> Iterator[tuple[int, int, str]]:
    """Find tokens, with their kinds. ``raw`` is the text, one byte a character."""
    done = 0
    for at, end in mixed_runs(raw):
        if at >= done:
            for span in _tokens_at(text, at, end, done):
                done = max(done, span[1])
                yield span


def named_starts() -> tuple[bytes, ...]:
    """First parts that are the name of a service and nothing else, in small letters: keywords."""
    return tuple(_named_starts())


def named_token_spans(text: str, places: Mapping[bytes, Sequence[int]]) -> Iterator[tuple[int, int, str]]:
    """Tokens after the name of a service, however orderly the rest is: examples of tests are, and some services'."""
    for word in places.keys() & _named_starts().keys():
        for start, rule in _named_starts()[word]:
            for at in places[word]:
                if not text.startswith(start, at) or text[max(0, at - 1) : at].isalnum():
                    continue
                rest = compile_rule(rule.rest + "(?![A-Za-z0-9])").match(text, at + len(start))
                if rest and is_long_tail(rest[0]):
                    yield at, rest.end(), rule.kind


@cache
def _named_starts() -> dict[bytes, list[tuple[str, TokenRule]]]:
    found: dict[bytes, list[tuple[str, TokenRule]]] = defaultdict(list)
    for rule in token_rules():
        for start in rule.starts:
            if (len(start) >= 4 or rule.short_name) and start[-1] in "_-":
                found[start.lower().encode()].append((start, rule))
    return dict(found)


def _tokens_at(text: str, start: int, end: int, done: int) -> Iterator[tuple[int, int, str]]:
    starts, rules = _known_starts()
    at = max(done, start - (_BEFORE if text[start - 1 : start] in _JOINTS else 0))
    stop = min(end, start + _WITHIN)
    found = False
    while (first_part := _find_first_part(starts, text, at, stop)) is not None:
        begin, at = first_part
        for rule in rules[text[begin:at]]:
            rest = compile_rule(rule.rest + "(?![A-Za-z0-9])").match(text, at)
            if rest and rest.end() > start and is_random_tail(rest[0]):
                yield begin, rest.end(), rule.kind
                at, found = rest.end(), True
                break
        if at >= stop:
            break
    if (
        not found
        and end - start <= _MAX_UNKNOWN_CHARS
        and len(_LETTER_BY_DIGIT.findall(text, start, end)) >= 3
    ):
        yield from _find_unknown(text, start, end)


def _find_first_part(starts: re.Pattern[str], text: str, at: int, stop: int) -> tuple[int, int] | None:
    """The start and end of the next first part of a token."""
    # What may stand before it is part of the match. Before a text there is nothing, for which a blank serves: a pattern
    # of its own would take 3 ms to compile.
    if at == 0 and (match := starts.match(f" {text[:stop]}")) is not None:
        return match.start("start") - 1, match.end() - 1
    match = starts.search(text, max(0, at - 1), stop)
    return None if match is None else (match.start("start"), match.end())


def _find_unknown(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Random-looking runs: after a prefix that sounds like a key, or near a word that does."""
    if _ASSET.match(text, end) or _is_commit(text, start):
        return
    is_thing = _THING.search(text, max(0, start - _MAX_THING_CHARS), start) is not None
    match = _UNKNOWN.match(text, start, end)
    if match and not is_placeholder(match[0]) and not _HARMLESS_PREFIX.match(match["prefix"]):
        tail = match["tail"]
        keyed = bool(_KEY_PART.search(match["prefix"].lower()))
        if (_is_drawn_by_machine(tail) and (keyed or not is_thing)) or (keyed and is_drawn(tail)):
            yield *match.span(), "secret"
            return
    if is_thing:
        return
    for run in _ALNUM.finditer(text, start, end):
        if (_is_drawn_by_machine(run[0]) and _is_near(_NEAR, text, run)) or (
            is_drawn(run[0]) and _is_near(_VENDORS, text, run)
        ):
            yield start, end, "secret"
            return


def _is_drawn_by_machine(run: str) -> bool:
    return is_scrambled(run) and not is_readable(run)


def _is_commit(text: str, start: int) -> bool:
    """Whether a run is the target of a link labelled with its first characters, or in the address of a file or change."""
    if _HASH.match(text, start) and _REVISION.search(text, max(0, start - _MAX_THING_CHARS), start):
        return True
    link = _COMMIT.search(text, max(0, start - _MAX_COMMIT_CHARS), start)
    return link is not None and text.startswith(link["short"], start)


def _is_near(words: re.Pattern[str], text: str, run: re.Match[str]) -> bool:
    """Whether one of the words stands shortly before the run in its line, or right after it."""
    at, end = run.span()
    line = text.rfind("\n", max(0, at - 60), at) + 1
    before, after = text[max(line, at - 60) : at], text[end : end + 30].partition("\n")[0]
    if MARK in before or _NEAR_HARMLESS.search(before):
        return False
    return bool(words.search(before)) or (after[:1] == " " and bool(_NAMED_AFTER.search(after)))


@cache
def _known_starts() -> tuple[re.Pattern[str], dict[str, list[TokenRule]]]:
    """A matcher of every first part, where a token may begin after something, and the rules of each part."""
    rules: dict[str, list[TokenRule]] = defaultdict(list)
    for rule in token_rules():
        for start in rule.starts:
            rules[start].append(rule)
    groups: dict[str, list[str]] = defaultdict(list)
    for start in sorted(rules, key=lambda start: (-len(start), start)):
        groups[start[0]].append(re.escape(start[1:]))
    tree = "|".join(f"{re.escape(first)}(?:{'|'.join(rests)})" for first, rests in groups.items())
    # Begins with a set of characters, which is found much faster than a look behind. After %3D and the like a token
    # begins although a letter stands before it.
    pattern = compile_late(rf"[^A-Za-z0-9](?:(?<=%)[0-9A-Fa-f]{{2}})?(?P<start>{tree})")
    return pattern, dict(rules)
