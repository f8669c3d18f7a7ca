"""Words that a workspace does not know are read as words that it does: misspelt ones, and those of other languages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.memory.index.query.rewording import Rewording
from contextls.memory.index.terms import STOP_WORDS, TermSplitter
from contextls.memory.index.words.http_statuses import status_names
from contextls.memory.index.words.languages import SPACED, TABLES, load_language
from contextls.model import AssembleRequest

from ..workspaces import opened, write
from .rewordings import read

NETWORK = {
    "net/connection.py": '''"""Connections to a server."""


class ConnectionPool:
    """Keeps connections open and hands them out; a request waits until the timeout."""

    def close_connection(self, connection, timeout):
        """Close the connection, or abort it after the timeout."""
        connection.close(timeout)
''',
    "net/headers.py": '''"""Headers of a request and of its response."""


def parseHeader(line):
    """Split the line of a header into its name and its value."""
    name, value = line.split(":")
    return name, value
''',
    "net/secrets.py": '''def encrypt_password(password, key):
    """Encrypt a password with the key of the user, before the file is saved."""
    return password, key
''',
    "docs/retry.md": (
        "# Retries\n\nA request is sent again when the server breaks off; the lock is released first, its counter reset.\n"
    ),
}
LANGUAGES = (*SPACED, "russian", "chinese", "japanese")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("net"), NETWORK)) as engine:
        yield engine


@pytest.fixture(scope="module")
def signals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("signals"), SIGNALS)) as engine:
        yield engine


@pytest.fixture(scope="module")
def splitter() -> TermSplitter:
    return TermSplitter()


def first_path(engine: Engine, query: str) -> str:
    return engine.search(query, 1).hits[0].path


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("where is the conection closed", "where is the connection closed"),
        ("wher are teh hedaers split", "where are the headers split"),
        ("encrpyt the pasword", "encrypt the password"),
        ("what does parseHedaer return", "what does parseHeader return"),
        ("what does parsehedaer return", "what does parseHeader return"),
        ("who calls close_conection()", "who calls close_connection()"),
        ("what does parseheader return", "what does parseHeader return"),
    ],
)
def test_a_misspelt_word_is_read_as_the_nearest_one(engine: Engine, written: str, meant: str) -> None:
    assert read(engine, written).text == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [("aply_async", "apply_async"), ("_aply_async", "_apply_async"), ("aplyAsync", "applyAsync")],
)
def test_of_names_with_the_same_parts_the_nearest_one_is_meant(
    tmp_path: Path, written: str, meant: str
) -> None:
    names = ("_apply_async", "apply_async", "applyAsync")
    files = {f"{at}.py": f"def {name}(task):\n    return task\n" for at, name in enumerate(names)}
    with opened(write(tmp_path, files)) as engine:
        assert read(engine, f"how does {written} work").text == f"how does {meant} work"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    files = {
        "app/defaults.py": (
            "NAMESPACES = dict(\n    task=dict(acks_on_failure_or_timeout=True, result_backend=None),\n)\n\n\n"
            "class Loader:\n    def maxTasksPerChild(self):\n        return 1\n\n    def read_task_soft_limit(self):\n"
            "        return 2\n"
        ),
        "docs/settings.md": "# Settings\n\nWith `beat_max_tasks_per_child` one ends.\n",
    }
    with opened(write(tmp_path_factory.mktemp("settings"), files)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("task_acks_on_failure_or_timeout", "acks_on_failure_or_timeout"),
        ("CELERY_TASK_ACKS_ON_FAILURE_OR_TIMEOUT", "ACKS_ON_FAILURE_OR_TIMEOUT"),
        ("SHOPLY__TASK__ACKS_ON_FAILURE_OR_TIMEOUT", "ACKS_ON_FAILURE_OR_TIMEOUT"),
        ("worker_max_tasks_per_child", "maxTasksPerChild"),
        # Two parts would be left; all of it is there, in a document too; no name of a setting.
        ("app_task_result_backend", "app_task_result_backend"),
        ("read_task_soft_limit", "read_task_soft_limit"),
        ("beat_max_tasks_per_child", "beat_max_tasks_per_child"),
        ("taskAcksOnFailureOrTimeout", "taskAcksOnFailureOrTimeout"),
    ],
)
def test_a_setting_with_its_namespace_is_read_as_what_the_code_calls_it(
    settings: Engine, written: str, meant: str
) -> None:
    assert read(settings, f"what reads {written} here").text == f"what reads {meant} here"


def test_swapped_letters_are_read_in_what_is_a_part_of_names_alone(tmp_path: Path) -> None:
    files = {"queue.go": "package queue\n\nfunc shouldReshard(desired int) bool {\n\treturn desired > 1\n}\n"}
    with opened(write(tmp_path, files)) as engine:
        assert read(engine, "when does the queue rehsard").text == "when does the queue reshard"


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An editor, whose code writes apart what people write together."""
    files = {
        "editor/saving.py": "def auto_save_delay(view):\n    return view.timer\n",
        "editor/theme.py": "def apply(view):\n    if view.isDarkMode:\n        view.paint()\n",
        "editor/socket.py": "def open_socket(port):\n    return Socket(port)\n",
        "editor/web.py": "def open_web_page(view):\n    view.show()\n",
        "CHANGELOG.md": "# 1.1\n\n- Less autosave noise.\n",
    }
    with opened(write(tmp_path_factory.mktemp("editor"), files)) as engine:
        yield engine


