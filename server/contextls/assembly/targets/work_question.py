"""Questions about the work at hand: changes, commits, failures, where one was, a message to be written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from msgspec import Struct

from contextls.memory.index.terms import STOP_WORDS
from contextls.regex import compile_cued, compile_late
from contextls.text.word_set import word_set


class Work(Enum):
    """The kinds of questions about the work at hand."""

    FAILURE = "failure"  # why did the last run fail, fix the failing test
    CHANGES = "changes"  # what did I change
    COMMITS = "commits"  # what did we commit recently
    REVIEW = "review"  # review my changes
    MESSAGE = "message"  # write a commit message
    DESCRIPTION = "description"  # write a description of the pull request
    STANDING = "standing"  # continue where I left off, what was I doing


class WorkQuestion(Struct, frozen=True):
    """The kind of work that a question asks about, if any; ``alone`` where it names nothing else to search for."""

    kind: Work | None = None
    alone: bool = False


_FAILURE_WORDS = word_set(
    "abort aborted aborts about again aren arent assertion broke broken bug bugs build cannot cant ci code command "
    "compilation compile compiler compiles compiling complain complaining complains couldn couldnt crash crashed "
    "crashes crashing current debug didn didnt doesn doesnt don dont error errors even exception explain fail failed "
    "failing fails failure failures find fix fixed green hang hanging hangs happened happens help isn isnt issue just "
    "last latest lint linter linting mistake not panic panicked panicking panics pass passed passes passing please "
    "previous problem recent red run running segfault segfaults show solve spec specs succeed succeeded succeeding "
    "succeeds suite terminal test tests throw throwing throws timed timeout timeouts trace traceback type typecheck "
    "types understand went won wont work working works wrong"
)
_CHANGE_WORDS = word_set(
    "branch bug bugs change changed changes check code commit commits committed current diff edit edited edits find improve "
    "issues last latest lately look merge message messages mistakes patch please pr problems pull recent recently request "
    "review show staged suggest summarise summarize summary today touched uncommitted unstaged work working write wrong "
    "yesterday"
)
_STANDING_WORDS = word_set(
    "all am back before carry continue doing everything far go going happened happening just last leave left middle next "
    "now off on pick please progress recap remind resume session sitting so start started state status stopped task today "
    "up work working yesterday"
)
_MESSAGE_WORDS = word_set(
    "body create describe description draft generate good mr new open prepare propose short title pull push ready"
)
# In questions about anything else than commits these name code: "fix the log" is not about the work.
_COMMIT_WORDS = word_set(
    "ago been branch days few git history hours list log master main month months newest week weeks"
)
_WORK_WORDS = STOP_WORDS | _FAILURE_WORDS | _CHANGE_WORDS | _STANDING_WORDS | _MESSAGE_WORDS
_WORD = compile_late(r"[^\W_]{2,}")


_FLAGS = re.IGNORECASE | re.VERBOSE


def _pattern(text: str) -> re.Pattern[str]:
    return compile_late(text, _FLAGS)


# "It does not compile": what was run, and what it did not do.
_IT = r"((the|my|our|these|all)\ ){0,2}(app|build|ci|code|i|it|page|project|server|site|suite|tests?|that|this|we)"
_NOT = r"(aren|can|couldn|didn|doesn|don|isn|won)['’]?t"
_WORKS = r"(even\ )?(build|compil|pass|run|start|work)\w*"
# What a question says of each kind, and parts of words of which it holds one.
_KINDS = tuple((kind, compile_cued(text, cues, _FLAGS)) for kind, cues, text in (
    (Work.DESCRIPTION, "pr mr request", r"""
        \b(pr|mr|pull\ request|merge\ request)['s]*\ (description|text|body|title|summary|message)\b
        | \b(description|text|body|title|summary|message)\ (of|for)\ (\w+\ )?(pr|mr|pull\ request|merge\ request)\b
        | \b(write|open|create|draft|prepare|describe)\ (\w+\ )?(pr|mr|pull\ request|merge\ request)\b"""),
    (Work.MESSAGE, "commit message", r"\bcommit\ (message|title|subject)s?\b | \bmessage\ for\ (\w+\ )?(commit|changes?)\b"),
    # A verb that is addressed to whoever answers: in a shop of books, "review" is a noun.
    (Work.REVIEW, "review check", r"""
        (^|[.!?;:,\n])[^\w.!?;:,\n]{0,8}+
          (?>((please|pls|can|could|would|will|you|now|then|just|and|lets|us|me|help|do|a)\ )*)review\b
        | \b(to|you|please)\ review\b | \b(code|peer|self)[-\ ]review\b
        | \breview\ (of\ )?(my|our|the|this|these|all|uncommitted|staged)
          \ (\w+\ )?(changes?|diff|edits?|branch|work|code|commits?|pr|mr|patch|pull)\b
        | \bcheck\ (\w+\ )?(changes?|diff|edits?)\b"""),
    (Work.COMMITS, "commit", r"""
        \b(last|latest|newest|recent|previous)\ (\w+\ )?commits?\b
        | \bcommit(s|ted)?\ (lately|recently|today|yesterday)\b
        | \b(did|has|have)\ (i|we|they)\ (\w+\ )?commit(ted)?\b
        | \b(was|were|been|got)\ (\w+\ )?committed\b
        | \b(show|list)\ (\w+\ ){0,3}commits\b"""),
    (Work.FAILURE, "fail broke red last latest recent previous crash why not n't n’t nt explain", r"""
        \b(failing|failed|broken|red)\ (\w+\ )?(tests?|build|run|command|suite|check)\b
        | \bwhat\ (just\ )?(broke|crashed|failed)\b
        | \bexplain\ (the|this|that|my)\ (\w+\ )?(crash|error|exception|failure|panic|traceback)s?\W*$
        | \b(last|latest|recent|previous)\ (\w+\ )?(failures?|errors?|crash|exception)\b
        | \bwhy\ (did|does|do|is|has)\b.*\b(run|test|tests|build|command|suite|ci|it|that|this|app|page|server|site)\b.*
          \b(fail|break|crash|panic|hang|abort|throw|timeout)"""
        + rf"""
        | \b(do|does|did|is|are|will|can|could)\ {_IT}\ not\ {_WORKS}
        | \b{_NOT}\ {_IT}\ {_WORKS}
        | \b{_IT}\ ((do|does|did|is|are|will|can|could)\ not|cannot|{_NOT})\ {_WORKS}"""),
    # These ask about the last run, and about the changes before it.
    (Work.STANDING, "pass succe green", r"""
        \b(do|does|did|is|are|has|have)
        \ (it|they|that|this|all|everything|((all|the|my|our)\ ){0,2}(tests?|build|suite|ci|run))
        \ (\w+\ )?(pass(es|ed|ing)?|succeed(s|ed)?|succeeding|green)\b(?!\ (?!now|again|yet|already)\w)"""),
    (Work.CHANGES, "chang edit touch modif commit stag diff", r"""
        \bwhat\ (\w+\ )?(did|have|had)\ (?!to\b)(\w+\ ){1,2}(chang|edit|touch|modif)\w*
        | \bwhat(['s]|\ is|\ has|\ have|\ was|\ were)*\ ((been|just|recently)\ )*
          (changed|edited|touched|modified|uncommitted|(un)?staged)\b
        | \bwhat\ (changes|edits)\b
        | \b(my|our|the|these|this|uncommitted|(un)?staged|working|current|recent|latest)\ (\w+\ )?(changes?|diff|edits?)\b
        | \bdiff\b"""),
    (Work.STANDING, "continue resume carry go recap next now pick where what left remind catch ran last latest recent", r"""
        ^\W*(please\ )?(continue|resume|carry\ on|go\ on|recap|what\ next|what\ now)\W*$
        | \b(continue|resume|carry\ on|go\ on|pick\ up)\ (where|from|what|with\ (my|the|this)\ (work|task))\b
        | \bwhere\ (was|were|am|are|did)\ (i|we)\b
        | \bwhat\ (was|were|am|are|did|have|had)\ (i|we)\ (just\ |been\ )?(do|done|doing|work|working|up\ to)\b
        | \bwhat\ (was|were|am|are)\ (i|we)\ (\w+\ )?in\ the\ middle\ of\b
        | \bleft\ off\b | \bwhat(['s]|\ has|\ have|\ just)*\ happened\b | \bwhat(['s]|\ is)*\ (next|the\ (status|state))\b
        | \b(recap|remind\ me|catch\ me\ up)\b
        | \bran\ (last|lately|recently)\b | \bwhat\ did\ (i|we)\ run\b | \b(last|latest|recent)\ (commands?|runs?)\b
        | \b(recent|latest)\ (activity|work|events)\b"""),
))  # fmt: skip


# All of a question: how conflicts of bookings are resolved is one about the code.
_RESOLVES = _pattern(r"""
    ^\W*((please|pls|can|could|will|you|help|me|let['’]?s|now|to|how|do|should|i|we|just)\W+){0,6}
    (fix|solve|resolve|sort\ out)\ ((the|this|these|my|our|all|remaining|last)\ ){0,2}
    ((git|merge|rebase)\ )?conflicts?\W*$""")
# Words about a run, not about the code: "find the bug" asks to read the code.
_RUN_WORDS = _pattern(r"""
    \b(fail\w*|compil\w*|runs?|ran|tests?|build|suite|ci|command|pass(es|ed|ing)?|broken?|red|crash\w*)\b | \bwent\ wrong\b
    | \b(last|latest|recent|previous)\ (\w+\ )?(errors?|exception)\b""")
_TIMES_OUT = _pattern(r"\btim(e|es|ed|ing)\ out\b")
_MAKES_PASS = _pattern(
    r"\bmake\ (((all|the|my|our)\ ){0,2}(tests?|build|suite|ci))\ (pass|green|work|run|succeed)\b"
)
_DEFECT_WORDS = _pattern(r"\b(bugs?|issues?|mistakes?)\b")


def asks_about_runs(query: str) -> bool:
    """Whether a question about a failure means what was run."""
    return bool(_RUN_WORDS.search(query)) and not _DEFECT_WORDS.search(query)


def is_work_word(word: str) -> bool:
    """Whether a word, or the stem of one, says what is to be done rather than with what."""
    return word in _WORK_WORDS


def words_beside(query: str, mentions: Iterable[str]) -> frozenset[str]:
    """The words of a question that say with what something is to be done, in lower case."""
    words = (word.lower() for word in [*_WORD.findall(query), *mentions])
    return frozenset(word for word in words if not is_work_word(word))


def _is_about(kind: Work | None, word: str) -> bool:
    """Whether a word belongs to the work of a kind; a number says how many commits."""
    return word in _WORK_WORDS or (kind is Work.COMMITS and (word in _COMMIT_WORDS or word.isdecimal()))


def read_work(query: str, mentions: Iterable[str], *, wants_repair: bool = False) -> WorkQuestion:
    """Read what ``query`` means of the work.

    ``mentions`` are the names and paths in it; ``wants_repair`` says that it asks to mend something, which is the last
    failure where it does not say what.
    """
    query = _MAKES_PASS.sub(r"fix \1 broken run", _TIMES_OUT.sub("timeout", query))
    if _RESOLVES.search(query):
        return WorkQuestion(Work.CHANGES, alone=True)
    words = [*_WORD.findall(query), *mentions]  # "PR" is a mention, too
    kind = next((kind for kind, pattern in _KINDS if pattern.search(query)), None)
    alone = all(_is_about(kind, word.lower()) for word in words)
    repairs = wants_repair and alone and kind in (None, Work.STANDING)
    return WorkQuestion(Work.FAILURE if repairs else kind, alone)
