"""A little shop: the sample project of the tests that drive real clients."""

from __future__ import annotations

SHOP = {
    "shop/cart.py": (
        '"""The shopping cart."""\n\n\nclass Cart:\n    """Keeps what a customer wants to buy."""\n\n'
        "    def add_article(self, article: str, amount: int) -> None:\n"
        '        """Put an article into the cart."""\n        self.lines.append((article, amount))\n\n\n'
        "def discount_for(total: float) -> float:\n"
        '    """The discount that a large order earns."""\n    return total * 0.05 if total > 100 else 0.0\n'
    ),
    "shop/invoice.py": (
        '"""Invoices."""\n\nfrom shop.cart import discount_for\n\n\n'
        'def invoice_total(total: float) -> float:\n    """What the customer has to pay."""\n'
        "    return total - discount_for(total)\n"
    ),
    "README.md": "# Shop\n\nA shop with a cart and invoices.\n",
}
