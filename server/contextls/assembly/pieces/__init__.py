"""The pieces that a prompt can be made of, as plain data."""
