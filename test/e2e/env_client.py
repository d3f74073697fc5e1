"""Plays episodes of a gradus service with a model behind an OpenAI-compatible address.

Usage: python3 env_client.py CLIENT_FOLDER MODEL_BASE_URL MODEL_NAME CLIENTS SCAFFOLD,… < ids > results.jsonl
"""

import concurrent.futures
import json
import sys
import urllib.request

sys.path.insert(0, sys.argv[1])
from gradus_client import Client, Episode  # noqa: E402

_, _, BASE_URL, MODEL, CLIENTS, SCAFFOLDS = sys.argv
CLIENT = Client()


def ask(messages, how):
    body = {
        "model": MODEL,
        "messages": messages,
        "temperature": how["temperature"],
        "top_p": how["top_p"],
        "top_k": how["top_k"],
        "max_tokens": how["max_tokens"],
        "stop": how["stop"],
        "seed": how["seed"],
    }
    request = urllib.request.Request(
        BASE_URL + "/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as response:
        return json.load(response)


def play(example_id, scaffold):
    episode = Episode.start(CLIENT, example_id=example_id, scaffold=scaffold, record=True)
    while not episode.done:
        completion = ask(episode.messages, episode.ask)
        choice = completion["choices"][0]
        episode.step(
            choice["message"]["content"],
            finish_reason=choice["finish_reason"],
            usage=completion["usage"],
            simulated=completion["system_fingerprint"] == "gradus-simulated",
        )
    state = dict(episode.state, messages=episode.messages)
    return dict(state, scaffold=scaffold)


with concurrent.futures.ThreadPoolExecutor(int(CLIENTS)) as pool:
    asked = [(one, scaffold) for one in sys.stdin.read().split() for scaffold in SCAFFOLDS.split(",")]
    for result in pool.map(lambda pair: play(*pair), asked):
        print(json.dumps(result))
