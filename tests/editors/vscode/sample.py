"""A small real project with a history, for windows to open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...repositories import git
from ...shop import SHOP

FILES = {
    **SHOP,
    "shop/__init__.py": "",
    "shop/cart.py": (
        '"""The shopping cart."""\n\n\nclass Cart:\n    """Keeps what a customer wants to buy."""\n\n'
        "    def __init__(self) -> None:\n        self.lines: list[tuple[str, int]] = []\n\n"
        "    def add_article(self, article: str, amount: int) -> None:\n"
        '        """Put an article into the cart."""\n        self.lines.append((article, amount))\n\n\n'
        "def discount_for(total: float) -> float:\n"
        '    """The discount that a large order earns."""\n    return total * 0.05 if total > 100 else 0.0\n'
    ),
    "web/checkout.ts": (
        "export interface Article {\n  readonly name: string;\n  readonly price: number;\n}\n\n"
        "/** What the customer sees before paying. */\n"
        "export function checkoutSummary(articles: readonly Article[]): string {\n"
        "  return articles.map((article) => `${article.name}: ${article.price}`).join('\\n');\n}\n"
    ),
    ".gitignore": "private/\n",
}
IGNORED = {"private/notes.py": "THE_IGNORED_WORD = 1\n"}


def build_workspace(root: Path) -> Path:
    """Write the project below ``root``, commit it in two steps, and leave a clean working tree with an ignored file."""
    _write(root, {**FILES, **IGNORED})
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "shop", "README.md", ".gitignore")
    git(root, "commit", "--quiet", "--message", "Sell articles")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "Show the checkout")
    return root


def restore_workspace(root: Path) -> None:
    """Put the project back as it was built; files that are as they should be are not touched."""
    git(root, "reset", "--quiet", "--hard")
    git(root, "clean", "--quiet", "-d", "--force")
    _write(root, IGNORED)


def _write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
