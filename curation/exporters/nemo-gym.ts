import { z } from "zod";
import { defineExporterWithOptions, type ExportRow, type ShardForm } from "../../core/shard.ts";
import { goldsOf, groupId, textPrompt } from "../exported-messages.ts";

const PLUG = "nemo-gym";

const Options = z.strictObject({
  /** The agent server that plays the rows, as the Gym's config names it. */
  agent: z.string().min(1).default("gradus_agent"),
});

/** Rows of NVIDIA NeMo-Gym: what the first request holds, what the verifier needs, and which agent plays. */
export default defineExporterWithOptions({
  id: PLUG,
  version: 1,
  format: "jsonl",
  set: "rl",
  options: Options,
  open: ({ agent }): ShardForm => ({
    columns: [
      {
        name: "responses_create_params",
        type: { struct: { input: { list: { struct: { role: "string", content: "string" } } } } },
      },
      { name: "id", type: "string" },
      { name: "question", type: "string" },
      { name: "gt_sql", type: "string" },
      { name: "gold", type: { list: "string" } },
      { name: "sql_context", type: "string" },
      { name: "difficulty", type: "string" },
      { name: "db_id", type: "string" },
      { name: "database_sha256", type: "string" },
      { name: "task", type: "string" },
      { name: "group_id", type: "string" },
      { name: "simulated", type: "bool" },
      { name: "agent_ref", type: { struct: { type: "string", name: "string" } } },
    ],
    lossy: [
      "`gt_sql` is the first gold; all of them are in `gold`.",
      "`sql_context` holds the schema text where schemas are linked, and is empty elsewhere: it is in the prompt.",
    ],
    usage: [
      "Give the files to `ng_collect_rollouts +input_jsonl_fpath=…`, or to NeMo-RL's config. `responses_create_params`",
      "is the first request; every other field reaches `/verify`.",
    ].join("\n"),
    rows: (row) => [cellsOf(row, agent)],
  }),
});

function cellsOf(row: ExportRow, agent: string) {
  const { example } = row;
  const golds = goldsOf(row, PLUG);
  const tools = row.tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    parameters,
    strict: false,
  }));
  return {
    responses_create_params: {
      input: textPrompt(row, PLUG),
      tools,
      parallel_tool_calls: false,
    },
    id: example.id,
    question: example.question,
    gt_sql: golds[0],
    gold: [...golds],
    sql_context: row.linking?.full ?? "",
    difficulty: row.hardness ?? example.difficulty ?? "",
    db_id: example.databaseId,
    database_sha256: row.databaseDigest,
    task: row.task,
    group_id: groupId(row),
    simulated: row.simulated,
    agent_ref: { type: "responses_api_agents", name: agent },
  };
}
