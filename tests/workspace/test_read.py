from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.workspace.read import SourceFile, Unreadable, read_plain, read_source


def read(tmp_path: Path, raw: bytes) -> SourceFile | Unreadable:
    (tmp_path / "f").write_bytes(raw)
    return read_source(tmp_path / "f")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        ("é\r\nx\r".encode(), "é\r\nx\r"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        ("\ufeffäb".encode("utf-16-le"), "äb"),
        ("\ufeffäb".encode("utf-16-be"), "äb"),
        (b"caf\xe9\n", "café\n"),
    ],
)
def test_a_text_is_read_in_its_encoding(tmp_path: Path, raw: bytes, text: str) -> None:
    source = read(tmp_path, raw)
    digest = blake2b(raw, digest_size=16).hexdigest()
    assert source == SourceFile(text, digest, None)


def test_what_is_not_text_says_why(tmp_path: Path) -> None:
    assert read(tmp_path, b"MZ\0\0") == Unreadable("binary")
    assert read_source(tmp_path / "gone") == Unreadable("missing")
    assert read_source(tmp_path) == Unreadable("not a file")
    assert read_source(tmp_path / "f" / "below") == Unreadable("Not a directory")


@pytest.mark.parametrize(
    ("raw", "shown", "plain"),
    [
        (b"\xef\xbb\xbfa\r\nb\r\n", "", "a\nb\n"),
        (b"caf\xe9\r\n", "", "café\n"),
        (b"caf\xe9\r\n", "caf\ufffd\r\n", "caf\ufffd\n"),
        ("café\n".encode(), "caf\ufffd\n", "café\n"),
        (b"MZ\0\0", "", None),
        (None, "", None),
    ],
)
def test_the_text_on_disk_is_in_the_form_in_which_editors_compare_it(
    tmp_path: Path, raw: bytes | None, shown: str, plain: str | None
) -> None:
    if raw is not None:
        (tmp_path / "f").write_bytes(raw)
    assert read_plain(tmp_path / "f", shown) == plain


