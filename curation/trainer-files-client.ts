/** `gradus_client.py`: what the other files call. Python's own library is all that it needs. */
export function clientPython(url: string, tokenVariable: string | null): string {
  return `${HEAD}
URL = ${JSON.stringify(url)}
TOKEN_VARIABLE = ${tokenVariable === null ? "None" : JSON.stringify(tokenVariable)}
${CLIENT}`;
}

const HEAD = `"""Client of gradus' services, made by \`gradus serve --write-client\`.

The address can be changed with the environment variable GRADUS_URL. Calls that are told to come again (429, 503),
and calls whose connection broke, are made again; a step of an episode that is sent twice is taken once.
"""

import asyncio
import concurrent.futures
import http.client
import json
import os
import threading
import time
import urllib.parse
`;

const CLIENT = String.raw`
_POOL = concurrent.futures.ThreadPoolExecutor(max_workers=64, thread_name_prefix="gradus")
_LOCAL = threading.local()
_BROKEN = (ConnectionError, http.client.HTTPException, TimeoutError)


class GradusError(Exception):
    """What the service answered instead of a result."""

    def __init__(self, status, code, message, hint=""):
        super().__init__(f"{code}: {message}" + (f" (hint: {hint})" if hint else ""))
        self.status = status
        self.code = code


class Client:
    """Calls a service; one connection a thread is kept open."""

    def __init__(self, url=None, timeout_s=600.0, attempts=10):
        self.url = (url or os.environ.get("GRADUS_URL") or URL).rstrip("/")
        self.timeout_s = timeout_s
        self.attempts = attempts

    def call(self, method, path, body=None):
        """The JSON that a call answers. Raises GradusError for a refusal, OSError where nobody answers."""
        for attempt in range(self.attempts):
            is_last = attempt == self.attempts - 1
            try:
                status, headers, text = self._send(method, path, body)
            except _BROKEN:
                self._drop()
                if is_last:
                    raise
                time.sleep(min(5.0, 0.05 * 2**attempt))
                continue
            if status in (429, 503) and not is_last:
                time.sleep(float(headers.get("retry-after") or 1))
                continue
            answer = json.loads(text)
            if status == 200:
                return answer
            error = answer.get("error", {}) if isinstance(answer, dict) else {}
            raise GradusError(status, error.get("code", ""), error.get("message", text), error.get("hint", ""))
        raise AssertionError("not reached")

    async def call_async(self, method, path, body=None):
        """As call, without holding up the event loop."""
        return await asyncio.get_running_loop().run_in_executor(_POOL, self.call, method, path, body)

    def _send(self, method, path, body):
        headers = {"accept": "application/json"}
        if TOKEN_VARIABLE is not None:
            headers["authorization"] = "Bearer " + os.environ.get(TOKEN_VARIABLE, "")
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body).encode()
        connection = self._connection()
        try:
            connection.request(method, path, data, headers)
        except BrokenPipeError:
            pass  # a body that is refused for its size: the answer may be there all the same
        response = connection.getresponse()
        return response.status, response.headers, response.read().decode()

    def _connection(self):
        kept = _LOCAL.__dict__.setdefault("connections", {})
        if self.url not in kept:
            parts = urllib.parse.urlsplit(self.url)
            kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
            kept[self.url] = kind(parts.hostname, parts.port, timeout=self.timeout_s)
        return kept[self.url]

    def _drop(self):
        connection = _LOCAL.__dict__.get("connections", {}).pop(self.url, None)
        if connection is not None:
            connection.close()


class Episode:
    """One episode: its prompt in messages, how to ask the model in ask, and what step answers."""

    def __init__(self, client, state):
        self.client = client
        self.state = state
        self.messages = list(state["messages"])

    @classmethod
    def start(cls, client, **request):
        return cls(client, client.call("POST", "/start", request))

    @classmethod
    async def start_async(cls, client, **request):
        return cls(client, await client.call_async("POST", "/start", request))

    @property
    def ask(self):
        return self.state["ask"]

    @property
    def done(self):
        return self.state["done"]

    def step(self, text, **reply):
        return self._take(self.client.call("POST", "/step", self._body(text, reply)))

    async def step_async(self, text, **reply):
        return self._take(await self.client.call_async("POST", "/step", self._body(text, reply)))

    def end(self):
        """Gives the episode up; one that is forgotten expires by itself."""
        self.client.call("POST", "/end", {"episode": self.state["episode"]})

    def _body(self, text, reply):
        return {"episode": self.state["episode"], "turn": self.state["turn"], "text": text, **reply}

    def _take(self, state):
        self.state = state
        if state["messages"] is not None:
            self.messages = list(state["messages"])
        else:
            if state["reply"] is not None:
                self.messages.append(state["reply"])
            self.messages.extend(state["observations"])
        return state


def numbers(scored, terms, name="score"):
    """A reward as flat numbers with the same keys every time; scored is 0 where there is no reward."""
    reward = scored["reward"]
    flat = {name: 0.0 if reward is None else float(reward), "scored": 0.0 if reward is None else 1.0}
    for term in terms:
        flat[term] = float(scored["terms"].get(term, {"value": 0.0})["value"])
    return flat


def example_id_of(row):
    """The example that a row of a shard is of: the column example_id, or the one in extra_info."""
    for place in (row, row.get("extra_info") or {}):
        if place.get("example_id"):
            return place["example_id"]
    raise KeyError("the row has neither example_id nor extra_info.example_id")


_MARK = "gradus-reply-mark"


def observation_tokens(tokenizer, observations, has_ended):
    """Tokens between a sampled reply and the next one: the end of the reply, where it was not sampled
    (has_ended), what the environment says, and the opening of the next reply."""
    before = [{"role": "user", "content": "?"}, {"role": "assistant", "content": _MARK}]
    said = [{"role": one["role"], "content": one["content"]} for one in observations]
    whole = tokenizer.apply_chat_template(before + said, add_generation_prompt=True, tokenize=False)
    tail = whole[whole.index(_MARK) + len(_MARK) :]
    end = getattr(tokenizer, "eos_token", None)
    if has_ended and end and tail.startswith(end):
        tail = tail[len(end) :]
    return list(tokenizer.encode(tail, add_special_tokens=False))
`;
