"""Renders episodes with published chat templates: what a model was shown before a reply has to be what stands before
that reply in training data, and the reply has to be there as it was sampled.

GRADUS_EPISODES names a file of episodes. Of each: for every reply the messages that were sent for it (`turns`), the
whole episode in the form in which it would be sent (`whole`), and its row of training data (`exported`). Where a
published template makes an exception unavoidable, a test of its own says why, and what holds instead.
"""

import json
import os
import pathlib

import pytest
from chat_templates import Refused, render

EPISODES = json.loads(pathlib.Path(os.environ["GRADUS_EPISODES"]).read_text(encoding="utf-8"))
IN_TEXT = [episode for episode in EPISODES if not episode["nativeTools"]]
NATIVE = [episode for episode in EPISODES if episode["nativeTools"]]
PLAIN = ["qwen2_5", "qwen3_instruct_2507", "llama3", "llama3_1", "llama3_2", "gemma3", "gemma4_v5"]
TRIMS = {"llama3", "llama3_1", "llama3_2", "gemma3", "gemma4_v5"}
NO_THOUGHT = "<think>\n\n</think>\n\n"


def name(episode):
    return episode["name"].replace(",", "").replace(" ", "-")


in_text = pytest.mark.parametrize("episode", IN_TEXT, ids=name)
native = pytest.mark.parametrize("episode", NATIVE, ids=name)
either = pytest.mark.parametrize("episode", EPISODES, ids=name)
plain = pytest.mark.parametrize("template", PLAIN)


def text_of(template, episode, messages):
    return render(template, messages, episode["tools"])


def prompt_of(template, episode, turn, **arguments):
    return render(template, turn["messages"], episode["tools"], asks=True, **arguments)


def reply_of(template, turn):
    """A reply as sampled, without the white space around it where the template leaves that out of every message."""
    return turn["rawText"].strip() if template in TRIMS else turn["rawText"]


def alone(episode, turn):
    """A reply after what was sent for it, as it is sampled: a row of training data for this reply."""
    if not episode["nativeTools"]:
        return [*turn["messages"], {"role": "assistant", "content": turn["rawText"]}]
    return episode["whole"][: len(turn["messages"]) + 1]


def has_thought(turn):
    return "</think>" in turn["rawText"]


def is_query(message):
    """Whether Qwen3's template takes a message for a question: results of tools, by role or by their tags, are none."""
    content = message["content"]
    is_result = content.startswith("<tool_response>") and content.endswith("</tool_response>")
    return message["role"] == "user" and not is_result


def last_query(messages):
    return max(place for place, message in enumerate(messages) if is_query(message))


def said(episode, turn):
    """A reply as the server gave it: through its tool interface, white space around what it says is not kept."""
    return turn["rawText"].strip() if episode["nativeTools"] else turn["rawText"]


def calls_text(turn):
    """Calls as the templates of Qwen write them."""
    calls = [f'{{"name": "{call["name"]}", "arguments": {arguments(call)}}}' for call in turn["toolCalls"]]
    return "".join(f"\n<tool_call>\n{call}\n</tool_call>" for call in calls)


def arguments(call):
    return json.dumps(call["arguments"], ensure_ascii=False)


# What holds whatever the template.


@either
def test_what_was_sent_earlier_is_sent_again(episode):
    sent = [turn["messages"] for turn in episode["turns"]]
    for earlier, later in zip(sent, [*sent[1:], episode["whole"]]):
        assert later[: len(earlier)] == earlier


@in_text
def test_training_data_is_what_was_sent(episode):
    exported = [{key: value for key, value in message.items() if key != "weight"} for message in episode["exported"]]
    assert exported[: len(exported) - 1] == episode["turns"][-1]["messages"]
    assert exported[-1] == {"role": "assistant", "content": episode["turns"][-1]["rawText"]}


# Protocols in text.


@plain
@in_text
def test_each_prompt_begins_the_training_text_and_its_reply_follows(template, episode):
    whole = text_of(template, episode, episode["exported"])
    for turn in episode["turns"]:
        prompt = prompt_of(template, episode, turn)
        assert whole.startswith(prompt)
        assert whole[len(prompt) :].startswith(reply_of(template, turn))


@plain
@in_text
def test_a_reply_alone_follows_its_prompt(template, episode):
    for turn in episode["turns"]:
        prompt = prompt_of(template, episode, turn)
        assert text_of(template, episode, alone(episode, turn)).startswith(prompt + reply_of(template, turn))


@either
def test_gemma_1_and_2_take_no_system_message(episode):
    """Known: these templates refuse a system message, at sampling and in training alike: nothing is rendered in one of
    the two and otherwise in the other. Gemma 3 and 4 take it."""
    with pytest.raises(Refused):
        text_of("gemma", episode, episode["exported"])
    for turn in episode["turns"]:
        with pytest.raises(Refused):
            prompt_of("gemma", episode, turn)


@in_text
def test_qwen3_prompts_begin_the_training_text(episode):
    """The template takes `<think>` out of replies before the last question. What a scaffold shows between replies is
    therefore always of one kind: results and what guardrails say both have the form of tool results, which is no
    question, or both are plain messages. So what it takes out of a prompt is what it takes out of the training text."""
    whole = text_of("qwen3", episode, episode["exported"])
    for turn in episode["turns"]:
        assert whole.startswith(prompt_of("qwen3", episode, turn))


