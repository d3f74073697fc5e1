"""Loads shard folders with the libraries that trainers load them with. GRADUS_SHARDS lists the folders."""

import hashlib
import json
import os
import pathlib

import datasets
import pandas
import pyarrow.parquet
import pytest

FOLDERS = [pathlib.Path(folder) for folder in json.loads(os.environ["GRADUS_SHARDS"])]
VERL_COLUMNS = ["data_source", "prompt", "ability", "reward_model", "extra_info"]
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
    return sorted(path for path in folder.iterdir() if path.suffix in (".parquet", ".jsonl"))


def kind(path):
    return "parquet" if path.suffix == ".parquet" else "json"


def load(paths, cache):
    return datasets.load_dataset(kind(paths[0]), data_files=[str(path) for path in paths], cache_dir=cache, split="train")


def is_rl(folder):
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
    present = {path.name for path in shard_files(folder)} | {"README.md"}
    assert set(listed) == present
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
    key = (lambda row: row["extra_info"]["split"] + str(row["extra_info"]["index"])) if is_rl(folder) else json.dumps
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
    if not is_rl(folder):
        pytest.skip("rows of messages carry no index")
    for split, paths in by_split(folder).items():
        infos = load(paths, cache)["extra_info"]
        assert [info["index"] for info in infos] == list(range(len(infos)))
        assert {info["split"] for info in infos} == {split}


def test_parquet_schemas_are_equal(folder):
    if not is_rl(folder):
        pytest.skip("not Parquet")
    schemas = [pyarrow.parquet.read_schema(path) for path in shard_files(folder)]
    for schema in schemas:
        assert schema.equals(schemas[0], check_metadata=False)
    assert schemas[0].names == VERL_COLUMNS
    assert str(schemas[0].field("extra_info").type.field("index").type) == "int64"
    for path in shard_files(folder):
        table = pyarrow.parquet.read_table(path)
        assert all(column.null_count == 0 for column in table.columns)


def test_pandas_reads_every_file(folder):
    if not is_rl(folder):
        pytest.skip("not Parquet")
    frames = [pandas.read_parquet(path, dtype_backend="pyarrow") for path in shard_files(folder)]
    whole = pandas.concat(frames)
    assert list(whole.columns) == VERL_COLUMNS
    for frame in frames:
        assert (frame.dtypes == frames[0].dtypes).all()
    assert not whole.isna().any().any()


def test_verl_rules(folder, cache):
    if not is_rl(folder):
        pytest.skip("not a set for RL")
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
        names = [path for path, value in walk(info) if not isinstance(value, list)]
        shape = shape or names
        assert names == shape
        created = info["tools_kwargs"].get("execute_sql", {}).get("create_kwargs", {})
        assert created == {
            "db_id": info["db_id"],
            "database_sha256": info["database_sha256"],
            "example_id": info["example_id"],
        }


def test_messages_rules(folder, cache):
    if is_rl(folder):
        pytest.skip("not a set of messages")
    for row in load(shard_files(folder), cache):
        previous = None
        for message in row["messages"]:
            role = message["role"]
            assert isinstance(message["content"], str)
            assert previous in FOLLOWS[role] if previous is not None else role in ("system", "user")
            previous = role
            assert ("weight" in message) == (role == "assistant")
            for call in message.get("tool_calls", []):
                assert call["type"] == "function"
                assert isinstance(call["function"]["arguments"], dict)
                for path, value in walk(call):
                    assert value is not None, path
        assert previous == "assistant"
        assert all(value is not None for value in row.values())


def test_messages_are_what_the_file_says(folder, cache):
    if is_rl(folder):
        pytest.skip("not a set of messages")
    for path in shard_files(folder):
        written = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
        assert load([path], cache).to_list() == written
