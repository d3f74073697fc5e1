import { describe, expect, it } from "vitest";
import { findLeaks, type LeakKind } from "../../synth/privileged-trace.ts";
import type { Message, Trajectory } from "../../core/trajectory.ts";
import { example, message, trajectory } from "../curation/sample-rows.ts";

const SCHEMA =
  "CREATE TABLE vessels (vessel_id INTEGER, name TEXT, vessel_type TEXT -- example: ['car ferry', 'tug'], built_year INTEGER); CREATE TABLE ports (port_id INTEGER, island TEXT, berths INTEGER)";
const RESULT = "name\nMorning Tern\n[1 row]\n[no fault]";

interface Asked {
  readonly question: string;
  readonly gold: string;
  /** A draft that is not the gold word for word. */
  readonly draft: string;
}
const ASKED: readonly Asked[] = [
  {
    question: "Which car ferry was built last?",
    gold: "SELECT T1.name FROM vessels AS T1 WHERE T1.vessel_type = 'car ferry' ORDER BY T1.built_year DESC LIMIT 1",
    draft: "SELECT name FROM vessels WHERE vessel_type = 'car ferry' ORDER BY built_year DESC LIMIT 1",
  },
  {
    question: "How many berths has each island, those above 10 alone?",
    gold: "SELECT T1.island, sum(T1.berths) AS total FROM ports AS T1 GROUP BY T1.island HAVING total > 10",
    draft: "SELECT island, SUM(berths) FROM ports GROUP BY island HAVING SUM(berths) > 10",
  },
  {
    question: "List the names of vessels built after 1990.",
    gold: "SELECT DISTINCT T1.name FROM vessels AS T1 WHERE T1.built_year > 1990 ORDER BY T1.name ASC",
    draft: "SELECT name FROM vessels WHERE built_year > 1990",
  },
];

function given(text: string): Message {
  return { ...message("user", text), origin: "given" };
}

function acting(pad: string, sql: string): Message {
  const argumentsRaw = JSON.stringify({ sql });
  const rawText = `<scratch_pad>\n${pad}\n</scratch_pad>\n<tool_call>{"name":"sqlite_query","arguments":${argumentsRaw}}</tool_call>`;
  const call = { id: "c", name: "sqlite_query", argumentsRaw, arguments: { sql } };
  return { ...message("assistant", rawText), toolCalls: [call] };
}

function result(text: string): Message {
  return { ...message("user", `<tool_response>\n${text}\n</tool_response>`), origin: "environment" };
}

function answering(pad: string, sql: string): Message {
  return message(
    "assistant",
    `<scratch_pad>\n${pad}\n</scratch_pad>\n<final_answer>\n${sql}\n</final_answer>`,
  );
}

/** A trace of a teacher; its own opening shows the gold. */
function trace({ question, gold }: Asked, messages: readonly Message[], finalSql: string): Trajectory {
  const own = given(`${SCHEMA}\n${question}\n\nFor your eyes only, one correct query:\n${gold}`);
  return trajectory("q", 0, finalSql, { messages: [own, ...messages] });
}

function kindsOf(asked: Asked, messages: readonly Message[], finalSql: string): LeakKind[] {
  const background = {
    example: example("q", { question: asked.question, gold: [asked.gold] }),
    database: null,
    prompt: [given(`${SCHEMA}\n${asked.question}`)],
  };
  return [...new Set(findLeaks(trace(asked, messages, finalSql), background).map(({ kind }) => kind))];
}

/** A draft, its result, and the answer, with what the pads say. */
function played(asked: Asked, pads: readonly [string, string], sql = asked.draft): LeakKind[] {
  return kindsOf(asked, [acting(pads[0], sql), result(RESULT), answering(pads[1], sql)], sql);
}

const HONEST: readonly string[] = [
  "The table to read is named in the question. I run a draft.",
  "I need one figure for each island, so I group.",
  "The result has one row, as expected, and answers the question.",
  "The question wants names only, no further column.",
  "Sorting by the year, the first row is the latest one.",
  "The sample values show how the type is written.",
  "There may be duplicates, I look at the rows first.",
  "The draft ran without a fault. Nothing is open.",
  "I check that berths has no NULL.",
  "The correct table is the one with the year in it.",
  "According to the schema, names are text.",
  "The final query selects what the question asks for.",
  "I must not change the database, only read it.",
  "Based on the result, the filter works.",
];