@in_text
def test_qwen3_drops_thoughts_before_the_last_question(episode):
    """Known: what a row of the whole episode cannot teach with this template is the `<think>` of a reply before the
    last question; and a last reply without one gets an empty one. The raw text keeps the thought, and what the
    protocol itself says (`<reasoning>`, `<scratch_pad>`, calls, answers) always stays."""
    whole = text_of("qwen3", episode, episode["exported"])
    query = last_query(episode["exported"])
    for place, turn in enumerate(episode["turns"]):
        is_last = place == len(episode["turns"]) - 1
        if has_thought(turn) and len(turn["messages"]) < query:
            assert turn["rawText"] not in whole
            assert turn["content"] in whole
        else:
            assert (NO_THOUGHT if is_last and not has_thought(turn) else "") + turn["rawText"] in whole


@either
def test_qwen3_keeps_the_thought_of_a_reply_alone(episode):
    """What avoids both: a row for each reply, after what was sent for it, has the reply as it was sampled. One without
    a thought has to be sampled with `enable_thinking` off, so that the empty thought is in its prompt."""
    for turn in episode["turns"]:
        thinks = {} if has_thought(turn) else {"enable_thinking": False}
        prompt = prompt_of("qwen3", episode, turn, **thinks)
        assert text_of("qwen3", episode, alone(episode, turn)).startswith(prompt + said(episode, turn))


@in_text
def test_qwen3_as_trl_trains_it_has_to_be_the_template_of_the_server_too(episode):
    """Known: TRL swaps Qwen3's template for one that writes a thought in every reply. Rows of whole episodes then hold
    all thoughts as sampled, but a server with the published template shows other prompts, unless every earlier reply
    has a thought and comes after the last question."""
    whole = text_of("qwen3_training", episode, episode["exported"])
    for turn in episode["turns"]:
        prompt = prompt_of("qwen3_training", episode, turn)
        assert whole.startswith(prompt)
        assert whole[len(prompt) :].startswith(("" if has_thought(turn) else NO_THOUGHT) + turn["rawText"])
        is_same = all(
            "</think>" in message["content"] and place > last_query(turn["messages"])
            for place, message in enumerate(turn["messages"])
            if message["role"] == "assistant"
        )
        assert (prompt == prompt_of("qwen3", episode, turn)) == is_same


# Calls through the server's interface.


@pytest.mark.parametrize("template", ["qwen2_5", "qwen3_instruct_2507"])
@native
def test_native_calls_follow_their_prompt(template, episode):
    """A thought in a field of its own is not shown by these templates, neither at sampling nor in training."""
    whole = text_of(template, episode, episode["whole"])
    for turn in episode["turns"]:
        prompt = prompt_of(template, episode, turn)
        assert whole.startswith(prompt)
        assert whole[len(prompt) :].startswith(turn["content"] + calls_text(turn))


@native
def test_native_calls_follow_their_prompt_with_qwen3(episode):
    whole = text_of("qwen3", episode, episode["whole"])
    for place, turn in enumerate(episode["turns"]):
        prompt = prompt_of("qwen3", episode, turn)
        assert whole.startswith(prompt)
        is_last = place == len(episode["turns"]) - 1
        added = NO_THOUGHT if is_last and not has_thought(turn) else ""
        assert whole[len(prompt) :].startswith(added + said(episode, turn) + calls_text(turn))


@native
def test_exported_rows_of_native_calls_begin_with_every_prompt(episode):
    """A row of training data holds a thought in the field that later requests sent it in, so that a template which
    knows the field shows it, and one that does not shows none of it, at sampling and in training alike."""
    for template in ("qwen3", "qwen2_5", "qwen3_instruct_2507"):
        whole = text_of(template, episode, episode["exported"])
        for turn in episode["turns"]:
            assert whole.startswith(prompt_of(template, episode, turn))


@native
def test_other_families_lose_text_or_calls(episode):
    """Known: why protocols call tools in text unless they are told otherwise. Llama 3 writes no calls; Llama 3.1 and
    3.2 leave out the text beside a call; Gemma 3 refuses results of tools; Gemma 4 puts the text behind the result."""
    called = [turn for turn in episode["turns"] if turn["toolCalls"]]
    assert called
    with pytest.raises(Refused):
        text_of("gemma3", episode, episode["whole"])
    for turn in called:
        shown = {
            template: text_of(template, episode, alone(episode, turn))[len(prompt_of(template, episode, turn)) :]
            for template in ("llama3", "llama3_1", "llama3_2")
        }
        assert turn["content"] in shown["llama3"] and '"sql"' not in shown["llama3"]
        for template in ("llama3_1", "llama3_2"):
            assert arguments(turn["toolCalls"][0]) in shown[template]
            assert turn["content"] not in shown[template]
    rest = text_of("gemma4_v5", episode, episode["whole"])[len(prompt_of("gemma4_v5", episode, called[0])) :]
    assert rest.index(called[0]["content"]) > rest.index("<tool_response|>")
