import { describe, expect, it } from "vitest";
import { Guardrails } from "../../../core/guardrail.ts";
import type { Message } from "../../../core/trajectory.ts";
import type { Scaffold } from "../../../core/scaffold.ts";
import { sameQuery } from "../../../synth/same-query.ts";
import generator from "../../../synth/scaffolds/dualsql-generator.ts";
import linker from "../../../synth/scaffolds/dualsql-linker.ts";
import { type Attempt, attemptKnown } from "../../../synth/simulated/attempt.ts";
import { dualSqlReply } from "../../../synth/simulated/dualsql-reply.ts";
import { modelReply } from "../../fakes/model.ts";
import { openingOf } from "../episode-rows.ts";
import { example, FERRIES } from "../synth-rows.ts";

const GOLD =
  "SELECT T1.name, count(*) FROM boat AS T1 JOIN crossing AS T2 ON T1.boat_id = T2.boat_id WHERE T2.island = 'Skye' GROUP BY T1.name";
const QUESTION = { example: example("1", { gold: [GOLD] }), schema: FERRIES.schema };
const TOOLS = new Set(["execute_sql", "full_text_search", "database_profiler"]);
const ROWS = '{"total_rows":1,"shown_rows":1,"rows":[{"name":"Tern"}]}';

function take(draw: number | string, competence: number): Attempt {
  return attemptKnown(QUESTION, { seed: 1, model: "student", competence, draw });
}

interface Played {
  readonly end: string;
  readonly sql: string | null;
  readonly links: unknown;
  readonly calls: readonly string[];
}

/** An episode with the scaffold itself, every call answered by `result`. */
function play(
  scaffold: Scaffold,
  attempt: Attempt,
  given: {
    readonly mode: "training" | "test";
    readonly result: string;
    readonly tools?: ReadonlySet<string>;
  },
): Played {
  const options: unknown = scaffold.options.parse({ guardrails: Guardrails.parse({ mode: given.mode }) });
  const opening = openingOf();
  const messages: Message[] = [...scaffold.open(opening, options)];
  const opened = messages.length;
  const calls: string[] = [];
  const played = (end: string, sql: string | null, links: unknown): Played => ({ end, sql, links, calls });
  const turns = scaffold.maxTurns(options);
  for (let turn = 0; turn < turns; turn += 1) {
    const transcript = messages.slice(opened).map(({ role, rawText }) => ({ role, content: rawText }));
    const agent = scaffold.id === "dualsql-linker" ? "linker" : "generator";
    const tools = given.tools ?? TOOLS;
    const { text, isEndless } = dualSqlReply(() => attempt, turn, { agent, transcript, tools });
    if (isEndless) return played("length", null, null);
    const message = scaffold.read(modelReply(text), options);
    const state = { turn, turnsLeft: turns - turn - 1, opening, messages: [...messages] };
    const reaction = scaffold.react(message, state, options);
    messages.push(message);
    if (reaction.kind === "answer") return played("answer", reaction.sql, null);
    if (reaction.kind === "links") return played("links", null, reaction.links);
    if (reaction.kind === "stop") return played(reaction.detail ?? "", null, null);
    if (reaction.kind === "remind") messages.push(...reaction.messages);
    else {
      calls.push(
        ...reaction.actions.map(({ toolId, problem }) => `${toolId}${problem === null ? "" : " !"}`),
      );
      const result = { text: given.result, ok: true, execution: null };
      messages.push(
        ...scaffold.observe(
          reaction.actions.map((action) => ({ action, result })),
          state,
          options,
        ),
      );
    }
  }
  return played("turn_budget", null, null);
}

const DRAWS = Array.from({ length: 200 }, (_, draw) => draw);
/** Right, and never careless. */
const right = DRAWS.map((draw) => take(draw, 1));
/** Wrong, and careless now and then. */
const wrong = DRAWS.map((draw) => take(draw, 0));