@given(raw=st.binary(max_size=300))
def test_reading_any_bytes_never_raises(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(raw)
    source = read_source(path)
    assert isinstance(source, SourceFile) == (b"\0" not in raw or raw[:2] in (b"\xff\xfe", b"\xfe\xff"))


BROWSERIFY = (
    '(function e(t,n,r){function s(o,u){if(!n[o]){if(!t[o]){var a=typeof require=="function"&&require;return a}}}'
    "return s})({1:[function(require,module,exports){\nvar cart = 1;\n},{}]},{},[1]);\n"
)
BROWSERIFY_NOW = (
    '(function(){function r(e,n,t){function o(i,f){if(!n[i]){if(!e[i]){var c="function"==typeof require&&require;'
    "return c}}}return o}return r})()({1:[function(require,module,exports){\nvar cart = 1;\n},{}]},{},[1]);\n"
)
BROWSERIFY_NAMED = (
    '(function(f){if(typeof exports==="object"&&typeof module!=="undefined"){module.exports=f()}else{f()}})'
    "(function(){var define,module,exports;\nvar cart = 1;\n});\n"
)
WEBPACK_UMD = (
    "/*! shop v1 */\n(function webpackUniversalModuleDefinition(root, factory) {\n"
    "\tif(typeof exports === 'object' && typeof module === 'object')\n\t\tmodule.exports = factory();\n})(this, x);\n"
)
ROLLUP_HEAD = (
    "/* shop v1 */\n(function (global, factory) {\n"
    "  typeof exports === 'object' && typeof module !== 'undefined' ? module.exports = factory() :\n"
    "  typeof define === 'function' && define.amd ? define(factory) :\n"
    "  (global = global || self, global.shop = factory());\n}(this, (function () { 'use strict';\n\n  var cart = 1;\n"
)
ESBUILD = '"use strict";\n(() => {\n  var __defProp = Object.defineProperty;\n  // src/cart.ts\n  var cart = 1;\n})();\n'
UMD_BY_HAND = (
    "(function (root, factory) {\n    if (typeof define === 'function' && define.amd) {\n        define(factory);\n"
    "    } else if (typeof exports === 'object') {\n        module.exports = factory();\n    } else {\n"
    "        root.shop = factory();\n    }\n}(this, function () {\n    'use strict';\n    return {};\n}));\n"
)
JQUERY = (
    '( function( global, factory ) {\n\n\t"use strict";\n\n\tif ( typeof module === "object" && typeof module.exports === '
    '"object" ) {\n\t\tmodule.exports = factory( global );\n\t}\n} )( this, function( window ) {} );\n'
)


@pytest.mark.parametrize(
    ("text", "noise"),
    [
        (BROWSERIFY, "generated"),
        (BROWSERIFY_NOW, "generated"),
        (BROWSERIFY_NAMED, "generated"),
        (WEBPACK_UMD, "generated"),
        ("/******/ (() => { // webpackBootstrap\n/******/ \tvar __webpack_modules__ = ({\n", "generated"),
        ("/******/ (function(modules) { // webpackBootstrap\n", "generated"),
        (ROLLUP_HEAD + "\n  return cart;\n\n})));\n", "generated"),
        (ROLLUP_HEAD + "\n  return cart;\n\n})));\n//# sourceMappingURL=shop.js.map\n", "generated"),
        (ESBUILD, "generated"),
        # Written by hand, the second after a bundle.
        (UMD_BY_HAND, None),
        (ROLLUP_HEAD + "  return cart;\n})));\n", None),
        (JQUERY, None),
        # Code about bundles.
        (f"WRAPPER = {BROWSERIFY!r}\n", None),
        (
            "// what is around it: webpackUniversalModuleDefinition(root, factory)\n// webpackBootstrap\n",
            None,
        ),
        ("if (__webpack_require__) {\n  const name = 'webpackBootstrap' // webpackBootstrap\n}\n", None),
        ("var __defaults = Object.create(null);\nvar __version = '1';\n", None),
        ("// Code generated by protoc-gen-go. DO NOT EDIT.\npackage x\n", "generated"),
        ("# @generated by a tool\nx = 1\n", "generated"),
        ("// coverage:ignore-file\n// GENERATED CODE - DO NOT MODIFY BY HAND\nclass A {}\n", "generated"),
        (
            "// Mocks generated by Mockito 5.4.4.\n// Do not manually edit this file.\nclass A {}\n",
            "generated",
        ),
        ("//  Generated code. Do not modify.\n//  source: cart.proto\nclass A {}\n", "generated"),
        ("# Do not edit this file, copy it to local.conf.\nport = 1\n", None),
        ("// Callers rely on the order: DO NOT MODIFY it.\nclass A {}\n", None),
        (
            "/* tslint:disable */\n/**\n * Shop\n *\n * NOTE: This class is auto generated by OpenAPI Generator.\n */\n",
            "generated",
        ),
        ("/**\n * Generated by orval v6.17.0\n * Do not edit manually.\n * Shop\n */\n", "generated"),
        ("/* Do not edit the class manually. */\nclass Cart {}\n", "generated"),
        ("NOTE = 'This class is auto generated by us. Do not edit the class manually.'\n", None),
        ("/*\n * This file was automatically generated by yacc\n */\n", "generated"),
        ('.\\" Automatically generated by Pod::Man\n.TH X 1\n', "generated"),
        ("# This is a generated file! Please edit source .ksy file\n\nimport kaitaistruct\n", "generated"),
        ("<?php\n\n// This file is auto-generated from routes.yml\nreturn [];\n", "generated"),
        (
            "export default (function() {\n  /*\n   * Generated by PEG.js 0.9.0.\n   *\n   * http://pegjs.org/\n   */\n",
            "generated",
        ),
        ("// Generated from Cart.g4 by ANTLR 4.7.2\npackage cart;\n", "generated"),
        ("/* A Bison parser, made by GNU Bison 3.8.2.  */\n", "generated"),
        ("# Generated by Django 4.2.1 on 2023-05-04 10:20\nfrom django.db import migrations\n", None),
        ('"""\nGenerated by \'django-admin startproject\' using Django 4.2.\n"""\nDEBUG = True\n', None),
        ("# This file was generated by the Gradle 'init' task.\nplugins {}\n", None),
        ("# This file is generated if it is missing\nDEFAULTS = {}\n", None),
        ("import os\n\n# This file is generated by the build.\nVERSION_FILE = 'version.py'\n", None),
        ("# Certificates generated by OpenSSL 1.1.1\nCERTIFICATES = []\n", None),
        (
            "<!DOCTYPE HTML>\n<!-- NewPage -->\n<html><head>\n<!-- Generated by javadoc (17) -->\n",
            "generated",
        ),
        ('<!doctype html><html><head><meta name="generator" content="rustdoc"></head>', "generated"),
        ("<html><meta content='Doxygen 1.9' name='generator'/>", "generated"),
        ('<!DOCTYPE html>\n<html><script src="_static/documentation_options.js"></script>', "generated"),
        ('<!DOCTYPE html><html><script async src="a.js" id="tsd-nav-script"></script>', "generated"),
        ("<!DOCTYPE html>\n<html>\n<head>\n<title>JSDoc: Class: Cart</title>", "generated"),
        ('<!DOCTYPE html>\n<html><link rel="stylesheet" href="../css/jazzy.css" />', "generated"),
        ('<!DOCTYPE html>\n<html><script src="../js/darkfish.js" defer></script>', "generated"),
        ('<!DOCTYPE html><html><script src="haddock-bundle.min.js" async="async"></script>', "generated"),
        ('<!DOCTYPE html>\n<html class="no-js"><script>var pathToRoot = "../../";</script>', "generated"),
        ('<!DOCTYPE html>\n<html><link rel="stylesheet" href="{{path_to_root}}css/jazzy.css" />', None),
        (
            "<!DOCTYPE html>\n<html><title>Class: Cart &mdash; Documentation by YARD 0.9.36</title>",
            "generated",
        ),
        ("<!DOCTYPE html>\n<html><title>How we made our documentation by yard</title>", None),
        ('<!DOCTYPE html><html><meta name="generator" content="Hugo {{ hugo.Version }}">', None),
        ("<html><head><title>What is generated by javadoc</title></head>", None),
        ('PAGE = """<html><meta name="generator" content="us">"""\n', None),
        ('MARKS = ("x", "DO NOT EDIT")\nprint(MARKS)\n', None),
        ("def generated_by(x):\n    return x\n", None),
        ("var a=1;" * 2_000, "minified"),
        ("a { background: url(data:image/png;base64," + "iVBORw0KGgo" * 700 + ") }\n", None),
        ("x = 1\n" * 2_000, None),
        ("data = '" + "x" * 500 + "'\n", None),
    ],
)
def test_generated_and_minified_text_is_noise(tmp_path: Path, text: str, noise: str | None) -> None:
    source = read(tmp_path, text.encode())
    assert isinstance(source, SourceFile)
    assert source.noise == noise
