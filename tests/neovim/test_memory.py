"""Pins, tasks, activity, status and pause in Neovim."""

from __future__ import annotations

from pathlib import Path

import psutil

from .nvim import Neovim


def _pinned(nvim: Neovim) -> list[tuple[str, str | None]]:
    view = nvim.request("context/workingSet/list")
    return [(entry["path"], entry.get("symbol")) for entry in view["files"]]


def test_a_file_and_a_symbol_are_pinned_and_let_go(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("Context pin")
    nvim.wait_said("pinned cart.py: it comes first in every prompt")
    nvim.lua("vim.fn.search('^    return total')")
    nvim.keys("<Plug>(contextls-pin-symbol)")
    nvim.wait_said("pinned the symbol in cart.py")
    assert sorted(_pinned(nvim), key=str) == [("shop/cart.py", "discount_for"), ("shop/cart.py", None)]

    nvim.command("Context unpin shop/cart.py#discount_for")
    nvim.wait_said("unpinned cart.py#discount_for")
    nvim.lua("vim.ui.select = function(items, opts, done) done(items[1]) end")
    nvim.command("Context unpin")
    nvim.wait_said("unpinned shop/cart.py")
    assert _pinned(nvim) == []


def test_an_excluded_file_stays_out_until_it_is_taken_back(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("Context exclude shop/invoice.py")
    nvim.wait_said("excluded invoice.py: it stays out of every prompt")
    nvim.command("Context copy what does an invoice cost?")
    nvim.wait_said("context copied")
    assert "invoice.py:" not in nvim.lua("return vim.fn.getreg('\"')")
    nvim.command("Context include shop/invoice.py")
    nvim.wait_said("invoice.py is no longer excluded")


def test_questions_are_limited_to_a_folder_until_all_is_meant_again(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("Context scope shop")
    nvim.wait_said("questions are about shop: ")
    assert nvim.request("context/status")["scope"] == ["shop"]
    nvim.command("Context copy what does the README say?")
    nvim.wait_said("scope: only shop")
    nvim.command("Context scope nowhere")
    nvim.wait_said("expected a folder below the workspace")
    nvim.lua("vim.ui.select = function(items, opts, done) done(items[1]) end")
    nvim.command("Context scope")
    nvim.wait_said("questions are about the whole project")
    assert nvim.request("context/status")["scope"] == []


def test_what_a_model_does_is_told_and_undone(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("Context pin")
    nvim.wait_said("pinned cart.py")
    why = 'why = "it computes the discount"'
    asked = f'{{ action = "add_to_working_set", path = "shop/invoice.py", {why} }}'
    assert nvim.request("context/workingSet/update", f"{{ updates = {{ {asked} }} }}")["applied"]
    nvim.wait_said("a model added shop/invoice.py — it computes the discount")
    nvim.command("Context activity")
    nvim.wait("vim.fn.search('invoice.py` 0.7 — added by a model: it computes the discount', 'w') > 0")
    nvim.keys("<Plug>(contextls-undo)")
    nvim.wait_said("undid added shop/invoice.py — it computes the discount")
    assert _pinned(nvim) == [("shop/cart.py", None)]
    nvim.command("Context undo")
    nvim.wait_said("nothing to undo")
    nvim.edit("shop/cart.py")
    nvim.command("Context unpin shop/cart.py")
    nvim.wait_said("unpinned cart.py")


def test_a_pin_is_weighed_by_keys(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.keys("<Plug>(contextls-raise)")
    nvim.wait_said("cart.py is not pinned")
    nvim.command("Context pin")
    nvim.wait_said("pinned cart.py")
    nvim.keys("<Plug>(contextls-raise)")
    nvim.wait_said("cart.py has priority 0.9")
    nvim.command("Context lower shop/cart.py")
    nvim.wait_said("cart.py has priority 0.8")
    nvim.command("Context unpin shop/cart.py")
    nvim.wait_said("unpinned cart.py")


def test_a_task_is_begun_and_completed(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("Context task ship the discount")
    nvim.wait_said("task begun: ship the discount")
    nvim.command("Context task pop 5 % above 100")
    nvim.wait_said("task complete: ship the discount")
    nvim.lua("vim.ui.input = function(opts, done) done('a goal that was typed') end")
    nvim.lua("vim.ui.select = function(items, opts, done) done(items[1]) end")
    nvim.command("Context task")
    nvim.wait_said("task begun: a goal that was typed")


def test_the_activity_follows_and_leads_to_the_file(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("Context activity")
    nvim.wait("vim.api.nvim_buf_get_name(0):match('^contextls://activity/')", "the activity")
    event = '{ type = "error", content = { message = "a wrong total", path = "shop/invoice.py", line = 8 } }'
    nvim.lua(f"vim.lsp.get_clients({{ name = 'contextls' }})[1]:notify('context/recordEvent', {event})")
    nvim.wait("vim.fn.search('a wrong total', 'w') > 0", "the new event")
    nvim.keys("<CR>")
    nvim.wait("vim.api.nvim_buf_get_name(0):match('invoice.py$')")
    assert nvim.lua("return vim.fn.line('.')") == 8


def test_the_status_says_how_things_stand(nvim: Neovim, project: Path) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("Context status")
    is_floating = "function(win) return vim.api.nvim_win_get_config(win).relative ~= '' end"
    floating = f"vim.iter(vim.api.nvim_list_wins()):find({is_floating})"
    nvim.wait(floating, "the status")
    text = "\n".join(
        nvim.lua(f"return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf({floating}), 0, -1, false)")
    )
    assert "complete and up to date" in text
    assert "records what you do" in text
    assert str(project) in text


def test_null_is_nothing_in_every_neovim(nvim: Neovim) -> None:
    sent = "{ current = vim.NIL, tasks = { { goal = 'ship', parent = vim.NIL } }, count = 0, done = false }"
    read = nvim.lua(f"return require('contextls.compat').drop_nulls({sent})")
    assert read == {"tasks": [{"goal": "ship"}], "count": 0, "done": False}
    assert nvim.lua("return require('contextls.compat').drop_nulls(vim.NIL) == nil")


def test_a_pause_is_kept_and_shown(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("Context pause")
    nvim.wait_said("memory is paused")
    assert nvim.lua("return require('contextls').statusline()") == "contextls: paused"
    recorded = nvim.request("context/recordEvent", '{ type = "note", content = { text = "unheard" } }')
    assert recorded == {"reason": "switched off"}
    nvim.command("Context note unheard as well")
    nvim.wait_said("memory is paused, so no note was taken")
    nvim.command("Context pause")
    nvim.wait_said("memory goes on")
    nvim.command("Context note Norway has no discount")
    nvim.wait_said("note recorded")


def _client(nvim: Neovim) -> int:
    return int(
        nvim.lua(
            "local client = vim.lsp.get_clients({ name = 'contextls' })[1] return client and client.id or 0"
        )
    )


def test_a_server_that_was_killed_is_started_again(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    before = _client(nvim)
    for process in psutil.Process(nvim.pid).children():
        process.kill()
    nvim.wait(
        f"(vim.lsp.get_clients({{ name = 'contextls', bufnr = 0 }})[1] or {{ id = {before} }}).id ~= {before}"
    )
    nvim.command("Context copy discount")
    nvim.wait_said("context copied")


def test_a_question_without_a_file_starts_the_server_of_the_folder(nvim: Neovim) -> None:
    nvim.lua("vim.lsp.enable('contextls', false)")
    nvim.wait("#vim.lsp.get_clients({ name = 'contextls' }) == 0", "the end of the server")
    nvim.lua("vim.cmd('silent! only') vim.cmd('enew')")
    nvim.command("Context copy how is the discount computed?")
    nvim.wait_said("context copied")
    assert "def discount_for" in nvim.lua("return vim.fn.getreg('\"')")
    nvim.edit("shop/cart.py")
    nvim.wait("vim.lsp.get_clients({ name = 'contextls', bufnr = 0 })[1] ~= nil", "the file's client")
    assert nvim.lua("return #vim.lsp.get_clients({ name = 'contextls' })") == 1
