import { defineExporter } from "../../core/shard.ts";
import { goldsOf, groupId, textPrompt, unsupportedRow } from "../exported-messages.ts";

/** Prompts to practise on for OpenRLHF: messages and one label, a JSON string. */
export default defineExporter({
  id: "openrlhf",
  version: 1,
  format: "jsonl",
  set: "rl",
  columns: [
    { name: "input", type: { list: { struct: { role: "string", content: "string" } } } },
    { name: "label", type: "string" },
    { name: "datasource", type: "string" },
    { name: "simulated", type: "bool" },
  ],
  lossy: [
    "OpenRLHF shows no tools beside messages: a prompt whose requests carried some is refused.",
    "All that a reward needs is in `label`, as JSON: example, database, golds, task and group.",
  ],
  usage: [
    "`--data.prompt_dataset <folder> --data.input_key input --data.label_key label --data.apply_chat_template`. Rewards",
    "get `labels` as JSON strings: `json.loads(label)` has `gold`, the list of accepted queries.",
  ].join("\n"),
  row(row) {
    if (row.tools.length > 0) {
      throw unsupportedRow(
        "openrlhf",
        row.example.id,
        "its tools go beside its messages, which OpenRLHF cannot show: use a scaffold whose calls are text",
      );
    }
    return {
      input: textPrompt(row, "openrlhf"),
      label: JSON.stringify({
        example_id: row.example.id,
        db_id: row.example.databaseId,
        database_sha256: row.databaseDigest,
        gold: goldsOf(row, "openrlhf"),
        task: row.task,
        group_id: groupId(row),
        split: row.split,
        level: row.level,
      }),
      datasource: `gradus/${row.example.dataset.name}`,
      simulated: row.simulated,
    };
  },
});
