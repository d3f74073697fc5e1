"""Loads shards with the trainers' own code, as far as it runs on a CPU without its heavy dependencies: LLaMA-Factory's list
of datasets, converter and formatter, and SkyRL's text-to-SQL environment. GRADUS_SHARDS lists the folders."""

import importlib.util
import json
import os
import pathlib
import sqlite3
import sys
import types

import datasets
import pytest

from test_shards import FOLDERS, exporter, identifier, load, lock, shard_files


def stub(name, path=None, **members):
    module = types.ModuleType(name)
    if path is not None:
        module.__path__ = [str(path)]
    module.__dict__.update(members)
    sys.modules[name] = module
    return module


def llama_factory():
    """LLaMA-Factory's modules without the package's own start, which imports torch; what they log is gathered."""
    said = []

    def say(*parts):
        said.append(" ".join(map(str, parts)))

    root = pathlib.Path(importlib.util.find_spec("llamafactory").submodule_search_locations[0])
    logger = types.SimpleNamespace(warning_rank0=say, warning_rank0_once=say, info_rank0=lambda *_: None)
    stub("llamafactory", root)
    stub("llamafactory.data", root / "data")
    stub("llamafactory.extras", root / "extras")
    stub("llamafactory.extras.logging", get_logger=lambda _: logger)
    sys.modules["llamafactory.extras"].logging = sys.modules["llamafactory.extras.logging"]
    stub("llamafactory.extras.constants", DATA_CONFIG="dataset_info.json")
    stub("llamafactory.extras.misc", use_modelscope=lambda: False, use_openmind=lambda: False)
    from llamafactory.data import converter, formatter, parser

    return converter, formatter, parser, said


CONVERTER, FORMATTER, PARSER, SAID = llama_factory()


THOUGHT = ("<think>\n", "\n</think>\n\n")
CALL = ("<tool_call>", "</tool_call>")


def folders(*exporters):
    found = [folder for folder in FOLDERS if exporter(folder) in exporters]
    return pytest.mark.parametrize("folder", found, ids=identifier)


@folders("llama-factory")
def test_llama_factory_converts_every_row(folder, tmp_path):
    names = list(json.loads((folder / "dataset_info.json").read_text()))
    attributes = PARSER.get_dataset_list(names, str(folder))
    assert len(attributes) == len(names) > 0
    for attribute in attributes:
        local = folder / attribute.dataset_name
        files = sorted(os.listdir(local))
        assert {pathlib.Path(name).suffix for name in files} == {".jsonl"}
        loaded = datasets.load_dataset("json", data_files=[str(local / name) for name in files], split="train", cache_dir=str(tmp_path))
        convert = CONVERTER.SharegptDatasetConverter(attribute, types.SimpleNamespace(media_dir=None))
        del SAID[:]
        calls = FORMATTER.FunctionFormatter(slots=["{{content}}"], tool_format="qwen")
        tools = FORMATTER.ToolFormatter(tool_format="qwen")
        for row in loaded:
            made = convert(row)
            assert made["_response"] and made["_prompt"]
            turns = [*made["_prompt"], *made["_response"]]
            assert [turn["content"] for turn in turns] == [message["content"] for message in row["messages"]]
            for turn in turns:
                if turn["role"] == "function":
                    [text] = calls.apply(content=turn["content"], thought_words=THOUGHT, tool_call_words=CALL)
                    said = turn["content"].split("<tool_call>")[0].strip()
                    assert text.startswith(said) and text.count("<tool_call>") > 0
                    assert "null" not in text
            if row["tools"] != "[]":
                [text] = tools.apply(content=row["tools"])
                assert all(tool["function"]["name"] in text for tool in json.loads(row["tools"]))
        assert SAID == []


@folders("skyrl-rl")
def test_skyrl_environment_starts_on_every_row(folder, tmp_path):
    from skyrl_gym.envs.sql.env import SQLEnv

    if lock(folder)["exporter"]["options"].get("envClass") != "text2sql":
        pytest.skip("an environment of ours")
    for row in load(shard_files(folder), str(tmp_path / "cache")):
        place = {"spider": "spider/database", "bird": "bird/train/train_databases"}[row["data"]]
        database = tmp_path / place / row["db_id"] / f"{row['db_id']}.sqlite"
        database.parent.mkdir(parents=True, exist_ok=True)
        sqlite3.connect(database).close()
        extras = {name: value for name, value in row.items() if name not in ("prompt", "env_class")}
        environment = SQLEnv(types.SimpleNamespace(db_path=str(tmp_path)), extras)
        environment.init(row["prompt"])
        assert environment.gold_sql == row["reward_spec"]["ground_truth"]
