import { describe, expect, it } from "vitest";
import { sameQuery } from "../../../synth/same-query.ts";
import { type Attempt, attemptKnown } from "../../../synth/simulated/attempt.ts";
import type { ChatText } from "../../../synth/simulated/question-index.ts";
import { sqlTrailReply as reply } from "../../../synth/simulated/sql-trail-reply.ts";
import { example, FERRIES } from "../synth-rows.ts";

const GOLD =
  "SELECT T1.name, count(*) FROM boat AS T1 JOIN crossing AS T2 ON T1.boat_id = T2.boat_id WHERE T2.passengers > 20 GROUP BY T1.name ORDER BY count(*) DESC LIMIT 3";
const QUESTION = { example: example("1", { gold: [GOLD] }), schema: FERRIES.schema };
const ROWS = "<observation>\nname | count(*)\nTern | 4\n</observation>";
const ERROR = "<observation>\nError: no such column: nme\n</observation>";
const EMPTY = "<observation>\nname | count(*)\n(no rows)\n</observation>";
const WHOLE_TURN = /^<reasoning>\n[^<]+\n<\/reasoning>\n<(sql|solution)>\n([\s\S]+)\n<\/\1>$/;

function attempt(draw: number, competence: number): Attempt {
  return attemptKnown(QUESTION, { seed: 1, model: "student", competence, draw });
}

/** The reply where every draw takes up the same attempt. */
function sqlTrailReply(taken: Attempt, transcript: readonly ChatText[]) {
  return reply(() => taken, 1, transcript);
}

/** The assistant's replies of an episode in which every query gets the same observation. */
function episode(taken: Attempt, observation: string): string[] {
  const transcript: ChatText[] = [];
  const replies: string[] = [];
  while (replies.length < 10) {
    const { text, isEndless } = sqlTrailReply(taken, transcript);
    replies.push(text);
    if (isEndless || text.includes("<solution>")) return replies;
    transcript.push({ role: "assistant", content: text }, { role: "user", content: observation });
  }
  return replies;
}

function solution(replies: readonly string[]): string {
  return /<solution>\n([\s\S]+)\n<\/solution>$/.exec(replies.at(-1) ?? "")?.[1] ?? "";
}

const right = Array.from({ length: 300 }, (_, draw) => attempt(draw, 1));
const wrong = Array.from({ length: 300 }, (_, draw) => attempt(draw, 0));

/** How many of the right attempts look at values first. */
function looks(competence: number): number {
  const firsts = right.map((taken) => sqlTrailReply({ ...taken, competence }, []).text);
  return firsts.filter((text) => text.includes('SELECT DISTINCT "')).length;
}

