import { expect, it } from "vitest";
import { readOpinion } from "../../../synth/annotation-opinion.ts";
import { judgeAnnotationPrompt } from "../../../synth/prompts/judge-annotation.ts";
import { opinionReply } from "../../../synth/simulated/opinion-reply.ts";
import { createSimulatedModel } from "../../../synth/simulated/respond.ts";
import { failedReply, tableReply } from "../../fakes/sql-runner.ts";
import { FERRIES } from "../synth-rows.ts";

const SHOWN = { question: "How many?", history: [], evidence: null, sql: "SELECT 1", schema: FERRIES.schema };

it("goes by the result alone", () => {
  const model = createSimulatedModel([], { competence: 1 });
  const ask = (result: ReturnType<typeof tableReply>) => {
    const messages = judgeAnnotationPrompt({ ...SHOWN, result });
    const sampling = { temperature: 0, maxTokens: 500, stop: [] };
    return readOpinion(model.respond({ model: "judge", messages, sampling, seed: 1 }).content)?.verdict;
  };
  expect(ask(tableReply(["n"], [[3]]))).toBe("right");
  expect(ask(tableReply(["n"], []))).toBe("wrong");
  expect(ask(failedReply("error", "no such table"))).toBe("wrong");
});

it("leaves other chats alone", () => {
  expect(opinionReply([{ role: "user", content: "How many boats?" }])).toBeUndefined();
});
