import { describe, expect, it } from "vitest";
import type { Example } from "../../../core/example.ts";
import { type KnownQuestion, QuestionIndex } from "../../../synth/simulated/question-index.ts";
import { example, FERRIES, table } from "../synth-rows.ts";

const BOOKS = {
  databaseId: "books",
  tables: [table("author", "author_id INTEGER", "name TEXT"), table("book", "book_id INTEGER", "title TEXT")],
  foreignKeys: [],
};

function ferries(sourceId: string, parts: Partial<Example> = {}): KnownQuestion {
  return { example: example(sourceId, parts), schema: FERRIES.schema };
}

function books(sourceId: string, parts: Partial<Example> = {}): KnownQuestion {
  return { example: example(sourceId, { databaseId: "books", ...parts }), schema: BOOKS };
}

function user(content: string) {
  return { role: "user", content };
}

function found(questions: readonly KnownQuestion[], ...contents: readonly string[]): string | undefined {
  return new QuestionIndex(questions).find(contents.map(user))?.question.example.sourceId;
}

describe("QuestionIndex", () => {
  const names = ferries("names", { question: "Which names are there?" });
  const seats = ferries("seats", { question: "How many seats in all?" });

  it.each([
    "Schema\n\nQuestion:\nHow many seats in all?",
    "Question: How many seats in all?\nAnswer in SQL.",
    "<question>How many seats in all?</question>",
    'The question is: "How many seats in all?"',
    "Please tell me, How many seats in all? Thank you.",
  ])("finds a question in %j", (prompt) => {
    expect(found([names, seats], prompt)).toBe("seats");
  });

  it("takes the last question on a line of its own", () => {
    expect(
      found([names, seats], "Earlier:\n1. How many seats in all?\n\nQuestion:\nWhich names are there?"),
    ).toBe("names");
    expect(found([names, seats], "How many seats in all?", "Which names are there?")).toBe("names");
  });

  it("takes a question of several lines over its first line", () => {
    const long = ferries("long", { question: "Which names are there?\nSorted." });
    expect(found([names, long], "Question:\nWhich names are there?\nSorted.")).toBe("long");
    expect(found([names, long], "Question:\nWhich names are there?\nNow.")).toBe("names");
  });

  it("gives the place of the message that asks, and passes observations over", () => {
    const index = new QuestionIndex([names, seats]);
    const messages = [
      { role: "system", content: "Which names are there?" },
      user("How many seats in all?"),
      { role: "assistant", content: "Which names are there?" },
      user("<observation>\nWhich names are there?\n</observation>"),
      user("<tool_response>\nWhich names are there?\n</tool_response>"),
    ];
    expect(index.find(messages)).toEqual({ question: seats, place: 1 });
  });

  it("does not find what it does not know, nor examples without gold", () => {
    const unanswered = ferries("open", { question: "Who steers?", gold: [] });
    expect(found([names, unanswered], "Who steers?")).toBeUndefined();
    expect(found([], "Which names are there?")).toBeUndefined();
  });

  it("tells examples of one question apart by the tables shown, else by the database's name", () => {
    const both = [
      ferries("boats", { question: "How many are there?" }),
      books("books", { question: "How many are there?" }),
    ];
    const shown = 'CREATE TABLE "author" (\n);\nCREATE TABLE book (\n);\n\nQuestion:\nHow many are there?';
    expect(found(both, shown)).toBe("books");
    expect(found(both, "CREATE TABLE boat (\n);\n\nHow many are there?")).toBe("boats");
    expect(found(both, "Database books\nHow many are there?")).toBe("books");
    expect(found(both, "How many are there?")).toBe("boats");
  });

  it("tells examples of one question and database apart by earlier questions and knowledge", () => {
    const question = "And the largest?";
    const follow = (sourceId: string, earlier: string, evidence: string | null = null) =>
      ferries(sourceId, { question, evidence, history: [{ question: earlier, gold: null }] });
    const three = [
      ferries("alone", { question }),
      follow("boats", "List the boats."),
      follow("islands", "List the islands."),
      follow("knowing", "List the islands.", "Largest means most visited."),
    ];
    expect(found(three, `1. List the islands.\n\n${question}`)).toBe("islands");
    expect(found(three, `1. List the boats.\n\n${question}`)).toBe("boats");
    expect(found(three, question)).toBe("alone");
    expect(found(three, `Largest means most visited.\n1. List the islands.\n\n${question}`)).toBe("knowing");
  });
});