describe("an honest trace", () => {
  it("is kept, whatever it says of its own drafts", () => {
    for (const asked of ASKED) {
      for (const pad of HONEST)
        expect([pad, played(asked, [pad, "The result is sound."])]).toEqual([pad, []]);
      for (const pad of HONEST) expect([pad, played(asked, ["I try a draft.", pad])]).toEqual([pad, []]);
    }
  });

  it("may guess wrong, and use what a result showed", () => {
    const [asked] = ASKED as [Asked];
    const wrong = "SELECT title FROM vessels WHERE vessel_type = 'liner'";
    const messages = [
      acting("I try a column.", wrong),
      result("Error: no such column: title"),
      acting("There is no title; I look at names.", "SELECT name FROM vessels"),
      result("name\nMorning Tern\nOld Gull\n[2 rows]"),
      answering("Old Gull and Morning Tern are there.", "SELECT name FROM vessels WHERE name = 'Old Gull'"),
    ];
    expect(kindsOf(asked, messages, "SELECT name FROM vessels WHERE name = 'Old Gull'")).toEqual([]);
  });
});

const MENTIONS: Readonly<
  Record<"given_answer" | "secrecy" | "grading" | "claimed_knowledge", readonly string[]>
> = {
  given_answer: [
    "The gold query sorts by year.",
    "As the provided SQL shows, we group.",
    "The hint says to sort.",
    "The query below the question sorts.",
    "My instructions include the right query.",
    "I was given the answer, I only justify it.",
    "Die vorgegebene Abfrage sortiert.",
  ],
  secrecy: [
    "I must not mention where this comes from.",
    "I pretend to find this by myself.",
    "Others will learn from this, so I say nothing.",
    "I write it without revealing the source.",
  ],
  grading: [
    "The grader compares rows.",
    "The expected number of rows is 3.",
    "It should return exactly 3 rows.",
    "This would be scored as right.",
  ],
  claimed_knowledge: [
    "I already know the answer.",
    "Looking at the solution, sorting is right.",
    "There is no need to check.",
    "The true answer is there.",
  ],
};

describe("a leak", () => {
  it.each(Object.entries(MENTIONS))("in words: %s", (kind, texts) => {
    for (const asked of ASKED) {
      for (const text of texts) {
        expect([text, played(asked, [text, "Sound."])]).toEqual([text, expect.arrayContaining([kind])]);
        expect([text, played(asked, ["I try.", text])]).toEqual([text, expect.arrayContaining([kind])]);
      }
    }
  });

  it("by the gold word for word: before any result, in prose, answered at once, or hidden", () => {
    for (const asked of ASKED) {
      expect(played(asked, ["I try.", "Sound."], asked.gold)).toContain("verbatim_gold");
      expect(played(asked, [`I think of ${asked.gold.toLowerCase()}`, "Sound."])).toContain("verbatim_gold");
      expect(kindsOf(asked, [answering("So.", asked.gold)], asked.gold)).toContain("verbatim_gold");
      const hidden = Buffer.from(asked.gold).toString("base64");
      expect(played(asked, [`Note: ${hidden}`, "Sound."])).toContain("encoded_gold");
      const late = [
        acting("I try.", asked.draft),
        result(RESULT),
        acting("Better.", asked.gold),
        result(RESULT),
      ];
      expect(kindsOf(asked, [...late, answering("Sound.", asked.gold)], asked.gold)).toEqual([]);
    }
  });

  it("by quoting what only the teacher was told", () => {
    const [asked] = ASKED as [Asked];
    expect(played(asked, ["Here stands: your eyes only, one correct query", "Sound."])).toContain(
      "teacher_prompt",
    );
    const own = given(
      `${SCHEMA}\n${asked.question}\nNever compare with it, work honestly and run your drafts.`,
    );
    const taken = trajectory("q", 0, asked.draft, {
      messages: [
        own,
        acting("I work honestly and run your drafts.", asked.draft),
        result(RESULT),
        answering("So.", asked.draft),
      ],
    });
    const background = {
      example: example("q", { question: asked.question, gold: [asked.gold] }),
      database: null,
      prompt: [given(`${SCHEMA}\n${asked.question}`)],
    };
    expect(findLeaks(taken, background).map(({ kind }) => kind)).toEqual(["teacher_prompt"]);
  });

  it("by a value, a name or a result that nothing shown supports", () => {
    const [asked] = ASKED as [Asked];
    const secret = { ...asked, gold: "SELECT name FROM vessels WHERE name = 'Zephyr' AND built_year = 1847" };
    expect(played(secret, ["I try.", "Sound."], "SELECT name FROM vessels WHERE name = 'Zephyr'")).toContain(
      "unsupported_literal",
    );
    expect(played(secret, ["It is about Zephyr.", "Sound."])).toContain("unsupported_literal");
    expect(
      played(secret, ["I try.", "Sound."], "SELECT name FROM vessels WHERE built_year = 1847"),
    ).toContain("unsupported_literal");
    expect(played(secret, ["I try.", "Sound."], "SELECT captain FROM vessels")).toContain("unsupported_name");
    expect(played(secret, ["I try.", "Sound."], "SELECT name FROM harbours")).toContain("unsupported_name");
    expect(played(asked, ["It will be Morning Tern.", "Sound."])).toContain("result_before_run");
  });
});
