"""``python -I -m contextls``: the command line, safe to start in any folder and under any variables."""

from __future__ import annotations

from contextls.cli.main import main

if __name__ == "__main__":
    main()
