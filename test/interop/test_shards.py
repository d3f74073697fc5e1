"""Loads shard folders with the libraries that trainers load them with. GRADUS_SHARDS lists the folders."""

import hashlib
import json
import os
import pathlib

import datasets
import pandas
import pyarrow.parquet
import pytest
import yaml

from chat_templates import render

FOLDERS = [pathlib.Path(folder) for folder in json.loads(os.environ["GRADUS_SHARDS"])]
VERL_COLUMNS = ["data_source", "prompt", "ability", "reward_model", "extra_info"]
VERL = {"verl-rl", "single-turn-rl"}
MESSAGES = {"messages-sft", "gold-sft", "verl-sft"}
FOLLOWS = {
    "user": {"system", "assistant", "tool"},
    "assistant": {"user", "tool"},
    "tool": {"assistant", "tool"},
}


def identifier(folder):
    return f"{folder.parent.name}/{folder.name}"


@pytest.fixture(params=FOLDERS, ids=identifier)
def folder(request):
    return request.param


@pytest.fixture
def cache(tmp_path):
    return str(tmp_path / "cache")


def shard_files(folder):
    """The files of a folder in order, train before validation."""
    return sorted(path for path in folder.rglob("*") if path.suffix in (".parquet", ".jsonl"))


def lock(folder):
    return yaml.safe_load((folder / "recipe.lock.yaml").read_text(encoding="utf-8"))


def exporter(folder):
    return lock(folder)["exporter"]["id"]


def only(folder, *exporters):
    if exporter(folder) not in set().union(*exporters):
        pytest.skip("another form")


def kind(path):
    return "parquet" if path.suffix == ".parquet" else "json"


def load(paths, cache):
    return datasets.load_dataset(kind(paths[0]), data_files=[str(path) for path in paths], cache_dir=cache, split="train")


def is_parquet(folder):
    return shard_files(folder)[0].suffix == ".parquet"


def by_split(folder):
    files = {}
    for path in shard_files(folder):
        files.setdefault(path.name.split("-")[0], []).append(path)
    return files


def walk(value, path="$"):
    yield path, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield from walk(member, f"{path}.{name}")
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from walk(member, f"{path}[{place}]")


def test_folder_has_train_files(folder):
    assert by_split(folder)["train"]


def test_checksums(folder):
    listed = {}
    for line in (folder / "checksums.sha256").read_text().splitlines():
        digest, name = line.split("  ", 1)
        listed[name] = digest
    present = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert set(listed) == present - {"checksums.sha256", "manifest.json"}
    for name, digest in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_each_file_alone_has_the_same_features(folder, cache):
    loaded = [load([path], cache) for path in shard_files(folder)]
    assert all(len(one) > 0 for one in loaded)
    for one in loaded:
        assert one.features == loaded[0].features
    datasets.concatenate_datasets(loaded)
    datasets.concatenate_datasets(loaded[::-1])


def test_lists_of_files_in_both_orders(folder, cache):
    files = shard_files(folder)
    forward = load(files, cache)
    backward = load(files[::-1], cache)
    assert forward.features == backward.features
    key = json.dumps
    assert sorted(map(key, forward)) == sorted(map(key, backward))


def test_splits_together_and_alone(folder, cache):
    files = {split: [str(path) for path in paths] for split, paths in by_split(folder).items()}
    together = datasets.load_dataset(kind(shard_files(folder)[0]), data_files=files, cache_dir=cache)
    for split, paths in by_split(folder).items():
        assert together[split].features == load(paths, cache).features


def test_card_finds_the_splits(folder, cache):
    loaded = datasets.load_dataset(str(folder), cache_dir=cache)
    assert set(loaded) == set(by_split(folder))
    for split, paths in by_split(folder).items():
        explicit = load(paths, cache)
        assert loaded[split].features == explicit.features
        assert loaded[split].to_list() == explicit.to_list()


def test_order_and_index(folder, cache):
    only(folder, VERL, {"skyrl-rl"})
    for split, paths in by_split(folder).items():
        infos = load(paths, cache)["extra_info"]
        assert [info["index"] for info in infos] == list(range(len(infos)))
        assert {info["split"] for info in infos} == {split}


