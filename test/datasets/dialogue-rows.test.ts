import { describe, expect, it } from "vitest";
import { dialogueTurns, joinOperators } from "../../datasets/dialogue-rows.ts";

describe("joinOperators", () => {
  it("joins operators split by one space, also inside text, and nothing else", () => {
    expect(joinOperators("a ! = 1 AND b > = 2 AND c < = '> =' AND d >  = 3")).toBe(
      "a != 1 AND b >= 2 AND c <= '>=' AND d >  = 3",
    );
  });
});

describe("dialogueTurns", () => {
  it("gives each turn its history with cleaned golds", () => {
    const row = {
      database_id: "bakery",
      interaction: [
        { utterance: "All.", query: "SELECT * FROM t WHERE a ! = 1" },
        { utterance: "Fewer.", query: "SELECT 2" },
      ],
    };
    expect([...dialogueTurns(row, 4, "dev.json[4]")]).toEqual([
      {
        sourceId: "4:0",
        databaseId: "bakery",
        question: "All.",
        gold: ["SELECT * FROM t WHERE a != 1"],
        history: [],
        dialogue: { id: "4", turn: 0, turns: 2 },
      },
      {
        sourceId: "4:1",
        databaseId: "bakery",
        question: "Fewer.",
        gold: ["SELECT 2"],
        history: [{ question: "All.", gold: "SELECT * FROM t WHERE a != 1" }],
        dialogue: { id: "4", turn: 1, turns: 2 },
      },
    ]);
  });

  it("keeps a turn without a query in the history and ends at one without an utterance", () => {
    const row = {
      database_id: "bakery",
      interaction: [
        { utterance: "Hello?" },
        { utterance: "All.", query: "SELECT 1" },
        { query: "SELECT 2" },
        5,
      ],
    };
    const rows = [...dialogueTurns(row, 0, "dev.json[0]")];
    expect(rows[0]).toEqual({
      rowId: "dev.json[0].interaction[0]",
      problem: "query: expected the SQL of the turn",
    });
    expect(rows[1]).toMatchObject({ sourceId: "0:1", history: [{ question: "Hello?", gold: null }] });
    expect(rows[2]).toMatchObject({ rowId: "dev.json[0].interaction[2]" });
    expect(rows[2]).toHaveProperty("problem", expect.stringMatching(/^utterance: .*\(turns 3 to 3 left out/));
    expect(rows).toHaveLength(3);
  });
});
