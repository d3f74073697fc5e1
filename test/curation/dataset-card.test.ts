import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { defineExporter, type ShardForm } from "../../core/shard.ts";
import { type CardFacts, datasetCard, simulatedShare } from "../../curation/dataset-card.ts";
import { NO_FACTS } from "../interop/fixture-rows.ts";

const exporter = defineExporter({
  id: "toy",
  version: 3,
  format: "jsonl",
  set: "sft",
  columns: [
    { name: "id", type: "string" },
    { name: "tags", type: { list: "string" } },
    {
      name: "messages",
      type: { list: { struct: { role: "string", calls: { list: { struct: { n: "int64" } } } } } },
    },
    { name: "info", type: { struct: { ok: "bool", score: "float64" } } },
  ],
  lossy: ["Loses this.", "Loses that."],
  usage: "Load it.",
  row: () => ({}),
});

const facts: CardFacts = {
  datasetName: "Toy  set\n# of rows",
  license: "cc-by-sa-4.0",
  recipe: { z: 1, a: ["```", { y: null, x: "é" }] },
  sources: [],
  funnel: [],
  exporter,
  exporterOptions: {},
  form: exporter.open({}, NO_FACTS) as ShardForm,
  prompts: { rollouts: 0, rollouts_differ: 0, no_rollout: 27 },
  files: [
    {
      exporter: "toy",
      split: "train",
      path: "train-00000-of-00002.jsonl",
      rows: 20,
      bytes: 1,
      sha256: "0".repeat(64),
    },
    {
      exporter: "toy",
      split: "train",
      path: "train-00001-of-00002.jsonl",
      rows: 7,
      bytes: 1,
      sha256: "1".repeat(64),
    },
  ],
  splits: {
    train: { rows: 27, simulated: 0, refused: 2 },
    validation: { rows: 0, simulated: 0, refused: 0 },
  },
};

describe("datasetCard", () => {
  it("writes a card", () => {
    expect(datasetCard(facts)).toBe(`---
license: cc-by-sa-4.0
pretty_name: "Toy set # of rows"
tags:
  - text-to-sql
  - gradus
  - toy
task_categories:
  - text-generation
size_categories:
  - n<1K
configs:
  - config_name: toy
    default: true
    data_files:
      - split: train
        path:
          - train-00000-of-00002.jsonl
          - train-00001-of-00002.jsonl
---

# Toy set # of rows

Text-to-SQL training set (verified trajectories), written by the exporter \`toy\`, version 3.

## Splits

| split | rows | simulated | refused | files |
|---|---:|---:|---:|---|
| train | 27 | 0 | 2 | 2 |
| validation | 0 | 0 | 0 | no file: the split is empty |

## Columns

| column | type |
|---|---|
| \`id\` | string |
| \`tags\` | list of string |
| \`messages\` | list |
| \`messages[].role\` | string |
| \`messages[].calls\` | list |
| \`messages[].calls[].n\` | int64 |
| \`info\` | struct |
| \`info.ok\` | bool |
| \`info.score\` | float64 |

## Loading

Load it.

## What this form does not hold

- Loses this.
- Loses that.

## How it was made

\`\`\`\`json
{
  "a": [
    "\`\`\`",
    {
      "x": "é",
      "y": null
    }
  ],
  "z": 1
}
\`\`\`\`

\`checksums.sha256\` lists the SHA-256 of every file (\`sha256sum -c checksums.sha256\`).
`);
  });

  it("tells where prompts and questions come from, and the way of both", () => {
    const text = datasetCard({
      ...facts,
      exporter: { ...exporter, set: "rl" },
      prompts: { rollouts: 4, rollouts_differ: 2, no_rollout: 1 },
      sources: [{ name: "spider", split: "train", release: null, license: "CC-BY-SA-4.0" }],
      funnel: [
        { name: "questions", count: 9, depth: 0 },
        { name: "trivial", count: 2, depth: 1 },
      ],
    });
    expect(text).toContain(
      "| what all rollouts of the scaffold saw | 4 |\n" +
        "| as the config's `prompt` says: rollouts saw different ones | 2 |\n" +
        "| as the config's `prompt` says: no rollout of that scaffold | 1 |\n",
    );
    expect(text).toContain("| spider | train | recognised | CC-BY-SA-4.0 |");
    expect(text).toContain("- questions: 9\n  - trivial: 2\n");
  });

  it("has a header that YAML reads back, whatever the names", () => {
    const text = datasetCard({ ...facts, datasetName: 'it\'s: a #1 "set"', license: "other" });
    const header: unknown = parse(text.split("---\n")[1] ?? "");
    expect(header).toMatchObject({ license: "other", pretty_name: 'it\'s: a #1 "set"' });
  });

  it("does not depend on the order of the recipe's members", () => {
    const swapped = { a: ["```", { x: "é", y: null }], z: 1 };
    expect(datasetCard({ ...facts, recipe: swapped })).toBe(datasetCard(facts));
  });

  it("warns of simulated rows in bold", () => {
    const splits = {
      train: { rows: 30, simulated: 10, refused: 0 },
      validation: { rows: 10, simulated: 2, refused: 0 },
    };
    const warning = datasetCard({ ...facts, splits })
      .split("\n")
      .find((line) => line.startsWith("**"));
    expect(warning).toBe(
      "**Warning: 12 of 40 rows (30.0 %) were shaped by a simulated model, not by a real one. They show that " +
        "the pipeline works; do not train on them. The field `simulated` marks them.**",
    );
  });

  it.each([
    [999, "n<1K"],
    [1000, "1K<n<10K"],
    [99_999, "10K<n<100K"],
    [100_000, "100K<n<1M"],
  ])("files %i rows under %s", (rows, size) => {
    const splits = { ...facts.splits, train: { rows, simulated: 0, refused: 0 } };
    expect(datasetCard({ ...facts, splits })).toContain(`size_categories:\n  - ${size}\n`);
  });
});

describe("simulatedShare", () => {
  it("counts over both splits", () => {
    const none = { rows: 3, simulated: 0, refused: 0 };
    expect(simulatedShare({ train: none, validation: none })).toBeNull();
    expect(simulatedShare({ train: none, validation: { rows: 3, simulated: 1, refused: 9 } })).toBe(
      "1 of 6 rows (16.7 %)",
    );
  });
});