def test_parquet_schemas_are_equal(folder):
    if not is_parquet(folder):
        pytest.skip("not Parquet")
    schemas = [pyarrow.parquet.read_schema(path) for path in shard_files(folder)]
    for schema in schemas:
        assert schema.equals(schemas[0], check_metadata=False)
    if exporter(folder) in VERL:
        assert schemas[0].names == VERL_COLUMNS
        assert str(schemas[0].field("extra_info").type.field("index").type) == "int64"
    for path in shard_files(folder):
        table = pyarrow.parquet.read_table(path)
        assert all(column.null_count == 0 for column in table.columns)


def test_pandas_reads_every_file(folder):
    if not is_parquet(folder):
        pytest.skip("not Parquet")
    frames = [pandas.read_parquet(path, dtype_backend="pyarrow") for path in shard_files(folder)]
    whole = pandas.concat(frames)
    assert list(whole.columns) == pyarrow.parquet.read_schema(shard_files(folder)[0]).names
    for frame in frames:
        assert (frame.dtypes == frames[0].dtypes).all()
    assert not whole.isna().any().any()


def test_verl_rules(folder, cache):
    only(folder, VERL)
    shape = None
    for row in load(shard_files(folder), cache):
        for path, value in walk(row):
            assert value is not None, path
        assert isinstance(row["data_source"], str)
        assert isinstance(row["prompt"], list) and row["prompt"]
        for message in row["prompt"]:
            assert set(message) == {"role", "content"}
            assert isinstance(message["role"], str) and isinstance(message["content"], str)
        truth = row["reward_model"]["ground_truth"]
        assert row["reward_model"]["style"] == "rule" and isinstance(truth, str)
        parsed = json.loads(truth)
        assert set(parsed) == {"db_id", "gold"} and parsed["gold"]
        assert all(isinstance(query, str) for query in parsed["gold"])
        info = row["extra_info"]
        assert type(info["index"]) is int and type(info["need_tools_kwargs"]) is bool
        names = [path for path, value in walk(info) if "[" not in path]
        shape = shape or names
        assert names == shape
        kwargs = info.get("tools_kwargs", {})
        assert info["need_tools_kwargs"] == bool(kwargs)
        assert set(info.get("tool_selection", [])) <= set(kwargs)
        for tool in kwargs.values():
            assert tool["create_kwargs"] == {
                "db_id": info["db_id"],
                "database_sha256": info["database_sha256"],
                "example_id": info["example_id"],
            }
        assert info["group_id"] == f"{info['example_id']}:{info['task']}"
        if info["gold_links"]:
            assert all(set(table) == {"table", "columns"} for table in json.loads(info["gold_links"]))
            assert info["full_schema"] and info["oracle_schema"] is not None


def check_messages(messages, complete=True):
    previous = None
    for message in messages:
        role = message["role"]
        assert isinstance(message["content"], str)
        assert previous in FOLLOWS[role] if previous is not None else role in ("system", "user")
        previous = role
        for call in message.get("tool_calls", []):
            assert call["type"] == "function"
            assert isinstance(call["function"]["arguments"], dict)
            for path, value in walk(call):
                assert value is not None, path
    assert (previous == "assistant") == complete


def test_messages_rules(folder, cache):
    only(folder, MESSAGES)
    for row in load(shard_files(folder), cache):
        check_messages(row["messages"])
        assert all(value is not None for value in row.values())


def marks(message):
    return {name: message[name] for name in ("weight", "loss", "train") if name in message}


def test_each_target_marks_what_is_learned(folder, cache):
    only(folder, {"messages-sft"})
    name = {"ms-swift": "loss", "axolotl": "train"}.get(lock(folder)["exporter"]["options"].get("for"), "weight")
    for row in load(shard_files(folder), cache):
        for message in row["messages"]:
            assert set(marks(message)) == ({name} if message["role"] == "assistant" else set())
        assert any(marks(message).get(name) for message in row["messages"])


def tools_of(row):
    tools = row.get("tools") or []
    return json.loads(tools) if isinstance(tools, str) else tools


def test_tools_are_whole(folder, cache):
    for row in load(shard_files(folder), cache):
        for tool in tools_of(row):
            for path, value in walk(tool):
                assert value is not None, path


