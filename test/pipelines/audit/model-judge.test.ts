import { describe, expect, it } from "vitest";
import type { AnnotationOpinion } from "../../../synth/annotation-opinion.ts";
import { opinionFinding, openModelJudge, requireJudge } from "../../../pipelines/audit/model-judge.ts";
import type { OpenServices } from "../../../pipelines/run-services.ts";
import { harbourSubject } from "../../curation/check-subject.ts";
import { ScriptedModel } from "../../fakes/model.ts";
import { newLedger } from "../../synth/episode-services.ts";

const SUBJECT = harbourSubject({ question: "How many boats?", gold: "SELECT count(*) FROM boat" });

function opinions(...verdicts: readonly AnnotationOpinion["verdict"][]): AnnotationOpinion[] {
  return verdicts.map((verdict) => ({ verdict, reason: `it is ${verdict}` }));
}

describe("opinionFinding", () => {
  it("needs more than half of the opinions", () => {
    expect(opinionFinding(SUBJECT, opinions("wrong", "wrong", "right"), 3)).toMatchObject({
      kind: "judged_wrong",
      severity: "error",
      message: "2 of 3 opinions of a model call it wrong",
      evidence: { right: 1, wrong: 2, ambiguous: 0, reasons: ["it is wrong", "it is wrong"] },
    });
    expect(opinionFinding(SUBJECT, opinions("wrong", "right"), 3)).toBeNull();
    expect(opinionFinding(SUBJECT, [], 3)).toBeNull();
  });

  it("calls a divided doubt ambiguous, and is less sure of it", () => {
    const found = opinionFinding(SUBJECT, opinions("wrong", "ambiguous", "right"), 3);
    expect(found).toMatchObject({ kind: "judged_ambiguous", severity: "warning" });
    expect(found?.confidence).toBeLessThan(0.3);
  });
});

it("asks the model of the role judge", async () => {
  const model = new ScriptedModel(() => '{"verdict": "wrong", "reason": "x"}');
  const roles: string[] = [];
  const services = {
    models: {
      open: (role: string) => {
        roles.push(role);
        return Promise.resolve(model);
      },
    },
    ledger: newLedger,
    signal: new AbortController().signal,
  } as unknown as OpenServices;
  const models = { judge: { provider: "openai" as const, name: "big", revision: "2", client: {} } };
  const judge = await openModelJudge({ models, seed: 1 }, 2, services);
  expect(await judge.judge(SUBJECT)).toMatchObject([{ kind: "judged_wrong", confidence: 0.8 }]);
  await judge.close();
  expect(roles).toEqual(["judge"]);
  expect(model.requests.map((request) => request.model)).toEqual(["big", "big"]);
});

it("a config without the role is wrong usage", () => {
  expect(() => requireJudge({ models: {} }, "run.yaml")).toThrow('run.yaml has no model of the role "judge"');
});
