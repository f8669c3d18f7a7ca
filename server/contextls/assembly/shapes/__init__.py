"""The forms that a prompt can take."""
