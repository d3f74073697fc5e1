"""Renders conversations with published chat templates, as `transformers` does. TRL's package carries the templates."""

import importlib.metadata
import json
import pathlib

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.sandbox

FOLDER = pathlib.Path(importlib.metadata.distribution("trl").locate_file("trl/chat_templates"))
SPECIAL_TOKENS = {"bos_token": "<bos>", "eos_token": "<eos>"}


class GenerationTag(jinja2.ext.Extension):
    """The marks around what the assistant said, which mean nothing to the text."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.Scope(body, lineno=line)


class Refused(Exception):
    """A template refuses a conversation."""


def refuse(message):
    raise Refused(message)


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment():
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[GenerationTag, jinja2.ext.loopcontrols],
    )
    made.filters["tojson"] = to_json
    made.globals["raise_exception"] = refuse
    made.globals["strftime_now"] = lambda form: "26 Jul 2026"
    return made


ENVIRONMENT = environment()
COMPILED = {}


def render(template, messages, tools=None, *, asks=False, **arguments):
    """The text that a model gets: with `asks`, up to where its next reply begins."""
    if template not in COMPILED:
        COMPILED[template] = ENVIRONMENT.from_string((FOLDER / f"{template}.jinja").read_text(encoding="utf-8"))
    return COMPILED[template].render(
        messages=[with_parsed_arguments(message) for message in messages],
        tools=tools,
        documents=None,
        add_generation_prompt=asks,
        **SPECIAL_TOKENS,
        **arguments,
    )


def with_parsed_arguments(message):
    """Servers parse the arguments of earlier calls before they render them; rows of training data hold objects."""
    if "tool_calls" not in message:
        return message
    calls = [
        {**call, "function": {**call["function"], "arguments": parsed(call["function"]["arguments"])}}
        for call in message["tool_calls"]
    ]
    return {**message, "tool_calls": calls}


def parsed(arguments):
    return json.loads(arguments) if isinstance(arguments, str) else arguments