def test_rows_render_without_null(folder, cache):
    """What a model would read: the templates of Qwen 2.5 and 3, as `transformers` renders them."""
    only(folder, {"messages-sft", "gold-sft", "verl-sft", "preference", "kto", "verl-rl", "trl-grpo"})
    for row in load(shard_files(folder), cache):
        conversations = [row["messages"]] if "messages" in row else [row["prompt"]]
        for part in ("chosen", "rejected", "completion"):
            if part in row:
                conversations.append([*row["prompt"], *row[part]])
        tools = tools_of(row) or None
        for template in ("qwen2_5", "qwen3"):
            for messages in conversations:
                text = render(template, messages, tools)
                assert ": null" not in text
                if template == "qwen2_5":
                    assert messages[-1]["content"].strip() in text


def test_prompts_of_preferences(folder, cache):
    only(folder, {"preference", "kto"})
    labels = []
    for row in load(shard_files(folder), cache):
        check_messages(row["prompt"], complete=False)
        if "label" in row:
            labels.append(row["label"])
            assert isinstance(row["label"], bool) and len(row["completion"]) == 1
        else:
            assert len(row["chosen"]) == len(row["rejected"]) == 1
            assert row["chosen"] != row["rejected"]
    assert labels == [] or labels.count(True) == labels.count(False)


def test_pretokenized_learns_what_was_sampled(folder, cache):
    """The tokens of the fixture's tokenizer are bytes, and the two marks of ChatML."""
    only(folder, {"pretokenized"})
    marks = {256: b"<|im_start|>", 257: b"<|im_end|>"}
    for row in load(shard_files(folder), cache):
        ids, mask = row["input_ids"], row["loss_mask"]
        assert len(ids) == len(mask) and set(mask) == {0, 1}
        text = b"".join(marks.get(token) or bytes([token]) for token in ids).decode()
        learned, place = [], 0
        while place < len(ids):
            end = place
            while end < len(ids) and mask[end] == mask[place]:
                end += 1
            if mask[place] == 1:
                before = b"".join(marks.get(token) or bytes([token]) for token in ids[:place]).decode()
                assert before.endswith("<|im_start|>assistant\n")
                assert ids[end - 1] == 257
                learned.append(end - place)
            place = end
        assert learned and text.count("<|im_start|>assistant\n") == len(learned)


def test_skyrl_rules(folder, cache):
    only(folder, {"skyrl-rl"})
    for row in load(shard_files(folder), cache):
        assert row["reward_spec"]["ground_truth"] == row["extra_info"]["golds"][0]
        for path, value in walk(row):
            assert value is not None, path


def test_nemo_gym_rules(folder, cache):
    only(folder, {"nemo-gym"})
    for path in shard_files(folder):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if not line:
                continue
            row = json.loads(line)
            assert row["responses_create_params"]["input"] and row["gt_sql"] == row["gold"][0]
            assert set(row["agent_ref"]) == {"type", "name"}


def test_openrlhf_labels(folder, cache):
    only(folder, {"openrlhf"})
    for row in load(shard_files(folder), cache):
        assert json.loads(row["label"])["gold"]


def estimated_tokens(messages, tools):
    """Bytes over two: more than any tokenizer of the trainers' models makes of such texts."""
    return sum(len(message["content"].encode()) for message in messages) // 2


def test_recommended_lengths_hold_every_row(folder, cache):
    only(folder, {"verl-rl", "llama-factory"})
    if exporter(folder) == "verl-rl":
        limits = [
            int(line.split("=")[1].split()[0])
            for script in (folder / "launch").iterdir()
            for line in script.read_text().splitlines()
            if line.strip().startswith("data.max_prompt_length=")
        ]
        longest = max(estimated_tokens(row["prompt"], []) for row in load(shard_files(folder), cache))
    else:
        limits = [yaml.safe_load(path.read_text())["cutoff_len"] for path in (folder / "launch").iterdir()]
        longest = max(estimated_tokens(row["messages"], []) for row in load(shard_files(folder), cache))
    assert limits and longest <= min(limits)


def test_messages_are_what_the_file_says(folder, cache):
    if is_parquet(folder):
        pytest.skip("not JSON Lines")
    for path in shard_files(folder):
        written = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
        assert load([path], cache).to_list() == written
