"""Questions in other languages how something is used, which documents and examples answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.memory.index.query.usage_questions import asks_for_usage
from contextls.model import AssembleRequest

from ..workspaces import opened, write


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("German", "Wie richte ich den Login über OIDC ein?"),
        ("German", "Wie kann man die Schriftart ändern?"),
        ("German", "Wie lässt sich die Anzeige abschalten?"),
        ("German", "Was muss ich in der Konfiguration eintragen?"),
        ("German", "Gibt es eine Einstellung für die Farbe?"),
        ("French", "comment ajouter un serveur de langage ?"),
        ("French", "Comment puis-je désactiver la recherche ?"),
        ("French", "comment faire pour changer la couleur ?"),
        ("French", "Comment l'utiliser sans compte ?"),
        ("French", "y a-t-il un moyen de trier la liste ?"),
        ("Spanish", "¿Cómo puedo cambiar la fuente?"),
        ("Spanish", "¿cómo añadir un idioma nuevo?"),
        ("Spanish", "como configuro el acceso?"),
        ("Spanish", "¿hay una opción para ordenar la lista?"),
        ("Portuguese", "Como posso mudar a fonte?"),
        ("Portuguese", "como instalar um novo idioma?"),
        ("Italian", "Come posso cambiare il colore?"),
        ("Italian", "come aggiungere una lingua?"),
        ("Italian", "c'è un'opzione per ordinare la lista?"),
        ("Russian", "Как мне добавить новый язык?"),
        ("Chinese", "我怎么更改字体？"),
        ("Japanese", "フォントを変えるにはどうすればいいですか？"),
    ],
)
def test_who_asks_how_to_do_something_is_told_how_it_is_used(language: str, question: str) -> None:
    assert asks_for_usage(question, language)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("German", "Wie wird entschieden, ob eine Datei ausgeliefert wird?"),
        ("German", "Wo ist die Anmeldung?"),
        ("French", "comment la fenêtre est-elle dessinée ?"),
        ("French", "comment faire pour que la liste soit triée ?"),
        ("Spanish", "¿Cómo se decide a quién se le manda correo?"),
        ("Spanish", "¿Cómo hago para que no aparezca en los resultados?"),
        ("Portuguese", "como isso funciona?"),
        ("Italian", "come viene chiusa la connessione?"),
        ("Russian", "Как закрывается соединение?"),
        ("Chinese", "密码是怎么加密的？"),
        ("", "comment parser of the server"),
    ],
)
def test_who_asks_how_the_code_works_is_not(language: str, question: str) -> None:
    assert not asks_for_usage(question, language)


FILES = {
    "docs/login.md": "# Login with OIDC\n\nTo set up the login, name your provider in the settings.\n",
    "app/login.py": "def login_with_oidc(settings):\n    return settings.provider.login()\n",
    "app/settings.py": "OIDC_PROVIDER = ''\nLOGIN_FORM = True\n",
}


@pytest.mark.parametrize(
    "question",
    [
        "how do I set up the login with OIDC?",
        "Wie richte ich die Anmeldung über OIDC ein?",
        "comment configurer la connexion avec OIDC ?",
    ],
)
def test_the_guide_is_shown_whatever_the_language_of_the_question(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path / "shop", FILES)) as engine:
        context = engine.assemble(AssembleRequest(question))
    guide = next(one for one in context.components if one.path == "docs/login.md")
    assert "a document, as asked for" in guide.why