def test_a_word_written_together_is_found_apart(editor: Engine) -> None:
    assert read(editor, "where is darkmode applied").text == "where is dark mode applied"
    saved = read(editor, "autosave fires while I am typing")
    assert saved.text == "autosave fires while I am typing"
    assert {"auto", "save"} <= set(saved.further)
    assert saved.names == ("autosave",)


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A program by people from both sides of the ocean."""
    files = {
        "atlas/paint.py": "def color_of(layer):\n    return layer.color\n\n\nCOLORS = [color_of]\n",
        "atlas/sky.py": "def sky_color(hour):\n    return hour.color\n",
        "atlas/groups.py": "def organization_members(organization):\n    return organization.members\n",
        "atlas/catalogue.py": "def list_catalogue(center):\n    return center.maps\n",
        "atlas/notes.py": "def promise(advice):\n    return advice\n",
        "docs/maps.md": "# Maps\n\nThe colour of a layer is that of its map.\n",
    }
    with opened(write(tmp_path_factory.mktemp("atlas"), files)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("where is the colour of a layer?", "where is the color of a layer?"),
        ("where is the color of a layer?", "where is the color of a layer?"),
        ("Organisation members", "Organization members"),
        ("where is the catalog listed?", "where is the catalogue listed?"),
        ("is the centre cached?", "is the center cached?"),
        ("is a promise kept?", "is a promise kept?"),
    ],
)
def test_a_word_is_read_in_the_spelling_of_the_workspace(atlas: Engine, written: str, meant: str) -> None:
    assert read(atlas, written).text == meant


def test_the_other_spelling_counts_where_it_stands(atlas: Engine) -> None:
    assert "colour" in read(atlas, "where is the color of a layer?").further
    assert "colour" in read(atlas, "where is the colour of a layer?").further


def test_a_word_that_names_part_in_more_places_than_they_join_it_is_found_apart(tmp_path: Path) -> None:
    told = {f"docs/page{n}.md": f"# Page {n}\n\nThe websocket of page {n}.\n" for n in range(4)}
    apart = {f"net/push{n}.java": f"class Push{n} {{ void onWebSocketText() {{}} }}\n" for n in range(6)}
    together = {f"net/pull{n}.java": f"class Pull{n} {{ Object websocket; }}\n" for n in range(3)}
    with opened(write(tmp_path / "apart", told | apart)) as engine:
        assert {"web", "socket"} <= set(read(engine, "websocket closes too early").further)
    with opened(write(tmp_path / "together", told | apart | together)) as engine:
        assert "socket" not in read(engine, "websocket closes too early").further


def test_words_with_a_stop_between_them_are_not_side_by_side(tmp_path: Path) -> None:
    files = {
        "net/a.py": "# Served over the web. Socket options are below.\ndef serve(web, socket):\n    return web\n"
    }
    with opened(write(tmp_path, files)) as engine:
        question = "where is the websocket opened"
        assert read(engine, question).text == question


def test_words_that_stand_nowhere_side_by_side_are_not_put_together(editor: Engine) -> None:
    assert read(editor, "where is the websocket opened").text == "where is the websocket opened"


@pytest.mark.parametrize(
    "text",
    [
        "where is the kafka consumer rebalanced",  # right words that the workspace lacks
        "how do I bake bread",
        "are letters ever resent",  # a beginning that the workspace lacks: not "reset"
        "who secretly waits in the congestion",  # nor has code elsewhere these: people say so
        "asdkjh qwoeiu zmxncb",
        "open src/conection.py and --conection and $conection",
        "```\nconection\n```",
    ],
)
def test_what_is_no_slip_stays(engine: Engine, text: str) -> None:
    found = read(engine, text)
    assert found == Rewording(text, further=found.implied, implied=found.implied, weights=found.weights)
    assert found.weights.keys() == set(found.implied)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ('the "Set as read" button does nothing', ("setasread",)),
        ("“Als gelesen markieren” tut nichts", ("setasread",)),
        ("what does 'Close the account now!' call", ("closeaccount",)),
        ('where is "Read" set', ()),  # a key of one word is everywhere
        ("the set as read button", ()),  # nothing is quoted
        ('"Set all as read" is missing', ()),
    ],
)
def test_a_label_in_quotes_is_read_as_the_key_of_its_message(
    tmp_path_factory: pytest.TempPathFactory, question: str, names: tuple[str, ...]
) -> None:
    files = {
        "translations/messages.en.yml": "entry:\n    left_menu:\n        set_as_read: Set as read\n        read: Read\n",
        "translations/messages.de.yml": "entry:\n    left_menu:\n        set_as_read: Als gelesen markieren\n",
        "src/i18n/en.ts": "export default {\n  closeAccount: 'Close the account now!',\n}\n",
        "src/reader.py": "SET_AS_READ = 'set all as read'\n",
    }
    with opened(write(tmp_path_factory.mktemp("labels"), files)) as engine:
        assert read(engine, question).names == names


CATALOGS = {
    "lang/de-DE.json": '{\n  "piggy_bank": "Sparschwein",\n  "empty": "Das Sparschwein ist leer, wirf etwas hinein"\n}\n',
    "lang/en.json": '{\n  "piggy_bank": "Piggy bank",\n  "empty": "The piggy bank is empty, put something in"\n}\n',
    "locale/de/labels.json": '{"moving_day_title": "Umzugstag"}\n',
    "locale/de/messages.php": "<?php return [\n    'ledger.closing_date' => 'Stichtag',\n];\n",
    "res/values-fr/strings.xml": '<resources>\n  <string name="piggy_bank">Tirelire</string>\n</resources>\n',
    "bank/piggy.py": "def empty_piggy_bank(ledger):\n    return ledger.closing_date\n",
}


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Wo wird das Sparschwein geleert?", "piggy bank"),
        ("Wie groß ist der Inhalt eines Sparschweins?", "piggy bank"),
        ("Wo wird der Stichtag gesetzt?", "closing date"),
        ("Wo wird der Umzugstag bezahlt?", "is  moving day "),
        ("où est vidée la tirelire ?", "piggy bank"),
        ("où sont vidées les tirelires ?", "piggy bank"),
    ],
)
def test_a_word_of_a_message_is_read_as_the_key_of_the_message(
    tmp_path: Path, question: str, meant: str
) -> None:
    with opened(write(tmp_path, CATALOGS)) as engine:
        assert meant in read(engine, question).text


def test_a_word_in_a_template_for_mails_is_not_its_variable(tmp_path: Path) -> None:
    files = {
        "mails/fr/late.vm": '#set($subject = "Tirelire")\nBonjour\n',
        "mails/en/late.vm": '#set($subject = "Piggy bank")\nHello\n',
        "bank/piggy.py": "def empty(subject):\n    return subject.amount\n",
    }
    with opened(write(tmp_path, files)) as engine:
        assert "subject" not in read(engine, "où est vidée la tirelire ?").text


def test_a_word_of_a_long_message_is_not_its_key(tmp_path: Path) -> None:
    with opened(write(tmp_path, CATALOGS)) as engine:
        assert "empty" not in read(engine, "Wo wird etwas hineingeworfen oder hinein gelegt?").text


WEB = {
    "web/csp.py": "def csp_header(sources):\n    return {'Content-Security-Policy': ' '.join(sources)}\n",
    "web/cache.py": "def check_ttl(entry):\n    # the time to live is in seconds\n    return entry.age > entry.ttl\n",
    "web/lan.py": "def limit_lan(peers):\n    # Apply the limits of the LAN.\n    return peers[:8]\n",
    "web/ids.py": "def read_nis(number):\n    return number.strip()\n",
    "web/text.py": "def parse_text(text):\n    return text.split()\n",
    "web/sums.py": "def hash_text(text):\n    return sum(map(ord, text))\n",
    "web/locale.py": "def pick_locale(request):\n    return request.headers['Accept-Language']\n",
}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("web"), WEB)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("question", "initials"),
    [
        ("my video is blocked by the content security policy", "csp"),
        ("content-security policy blocks scripts", "csp"),
        ("where is the time to live of an entry checked", "ttl"),
    ],
)
def test_a_term_that_is_written_out_is_found_by_its_initials(
    web: Engine, question: str, initials: str
) -> None:
    assert initials in read(web, question).further


@pytest.mark.parametrize(
    "question",
    [
        "names inside strings are lost",  # "nis" is a name there, and stands for nothing of that
        "policy: content, security, pictures",
        "where do limits apply now",  # LAN
        "what is the csp of a page for content security policy",
    ],
)
def test_words_side_by_side_are_no_term_by_chance(web: Engine, question: str) -> None:
    assert not {"nis", "pcs", "csp", "lan"} & set(read(web, question).further)


def test_a_language_of_people_is_looked_for_as_a_locale(web: Engine) -> None:
    assert "locale" in read(web, "mails come in English although the user chose Spanish").further
    assert "locale" not in read(web, "mails come late although the user chose them").further


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Wo wird der Text geparst?", "parse"),
        ("Wie werden die geparsten Texte gehasht?", "hash"),
        ("Wird das gehashte Passwort gespeichert?", "hash"),
    ],
)
def test_a_german_participle_of_a_verb_of_code_is_that_verb(web: Engine, question: str, meant: str) -> None:
    assert meant in read(web, question).text


@pytest.mark.parametrize(
    "question", ["Welches Profil wird zum Transkodieren genommen?", "Wann wird das Video transkodiert?"]
)
def test_a_german_verb_is_the_cousin_that_code_has(tmp_path: Path, question: str) -> None:
    files = {
        "media.py": "def transcode(video, profile):\n    return encode(video, profile)\n\n\ntrans = True\n"
    }
    with opened(write(tmp_path / "media", files)) as engine:
        read_as = read(engine, question).text
    assert "transcode" in read_as
    assert "trans encode" not in read_as


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("où est calculée la consommation de carburant dans les rapports", {"calculate", "fuel", "report"}),
        ("Wie wird eine Verbindung zum Server geschlossen?", {"how", "connection", "close"}),
        ("Wo werden die Kopfzeilen der Anfrage zerlegt?", {"where", "header", "request", "split"}),
        ("Verbindungsabbruch nach Zeitüberschreitung", {"timeout"}),
        ("Passwortverschlüsselung mit dem Benutzerschlüssel", {"password", "encrypt", "user", "key"}),
        ("Où le mot de passe est-il chiffré ?", {"where", "password", "encrypt"}),
        ("¿Dónde se cierra la conexión después del tiempo de espera?", {"where", "close", "connection", "timeout"}),
        ("Onde é fechada a conexão com o servidor?", {"where", "close", "connection", "server"}),
        ("Dove viene chiusa la connessione al server?", {"where", "close", "connection", "server"}),
        ("Где закрывается соединение с сервером?", {"where", "close", "connection", "server"}),
        ("密码在哪里加密?", {"password", "where", "encrypt"}),
        ("パスワードはどこで暗号化されますか？", {"password", "where", "encrypt"}),
    ],
)  # fmt: skip
def test_a_question_in_another_language_is_read_in_english(
    engine: Engine, question: str, words: set[str]
) -> None:
    assert words <= set(
        read(engine, question).text.lower().translate(dict.fromkeys(map(ord, "?¿,"), " ")).split()
    )


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Warum fehlt das rohe Passwort und wie schalte ich es ein?", {"missing", "raw", "password", "enable"}),
        ("Wie schaltet man die Verbindung ab, wenn sie nicht antwortet?", {"disable", "connection"}),
        ("Wo gibt der Server die Anfrage zurück", {"return", "request"}),
        ("Wie fuehrt der Server einen Befehl aus?", {"run", "command"}),
        ("Wann setzt ihr den Zähler zurueck?", {"reset", "count"}),
        ("Lege einen eigenen Schlüssel an und rufe die Methode auf.", {"create", "custom", "key", "call", "method"}),
        ("Nimmt der Server die neue Verbindung auf?", {"include", "connection"}),
        ("Wo bricht eine Anfrage fuer den Server ab?", {"cancel", "request"}),
        ("Wo wird das Passwort eines Freigabelinks geprüft?", {"share", "link", "password", "validate"}),
        ("Wo wird gemeldet, dass eine Zahlung überfällig ist?", {"overdue"}),
        ("On prévient le client que son abonnement est en retard ?", {"notify", "subscription", "overdue"}),
        ("Was wird bei erreichtem Zeitlimit zurückgesetzt?", {"reach", "timeout", "reset"}),
        ("Wie koennen eingeschaltete Verbindungen geprueft werden?", {"enable", "connection", "validate"}),
        ("Les connexions inutilisées dépassent la limite actuelle ?", {"unused", "connection", "exceed", "current"}),
        ("¿Por qué la conexión actual supera varios límites?", {"connection", "current", "exceed", "multiple"}),
        ("Por que a conexão atual não está disponível?", {"connection", "current", "available"}),
        ("Perché la connessione attuale non è disponibile?", {"connection", "current", "available"}),
        ("Почему текущее соединение недоступно и превышен таймаут?", {"current", "connection", "exceed"}),
        ("为什么当前连接不可用，超过了限制？", {"current", "connection", "exceed", "limit"}),
        ("現在の接続が上限を超えたらどうなりますか？", {"current", "connection", "exceed"}),
    ],
)  # fmt: skip
def test_plain_words_of_technical_talk_are_known_in_their_forms(
    engine: Engine, question: str, words: set[str]
) -> None:
    found = {word for each in read(engine, question).readings for word in each.read_as}
    assert words <= found


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("Wie schalte ich ein Passwort ab?", "enable"),
        ("Wo steht die Anfrage, ab der die Verbindung offen ist, und welche Methode prüft sie?", "cancel"),
        ("Die Verbindung schaltet `ein`", "enable"),
    ],
)
def test_an_article_is_no_part_of_a_verb(engine: Engine, question: str, other: str) -> None:
    assert other not in {word for each in read(engine, question).readings for word in each.read_as}


def test_a_name_of_code_is_no_word_of_another_language(tmp_path: Path) -> None:
    with opened(write(tmp_path, {"shop.py": "class Cart:\n    total = 0\n"})) as engine:
        assert read(engine, "Cart\nqu") == Rewording("Cart\nqu")  # "carte" is a map


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Wo wird das Passwort verschlüsselt?", "net/secrets.py"),
        ("Verbindung schließen", "net/connection.py"),
        ("comment fermer la connexion", "net/connection.py"),
        ("在哪里解析请求头部？", "net/headers.py"),
        ("encrpyt pasword", "net/secrets.py"),
    ],
)
def test_code_is_found_by_what_was_meant(engine: Engine, question: str, path: str) -> None:
    assert first_path(engine, question) == path


def test_the_answer_says_which_word_was_read_as_which(engine: Engine) -> None:
    report = engine.assemble(AssembleRequest("where is the conection closed")).report
    assert report.warnings == ('read "conection" as "connection"',)
    report = engine.assemble(AssembleRequest("Wo wird die Verbindung geschlossen?")).report
    assert report.warnings == ('read "Verbindung" as "connection", "geschlossen" as "close" (German)',)


def test_an_answer_that_says_so_is_kept_like_any_other(engine: Engine) -> None:
    request = AssembleRequest("where is the conection shut")
    engine.assemble(request)
    assert engine.assemble(request).report.cached


def test_a_guess_counts_less_than_a_word_of_the_question(engine: Engine) -> None:
    query = engine._memories.content.memory.read_query("conection timeout")
    weights = {term.text: query.emphasis.get(term.hash, 1.0) for term in query.terms}
    assert weights["connect"] < weights["timeout"] == 1


def test_code_and_output_are_read_as_they_are(engine: Engine) -> None:
    memory = engine._memories.content.memory
    assert memory.read_verbatim("conection").terms != memory.read_query("conection").terms


WORDS = sorted({word for text in NETWORK.values() for word in TermSplitter().words(text)})


@given(st.lists(st.sampled_from([*WORDS, *sorted(STOP_WORDS)]), max_size=12).map(" ".join))
def test_a_question_whose_words_all_occur_stays_as_it_is(engine: Engine, text: str) -> None:
    found = read(engine, text)
    assert found == Rewording(text, further=found.implied, implied=found.implied, weights=found.weights)
    assert found.weights.keys() == set(found.implied)


TABLE_WORDS = sorted(
    set(chain.from_iterable(key for name in LANGUAGES for key in load_language(name).written))
)


@given(
    st.text()
    | st.lists(
        st.sampled_from([*TABLE_WORDS, *WORDS, "`", "```", "\n", "?", "--x", "a/b", "die", "que", "ge", "zu"])
        | st.text(max_size=6)
    ).map(" ".join)
)
def test_any_text_can_be_read(engine: Engine, text: str) -> None:
    read(engine, text)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_table_can_be_trusted(name: str) -> None:
    """Function words mean function words, which are never searched; a phrase is no longer than is looked for."""
    language = load_language(name)
    lines = (TABLES / f"{name}.txt").read_text("utf-8").splitlines()
    assert all(line.startswith("#") or line.count("=") == 1 for line in lines)
    english = {word for words in language.function_words.values() for word in words.split()}
    assert english <= STOP_WORDS | {"not"}
    assert all(1 <= len(key) <= 4 for key in language.written)
    assert all(word.replace("_", "").isascii() for words in language.written.values() for word in words)
    assert 350 <= len(language.written) <= 1_400


@pytest.mark.parametrize(
    ("written", "meant"),
    [("abgebrochen", "cancel"), ("abzubrechen", "cancel"), ("hochgeladene", "upload"), ("Verbindungen", "connection")],
)  # fmt: skip
def test_german_words_are_found_in_their_other_forms(written: str, meant: str) -> None:
    assert load_language("german").meanings(written.lower())[0] == meant


SIGNALS = {
    "lib/launcher.rb": (
        'class Launcher\n  def setup\n    Signal.trap("TERM") { close }\n    Signal.trap("HUP") { reopen }\n  end\nend\n'
    ),
    "lib/dump.py": "import signal\n\nsignal.signal(signal.SIGUSR1, lambda *_: print('stacks'))\n",
    "lib/store.rb": "class Store\n  def keep(int)\n    @kept << int\n  end\nend\n",
}


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("how is SIGTERM handled?", "lib/launcher.rb"),
        ("where is SIGHUP handled?", "lib/launcher.rb"),
        ("SIGHUP", "lib/launcher.rb"),
        ("which handler is there for USR1?", "lib/dump.py"),
    ],
)
def test_a_signal_is_found_with_and_without_its_sig(
    engine: Engine, signals: Engine, question: str, path: str
) -> None:
    first = signals.assemble(AssembleRequest(question)).components[0]
    assert first.path == path
    assert read(engine, question).further == (), "where the workspace has no other form, none is looked for"


@pytest.mark.parametrize("question", ["the INT column of the store", "STOP it, keep it", "an int to keep"])
def test_other_words_in_capitals_are_no_signals(signals: Engine, question: str) -> None:
    assert not any(each.lower().startswith("sig") for each in read(signals, question).further)


STATUSES = {
    "http/body.go": (
        "package http\n\nfunc (b *body) Read(p []byte) (int, error) {\n\tn, err := b.source.Read(p)\n"
        "\tif errors.As(err, &tooLong) {\n\t\treturn n, Reply(http.StatusRequestEntityTooLarge, err)\n\t}\n"
        "\treturn n, err\n}\n"
    ),
    "api/orders.rb": (
        "class Orders\n  def create\n    render json: order.errors, status: :unprocessable_entity unless order.save\n"
        "  end\nend\n"
    ),
    "api/doors.py": "def enter(person):\n    if not person.known:\n        raise Forbidden(person)\n",
    "http/proxy.go": "package http\n\nfunc Forward(upload Upload) error {\n\treturn upload.Send(backend)\n}\n",
    "worker/queue.py": "def drain(queue):\n    for job in queue:\n        job.run()\n",
}


@pytest.fixture(scope="module")
def statuses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("statuses"), STATUSES)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("why do uploads end with 413?", "http/body.go"),
        ("the client gets 413 behind the proxy", "http/body.go"),
        ("the api answers 422, where does that come from", "api/orders.rb"),
        ("why is it HTTP 403 for some?", "api/doors.py"),
    ],
)
def test_a_status_given_by_number_is_found_by_its_name(statuses: Engine, question: str, path: str) -> None:
    shown = {each.path for each in statuses.assemble(AssembleRequest(question)).components}
    assert path in shown


@pytest.mark.parametrize(
    "question",
    [
        "413 files are drained too slowly",
        "the queue needs 422 ms",
        "what is on line 403?",
        "listen on port 413",
        "host:413 and 4.413 and 413.0 and a-413",
        "how many of 499 are there",
        "uploads fail:\nPOST /files 413",
    ],
)
def test_other_numbers_are_no_statuses(statuses: Engine, question: str) -> None:
    assert read(statuses, question).names == ()


@given(st.text())
def test_names_of_statuses_come_of_any_text(words: str) -> None:
    names = list(status_names(f"{words} 404"))
    assert not names or all(name.islower() and name.isalnum() for name in names)


@pytest.mark.parametrize(
    ("language", "written", "meant"),
    [
        ("spanish", "líneas", "line"),
        ("spanish", "tareas", "task"),
        ("spanish", "años", "year"),
        ("spanish", "propiedades", "property"),
        ("portuguese", "erros", "error"),
        ("portuguese", "níveis", "level"),
        ("portuguese", "canais", "channel"),
        ("portuguese", "ordens", "order"),
        ("french", "niveaux", "level"),
        ("french", "réseaux", "network"),
        ("french", "numéros", "number"),
        ("italian", "chiavi", "key"),
        ("italian", "comandi", "command"),
        ("italian", "anni", "year"),
    ],
)
def test_plurals_mean_what_their_singular_does(language: str, written: str, meant: str) -> None:
    assert load_language(language).meanings(written)[0] == meant
