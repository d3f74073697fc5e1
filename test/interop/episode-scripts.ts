import type { Json } from "../../core/key.ts";
import type { ModelReply } from "../../core/model.ts";
import type { Opening } from "../../core/scaffold.ts";
import { modelReply } from "../fakes/model.ts";

export const COUNT = "SELECT count(*) FROM boat";
export const NAMES = "SELECT name FROM boat";

/** The replies of one episode, one after the other. */
export interface EpisodeScript {
  readonly name: string;
  readonly scaffold: string;
  readonly options: Readonly<Record<string, Json>>;
  readonly opening: Partial<Opening>;
  readonly replies: readonly ModelReply[];
}

/** A call of a tool. */
interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** A reply without its thought: what it says, and a call at its end. */
type Said = readonly [text: string, call?: Call];

/**
 * Where the model's own thought is: nowhere but in the tags of the protocol, before the reply as a reasoning model
 * writes it, or taken out of the text by the server.
 */
type Thoughts = "no further thought" | "thoughts in the text" | "thoughts parsed out";

const ANYWHERE: readonly Thoughts[] = ["no further thought", "thoughts in the text", "thoughts parsed out"];
/** For protocols that demand a thought. */
const ALWAYS: readonly Thoughts[] = ["thoughts in the text", "thoughts parsed out"];

function call(name: string, given: Readonly<Record<string, string>>): Call {
  return { name, arguments: given };
}

function thoughtOf(turn: number): string {
  return `Thought ${turn + 1}:\n  first "a", then <b>.`;
}

function withThought(text: string, turn: number, thoughts: Thoughts): ModelReply {
  if (thoughts === "no further thought") return modelReply(text);
  if (thoughts === "thoughts parsed out") return modelReply(text, { reasoning: thoughtOf(turn) });
  return modelReply(`<think>\n${thoughtOf(turn)}\n</think>\n\n${text}`);
}

function inText(
  scaffold: string,
  variants: readonly Thoughts[],
  said: readonly Said[],
  opening: Partial<Opening> = {},
): EpisodeScript[] {
  const texts = said.map(([text, called]) =>
    called === undefined ? text : `${text}\n<tool_call>\n${JSON.stringify(called)}\n</tool_call>`,
  );
  return variants.map((thoughts) => ({
    name: `${scaffold}, ${thoughts}`,
    scaffold,
    options: {},
    opening,
    replies: texts.map((text, turn) => withThought(text, turn, thoughts)),
  }));
}

function throughInterface(
  scaffold: string,
  variants: readonly Thoughts[],
  said: readonly Said[],
  opening: Partial<Opening> = {},
): EpisodeScript[] {
  return variants
    .filter((thoughts) => thoughts !== "thoughts in the text")
    .map((thoughts) => ({
      name: `${scaffold}, native calls, ${thoughts}`,
      scaffold,
      options: { calls: "native" },
      opening,
      replies: said.map(([text, called], turn) => {
        const reply = withThought(text, turn, thoughts);
        if (called === undefined) return reply;
        const given = { ...called.arguments };
        const native = {
          id: `call_${turn}`,
          name: called.name,
          argumentsRaw: JSON.stringify(given),
          arguments: given,
        };
        return { ...reply, toolCalls: [native], finishReason: "tool_calls" };
      }),
    }));
}

const PAD = "<scratch_pad>\nboat: name\n</scratch_pad>";

/** Two queries, the first wrong, with a repair between them, and the answer. */
const RETOOL: readonly Said[] = [
  [PAD, call("sqlite_query", { sql: "SELEC" })],
  [PAD, call("bm25_search_sqlite", { query: 'tern "é"' })],
  [PAD, call("sqlite_query", { sql: NAMES })],
  [`${PAD}\n<schema>{"boat": ["name"]}</schema>\n<final_answer>\n${NAMES}\n</final_answer>`],
];

const LINKER: readonly Said[] = [
  ["I look for a value.", call("full_text_search", { query: "tern" })],
  ["I look at a table.", call("database_profiler", { table: "boat" })],
  ['These are needed.\n```json\n{"boat": ["name"]}\n```'],
];

/** A statement, a reply without an action, of which the agent is told, and the tested answer. */
const GENERATOR: readonly Said[] = [
  ["I try a query.", call("execute_sql", { sql: NAMES })],
  ["I forget to act.\n"],
  ["I count, too.", call("execute_sql", { sql: COUNT })],
  [`This is it.\n\`\`\`sql\n${NAMES}\n\`\`\``],
];

/** A query that fails its check, a corrected one that passes both, and the end. */
const MTSQL: readonly Said[] = [
  ["A count.", call("exec_sql", { code: COUNT })],
  ["<execution_check>fail</execution_check>", call("exec_sql", { code: NAMES })],
  ["<execution_check>pass</execution_check>", call("memory_retrieve", { code: NAMES })],
  [`<memory_check>pass</memory_check>\n<final_answer>\n${NAMES}\n</final_answer>`],
];
const DIALOGUE: Partial<Opening> = { history: [{ question: "How many boats are there?", sql: COUNT }] };

/**
 * Episodes of every scaffold, in all forms in which calls and thoughts come: with tools, an error, a reminder and
 * an answer, where the scaffold has them.
 */
export const EPISODE_SCRIPTS: readonly EpisodeScript[] = [
  ...inText("single-turn", ANYWHERE, [[`\`\`\`sql\n${NAMES}\n\`\`\``]]),
  ...inText("sql-trail", ANYWHERE, [
    [`<reasoning>boat: name</reasoning>\n<sql>${COUNT}</sql>`],
    ["I forgot the tags.\n"],
    ["<reasoning>\nwrong\n</reasoning>\n<sql>SELEC</sql>"],
    [`<reasoning>fine</reasoning>\n<solution>${NAMES}</solution>`],
  ]),
  ...inText("retool-sql", ANYWHERE, RETOOL),
  ...throughInterface("retool-sql", ANYWHERE, RETOOL),
  ...inText("retool-sql-teacher", ANYWHERE, RETOOL),
  ...throughInterface("retool-sql-teacher", ANYWHERE, RETOOL),
  ...inText("dualsql-linker", ALWAYS, LINKER),
  ...throughInterface("dualsql-linker", ALWAYS, LINKER),
  ...inText("dualsql-generator", ALWAYS, GENERATOR, { links: [{ table: "boat", columns: ["name"] }] }),
  ...throughInterface("dualsql-generator", ALWAYS, GENERATOR),
  ...inText("dualsql-sql", ALWAYS, GENERATOR),
  ...throughInterface("dualsql-sql", ALWAYS, GENERATOR),
  ...inText("mtsql-r1", ALWAYS, MTSQL, DIALOGUE),
  ...throughInterface("mtsql-r1", ALWAYS, MTSQL, DIALOGUE),
];
