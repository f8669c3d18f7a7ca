"""What a file says of itself, above its code."""

from __future__ import annotations

import pytest

from contextls.code.parse import parse_file

LICENCE = "// Copyright 2026 The Shop Authors.\n// Use of this code is governed by a licence.\n\n"


@pytest.mark.parametrize(
    ("path", "text", "doc"),
    [
        (
            "cart.py",
            '"""What a buyer has taken.\n\nMore of it.\n"""\n\nimport os\n',
            "What a buyer has taken.",
        ),
        (
            "cart.py",
            "# What a buyer has taken.\n\nimport os\n\n\ndef add():\n    pass\n",
            "What a buyer has taken.",
        ),
        (
            "cart.go",
            LICENCE + "// Package cart adds up.\npackage cart\n\nfunc Add() {}\n",
            "Package cart adds up.",
        ),
        (
            "cart.ts",
            '/**\n * What a buyer has taken.\n */\n\nimport a from "a";\n',
            "What a buyer has taken.",
        ),
        (
            "cart.rs",
            "//! What a buyer has taken.\n\nuse std::fmt;\n\nfn add() {}\n",
            "What a buyer has taken.",
        ),
        ("cart.rb", "# frozen_string_literal: true\n\nclass Cart\nend\n", ""),
        ("cart.ts", LICENCE + "export const a = 1;\n", ""),
        ("cart.py", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\nimport os\n", ""),
        ("cart.py", "# Adds an article.\ndef add():\n    pass\n", ""),
        ("cart.py", "import os\n", ""),
        ("cart.py", "", ""),
    ],
)
def test_the_first_paragraph_counts_unless_it_is_a_notice(path: str, text: str, doc: str) -> None:
    assert parse_file(path, text).doc == doc
