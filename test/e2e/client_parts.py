"""Runs what of the written files needs no trainer, against a service. Usage: client_parts.py FOLDER; ids on stdin.

The input is JSON: {"ids": […], "gold": "SELECT …"}, the gold that of the first id.
"""

import asyncio
import json
import sys

sys.path.insert(0, sys.argv[1])
import gradus_client  # noqa: E402
import trl_reward  # noqa: E402
import verl_reward  # noqa: E402

given = json.load(sys.stdin)
ids, gold = given["ids"], given["gold"]
right = "<solution>" + gold + "</solution>"


async def scores():
    rows = [(ids[0], right), (ids[0], "no answer"), (ids[1], right)]
    return await asyncio.gather(
        *(verl_reward.compute_score("gradus", text, "{}", {"example_id": one}) for one, text in rows)
    )


def refused(call):
    try:
        call()
    except gradus_client.GradusError as error:
        return [error.status, error.code]
    return None


class Tokenizer:
    """ChatML, one token a character."""

    eos_token = "<|im_end|>"

    def apply_chat_template(self, messages, add_generation_prompt, tokenize):
        assert add_generation_prompt and not tokenize
        text = "".join("<|im_start|>" + m["role"] + "\n" + m["content"] + "<|im_end|>\n" for m in messages)
        return text + "<|im_start|>assistant\n"

    def encode(self, text, add_special_tokens):
        assert not add_special_tokens
        return [ord(character) for character in text]


def shown(has_ended):
    tokens = gradus_client.observation_tokens(Tokenizer(), [{"role": "user", "content": "ok"}], has_ended)
    return "".join(map(chr, tokens))


environment = trl_reward.GradusEnvironment()
environment.reset(example_id=ids[0])
tools = [name for name in dir(environment) if not name.startswith("_") and name != "reset"]
print(
    json.dumps(
        {
            "scores": asyncio.run(scores()),
            "trl": trl_reward.gradus_reward(["", ""], [right, [{"role": "assistant", "content": right}]], [ids[0], ids[0]]),
            "tools": tools,
            "ran": environment.execute_sql(sql=gold),
            "unknown": refused(lambda: gradus_client.Client().call("POST", "/reward", {"example_id": "x", "sql": ""})),
            "large": refused(
                lambda: gradus_client.Client(attempts=3).call("POST", "/reward", {"text": "x" * 17_000_000})
            ),
            "busy": len(
                [
                    gradus_client.Episode.start(gradus_client.Client(), example_id=one).step("nothing")
                    for one in ids
                ]
            ),
            "whole": shown(True),
            "cut": shown(False),
        }
    )
)