/** The mean length of the wrong attempts' episodes. */
function meanTurns(observation: string, competence: number): number {
  const lengths = wrong.map((taken) => episode({ ...taken, chance: 1, competence }, observation).length);
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

function take(draw: number | string): Attempt {
  return attemptKnown(QUESTION, { seed: 2, model: "student", competence: 0.7, draw });
}

describe("sqlTrailReply", () => {
  it("ends in the gold where the attempt is right, whatever it observes", () => {
    for (const observation of [ROWS, ERROR, EMPTY]) {
      for (const taken of right) {
        const replies = episode(taken, observation);
        expect(replies.every((text) => WHOLE_TURN.test(text))).toBe(true);
        expect(sameQuery(solution(replies), GOLD)).toBe(true);
      }
    }
  });

  it("takes two to five turns", () => {
    const lengths = right.map((taken) => episode({ ...taken, competence: 0.4 }, ROWS).length);
    expect(new Set(lengths)).toEqual(new Set([2, 3, 4, 5]));
  });

  it("names the tables and columns of its query in the first reply", () => {
    const { text } = sqlTrailReply({ ...attempt(1, 1), competence: 1.4 }, []);
    expect(text).toContain("table boat with boat_id, name; table crossing with boat_id, passengers");
  });

  it("looks at values first now and then, more often where it knows less", () => {
    expect(looks(0.2)).toBeGreaterThan(30);
    expect(looks(0.2)).toBeGreaterThan(looks(0.9));
    expect(looks(1.4)).toBe(0);
  });

  it("never answers with the gold where the attempt is wrong", () => {
    const answers = wrong.map((taken) => solution(episode(taken, ROWS))).filter((sql) => sql !== "");
    expect(answers.length).toBeGreaterThan(200);
    expect(answers.filter((sql) => sameQuery(sql, GOLD))).toEqual([]);
  });

  it("tries again after errors and empty results, more often where it knows more", () => {
    expect(meanTurns(ERROR, 0.9)).toBeGreaterThan(meanTurns(ROWS, 0.9) + 0.3);
    expect(meanTurns(EMPTY, 0.9)).toBe(meanTurns(ERROR, 0.9));
    expect(meanTurns(ERROR, 0.9)).toBeGreaterThan(meanTurns(ERROR, 0.2));
  });

  it("changes its draft when it tries again", () => {
    for (const taken of wrong) {
      const replies = episode({ ...taken, chance: 1 }, ERROR);
      const drafts = replies.flatMap((text) => /<sql>\n([\s\S]+)\n<\/sql>/.exec(text)?.[1] ?? []);
      expect(drafts.filter((sql, index) => sql === drafts[index - 1])).toEqual([]);
    }
  });

  it("goes on after a reminder, and reads a query whose end was taken away as a stop string", () => {
    const taken = { ...attempt(1, 1), competence: 1.4 };
    const first = sqlTrailReply(taken, []).text;
    const broken = { role: "assistant", content: "I forgot the form." };
    const reminded = sqlTrailReply(taken, [broken, { role: "user", content: "Keep to the form." }]).text;
    expect(WHOLE_TURN.exec(reminded)?.[2]).toBe(WHOLE_TURN.exec(first)?.[2]);
    const cut = { role: "assistant", content: first.replace("</sql>", "") };
    expect(sqlTrailReply(taken, [cut, { role: "user", content: ROWS }]).text).toContain("<solution>");
  });

  it("keeps to the plan of its first reply, whatever the later requests draw", () => {
    for (let draw = 0; draw < 40; draw += 1) {
      const transcript = [{ role: "assistant", content: reply(take, draw, []).text }];
      for (let turn = 1; turn < 5; turn += 1) {
        const next = reply(take, draw, transcript);
        expect(reply(take, draw + 1000, transcript)).toEqual(next);
        transcript.push({ role: "user", content: ROWS }, { role: "assistant", content: next.text });
      }
    }
    const plans = Array.from(
      { length: 40 },
      (_, draw) => /\[plan \w+\]/.exec(reply(take, draw, []).text)?.[0],
    );
    expect(new Set(plans).size).toBe(40);
  });

  it("answers when it is told that one reply is left", () => {
    const taken = attempt(1, 0);
    const transcript = [
      { role: "assistant", content: "<sql>SELECT name FROM boat</sql>" },
      {
        role: "user",
        content: ERROR.replace("</observation>", "[1 reply left: it must be a solution]\n</observation>"),
      },
    ];
    expect(sqlTrailReply({ ...taken, chance: 1 }, transcript).text).toContain("<solution>");
  });

  it("answers by the fifth reply even when it never saw an observation", () => {
    const taken = attempt(1, 1);
    const lost = Array.from({ length: 4 }, () => ({ role: "assistant", content: "hm" }));
    expect(solution([sqlTrailReply(taken, lost).text])).not.toBe("");
  });

  it("breaks the form in every way now and then", () => {
    const replies = wrong.flatMap((taken) => episode(taken, ROWS));
    const endless = wrong.map((taken) => sqlTrailReply(taken, [])).filter(({ isEndless }) => isEndless);
    expect(endless.length).toBeGreaterThan(0);
    expect(replies.some((text) => text.includes("```sql"))).toBe(true);
    expect(replies.some((text) => text.includes("<sql>") && !text.includes("</sql>"))).toBe(true);
    expect(replies.some((text) => text.includes("</sql>") && text.includes("<solution>"))).toBe(true);
  });
});
