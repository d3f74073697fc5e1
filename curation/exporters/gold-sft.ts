import { defineExporter, type ExportRow } from "../../core/shard.ts";
import { goldsOf, textPrompt } from "../exported-messages.ts";

/** The baseline to imitate: the first gold of each question as the answer to the single-turn prompt. */
export default defineExporter({
  id: "gold-sft",
  version: 1,
  format: "jsonl",
  set: "baseline",
  columns: [
    { name: "messages", type: { list: { struct: { role: "string", content: "string" } } } },
    { name: "example_id", type: "string" },
    { name: "db_id", type: "string" },
    { name: "dataset", type: "string" },
    { name: "split", type: "string" },
    { name: "level", type: "int64" },
    { name: "simulated", type: "bool" },
  ],
  lossy: [
    "A baseline: no thought and no tool, only the first gold in a fenced block.",
    "`simulated` says that a simulated model's samples chose the question; its answer is gold.",
  ],
  usage: "As `messages-sft` for TRL: `assistant_only_loss=True`, and a `max_length` above the longest row.",
  row: (row) => ({
    messages: [...textPrompt(row, "gold-sft"), { role: "assistant", content: goldAnswer(row) }],
    example_id: row.example.id,
    db_id: row.example.databaseId,
    dataset: row.example.dataset.name,
    split: row.split,
    level: row.level ?? -1,
    simulated: row.simulated,
  }),
});

/** The form that the single-turn prompt asks for; the fence is longer than any run of backticks in the query. */
function goldAnswer(row: ExportRow): string {
  const [sql] = goldsOf(row, "gold-sft");
  const longest = (sql.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}sql\n${sql}\n${fence}`;
}
