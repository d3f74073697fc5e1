import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../core/random.ts";
import { replyMessage, restyle, thoughtFor } from "../../../synth/simulated/reply.ts";
import { FERRIES } from "../synth-rows.ts";

describe("restyle", () => {
  it("changes keywords and the closing semicolon, nothing else", () => {
    const styles = new Set<string>();
    for (let seed = 0; seed < 60; seed += 1) {
      styles.add(restyle("Select Name from boat where name = 'from' ; ", new SeededRandom(seed, "test")));
    }
    expect([...styles].sort()).toEqual([
      "SELECT Name FROM boat WHERE name = 'from'",
      "SELECT Name FROM boat WHERE name = 'from';",
      "Select Name from boat where name = 'from'",
      "Select Name from boat where name = 'from';",
      "select Name from boat where name = 'from'",
      "select Name from boat where name = 'from';",
    ]);
  });
});

describe("thoughtFor", () => {
  it("says what the query reads and does", () => {
    const sql = "SELECT island, count(*) FROM crossing JOIN boat ON 1 = 1 GROUP BY island ORDER BY 2 LIMIT 1";
    const thought = thoughtFor(sql, FERRIES.schema, new SeededRandom(1, "test"));
    expect(thought).toMatch(
      /^What is asked for lies in crossing and boat, which belong together\. The rows are put into groups first\. (A figure has to be computed|The answer needs an aggregate)\. Sorted, only the first rows are wanted\.$/,
    );
    expect(thoughtFor("SELECT 1", FERRIES.schema, new SeededRandom(1, "test"))).toBe(
      "The query needs no table of the list.",
    );
  });
});

describe("replyMessage", () => {
  it("ends with the fenced query", () => {
    expect(replyMessage("SELECT 1", "Easy.")).toMatchObject({
      rawText: "<think>\nEasy.\n</think>\n\n```sql\nSELECT 1\n```",
      reasoning: "Easy.",
      content: "```sql\nSELECT 1\n```",
      train: true,
      weight: 1,
    });
    expect(replyMessage("SELECT 1", null).rawText).toBe("```sql\nSELECT 1\n```");
  });

  it("is not learned without a query", () => {
    expect(replyMessage(null, null)).toMatchObject({ train: false, weight: 0, trainReason: "no_answer" });
  });
});
