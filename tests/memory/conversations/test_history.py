"""What of a path a model sees: filtered, merged, references and directives in their places."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.conversations.editing import edit, mark, prune
from contextls.memory.conversations.history import read_history
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.turns import Excluded
from contextls.model import Author, Edge, NewNode, Source, SourceRole, ToolCall

from .chats import H, M, T, fresh_chat, say, texts


def test_people_become_users_and_models_assistants(store: Conversations, chat: str) -> None:
    say(store, chat, (H, "why?"), (M, "because"), (H, "really?"))
    history = read_history(store, chat)
    assert texts(history) == [("user", "why?"), ("assistant", "because"), ("user", "really?")]
    assert history.tokens == sum(message.tokens for message in history.messages) > 0


def test_consecutive_nodes_of_one_author_become_one_message(store: Conversations, chat: str) -> None:
    one, two, *_ = say(store, chat, (H, "why?"), (H, "I mean, why now?"), (M, "because"), (M, "of that"))
    first, second = read_history(store, chat).messages
    assert (first.content, first.nodes) == ("why?\n\nI mean, why now?", (one.id, two.id))
    assert second.content == "because\n\nof that"


def test_results_of_tools_are_never_merged(store: Conversations, chat: str) -> None:
    calls = (ToolCall("c1", "read", '{"path": "a"}'), ToolCall("c2", "read", '{"path": "b"}'))
    say(store, chat, (H, "read both"))
    store.append_many(
        chat,
        [
            NewNode(M, "", tool_calls=calls),
            NewNode(T, "text of a", tool_call_id="c1"),
            NewNode(T, "text of b", tool_call_id="c2"),
        ],
    )
    _, call, *results = read_history(store, chat).messages
    assert call.tool_calls == calls
    assert [(each.role, each.content, each.tool_call_id) for each in results] == [
        ("tool", "text of a", "c1"),
        ("tool", "text of b", "c2"),
    ]


def test_calls_and_results_stay_and_go_together(store: Conversations, chat: str) -> None:
    say(store, chat, (H, "read it"))
    call, result, _ = store.append_many(
        chat,
        [
            NewNode(M, "I look", tool_calls=(ToolCall("c1", "read"),)),
            NewNode(T, "text", tool_call_id="c1"),
            NewNode(M, "it says so"),
        ],
    )
    mark(store, chat, result.id, excluded=True)
    assert [message.tool_calls for message in read_history(store, chat).messages] == [(), ()]
    mark(store, chat, result.id, excluded=False)
    mark(store, chat, call.id, excluded=True)
    history = read_history(store, chat)
    assert [message.role for message in history.messages] == ["user", "assistant"]
    assert Excluded(result.id, "the call that it answers is not shown") in history.excluded


def test_calls_that_wait_for_results_are_shown_at_the_end(store: Conversations, chat: str) -> None:
    say(store, chat, (H, "read it"))
    store.append(chat, NewNode(M, "", tool_calls=(ToolCall("c1", "read"),)))
    assert read_history(store, chat).messages[-1].tool_calls == (ToolCall("c1", "read"),)


def test_a_call_that_nothing_answers_goes_and_is_named(store: Conversations, chat: str) -> None:
    say(store, chat, (H, "read it"))
    call = store.append(chat, NewNode(M, "", tool_calls=(ToolCall("c1", "read"),)))
    say(store, chat, (H, "never mind"))
    history = read_history(store, chat)
    assert texts(history) == [("user", "read it\n\nnever mind")]
    assert history.excluded == (Excluded(call.id, "a call without its result"),)


def test_excluded_pruned_and_annotations_stay_out_and_are_named(store: Conversations, chat: str) -> None:
    one, two, three = say(store, chat, (H, "one"), (M, "two"), (H, "three"))
    note = store.append(chat, NewNode(H, "a note", parent_id=three.id, edge=Edge.ANNOTATION))
    below = store.append(chat, NewNode(M, "below the note", parent_id=note.id))
    mark(store, chat, two.id, excluded=True)
    history = read_history(store, chat, below.id)
    assert texts(history) == [("user", "one\n\nthree"), ("assistant", "below the note")]
    assert history.excluded == (
        Excluded(two.id, "excluded"),
        Excluded(note.id, "an annotation that is not included"),
    )
    prune(store, chat, three.id)
    assert texts(read_history(store, chat, below.id)) == [("user", "one")]
    assert texts(read_history(store, chat)) == [("user", "one")], "the head moved up"
    assert one.id == read_history(store, chat).messages[0].nodes[0]


def test_an_included_annotation_stands_after_what_it_annotates(store: Conversations, chat: str) -> None:
    question, _ = say(store, chat, (H, "sum the rows"), (M, "done"))
    note = store.append(chat, NewNode(H, "rows means records", parent_id=question.id, edge=Edge.ANNOTATION))
    assert texts(read_history(store, chat))[0] == ("user", "sum the rows")
    mark(store, chat, note.id, included=True)
    assert texts(read_history(store, chat))[0] == ("user", "sum the rows\n\nrows means records")


def test_sources_stand_in_the_order_instruction_context_primary(store: Conversations, chat: str) -> None:
    (question,) = say(store, chat, (H, "what is in the picture?"))
    picture = store.append(chat, NewNode(H, "[a chart of sales]", edge=Edge.ANNOTATION))
    directive = store.append(chat, NewNode(H, "Answer in one word.", edge=Edge.ANNOTATION))
    store.append(
        chat,
        NewNode(
            M,
            "sales",
            sources=(
                Source(question.id),
                Source(picture.id, SourceRole.CONTEXT),
                Source(directive.id, SourceRole.INSTRUCTION),
            ),
        ),
    )
    history = read_history(store, chat)
    assert history.instructions == ("Answer in one word.",), "appended to the system context"
    assert texts(history) == [
        ("user", "[a chart of sales]\n\nwhat is in the picture?"),
        ("assistant", "sales"),
    ]
    mark(store, chat, picture.id, excluded=True)
    assert texts(read_history(store, chat))[0] == ("user", "what is in the picture?")


def test_the_agents_context_comes_before_that_of_the_tree(store: Conversations) -> None:
    chat = store.create(agent_context="You review code.", system_context="This is about CSV.").id
    say(store, chat, (H, "go"))
    assert read_history(store, chat).system == "You review code.\n\nThis is about CSV."


def test_a_new_tokenizer_counts_once(store: Conversations, chat: str) -> None:
    say(store, chat, (H, "why?"))
    assert read_history(store, chat, tokenizer="claude-sonnet-4").tokenizer == "estimate"
    assert set(store.nodes(chat)[0].tokens) == {"o200k_base", "estimate"}


def test_an_edit_shows_its_newest_version(store: Conversations, chat: str) -> None:
    (question,) = say(store, chat, (H, "wich?"))
    edit(store, chat, question.id, "which?")
    assert texts(read_history(store, chat)) == [("user", "which?")]


AUTHORS = st.sampled_from([H, M])
SAID = st.lists(st.tuples(AUTHORS, st.text("abc \n", min_size=1).filter(str.strip)), min_size=1, max_size=12)


@given(said=SAID, more=SAID, seed=st.randoms(use_true_random=False))
def test_history_only_extends(
    said: list[tuple[Author, str]], more: list[tuple[Author, str]], seed: random.Random
) -> None:
    """What is said later changes no message but the last, and that one only grows."""
    with fresh_chat() as (store, chat):
        nodes = say(store, chat, *said)
        for node in nodes:
            mark(store, chat, node.id, excluded=seed.random() < 0.3)
        before = read_history(store, chat).messages
        for line in more:
            say(store, chat, line)
            after = read_history(store, chat).messages
            assert after[: len(before) - 1] == before[:-1]
            if before:
                assert after[len(before) - 1].role == before[-1].role
                assert after[len(before) - 1].content.startswith(before[-1].content)
            before = after


@given(said=SAID, seed=st.randoms(use_true_random=False))
def test_what_is_excluded_never_appears(said: list[tuple[Author, str]], seed: random.Random) -> None:
    with fresh_chat() as (store, chat):
        nodes = say(store, chat, *[(author, f"<{n}>{text}") for n, (author, text) in enumerate(said)])
        gone = {node.id for node in nodes if seed.random() < 0.5}
        for each in gone:
            mark(store, chat, each, excluded=True)
        history = read_history(store, chat)
        shown = "\n".join(message.content for message in history.messages)
        for n, node in enumerate(nodes):
            assert (f"<{n}>" in shown) is (node.id not in gone)
        assert {hidden.node for hidden in history.excluded} == gone
        assert gone.isdisjoint(shown_id for message in history.messages for shown_id in message.nodes)