describe("the generator's replies", () => {
  it("keep the guardrails and end in the gold, run before, where the attempt is right", () => {
    for (const result of [ROWS, '{"error":"no such column"}', '{"total_rows":0,"shown_rows":0,"rows":[]}']) {
      for (const attempt of right) {
        const { end, sql, calls } = play(generator, attempt, { mode: "training", result });
        expect(end).toBe("answer");
        expect(sameQuery(sql ?? "", GOLD)).toBe(true);
        expect(calls.length).toBeGreaterThanOrEqual(1);
        expect(new Set(calls)).toEqual(new Set(["execute-sql-json"]));
      }
    }
  });

  it("never end in the gold where the attempt is wrong, and break the protocol now and then", () => {
    const ends = wrong.map((attempt) => play(generator, attempt, { mode: "training", result: ROWS }));
    const answers = ends.flatMap(({ sql }) => (sql === null ? [] : [sql]));
    expect(answers.length).toBeGreaterThan(120);
    expect(answers.filter((sql) => sameQuery(sql, GOLD))).toEqual([]);
    const kinds = new Set(ends.map(({ end }) => end));
    for (const kind of [
      "answer",
      "length",
      "several_actions",
      "forged_result",
      "empty_thought",
      "no_action",
    ]) {
      expect(kinds).toContain(kind);
    }
  });

  it("go on after they were told, and run what they had not", () => {
    const ends = wrong.map((attempt) => play(generator, attempt, { mode: "test", result: ROWS }).end);
    expect(ends.filter((end) => end !== "answer" && end !== "length")).toEqual([]);
    expect(ends.filter((end) => end === "answer").length).toBeGreaterThan(180);
  });

  it("answer at once where there is nothing to run a query with", () => {
    const { text } = dualSqlReply(() => take(1, 1), 1, {
      agent: "generator",
      transcript: [],
      tools: new Set(),
    });
    expect(text).toContain("```sql");
    expect(text).not.toContain("<tool_call>");
  });
});

describe("the linker's replies", () => {
  const LINKS = [
    { table: "boat", columns: ["boat_id", "name"] },
    { table: "crossing", columns: ["boat_id", "island"] },
  ];

  it("name what the gold reads, after a look now and then, where the attempt is right", () => {
    const played = right.map((attempt) => play(linker, attempt, { mode: "training", result: ROWS }));
    for (const { end, links } of played) {
      expect(end).toBe("links");
      expect(links).toEqual(LINKS);
    }
    const looks = new Set(played.map(({ calls }) => calls.join(" ")));
    expect(looks).toEqual(new Set(["", "database-profiler", "full-text-search"]));
  });

  it("name something else where it is wrong", () => {
    const played = wrong.map((attempt) => play(linker, attempt, { mode: "training", result: ROWS }));
    const links = played.flatMap((one) => (one.links === null ? [] : [one.links]));
    expect(links.length).toBeGreaterThan(120);
    for (const found of links) expect(found).not.toEqual(LINKS);
    expect(new Set(links.map((found) => JSON.stringify(found))).size).toBeGreaterThan(3);
  });

  it("look only with tools that there are", () => {
    const tools = new Set(["execute_sql"]);
    const played = right.map((attempt) => play(linker, attempt, { mode: "training", result: ROWS, tools }));
    expect(played.flatMap(({ calls }) => calls)).toEqual([]);
  });
});

it("keeps to the plan of its first reply, whatever the later requests draw", () => {
  const some = (draw: number | string) => take(draw, 0.7);
  for (const draw of DRAWS.slice(0, 20)) {
    const first = dualSqlReply(some, draw, { agent: "generator", transcript: [], tools: TOOLS });
    const transcript = [
      { role: "assistant", content: first.text },
      { role: "user", content: `<tool_response>\n${ROWS}\n</tool_response>` },
    ];
    const next = dualSqlReply(some, draw, { agent: "generator", transcript, tools: TOOLS });
    expect(dualSqlReply(some, draw + 1000, { agent: "generator", transcript, tools: TOOLS })).toEqual(next);
  }
});
