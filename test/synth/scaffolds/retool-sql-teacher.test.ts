import { describe, expect, it } from "vitest";
import student from "../../../synth/scaffolds/retool-sql.ts";
import teacher from "../../../synth/scaffolds/retool-sql-teacher.ts";
import { modelReply } from "../../fakes/model.ts";
import { openingOf, reactionTo } from "../episode-rows.ts";

const RUN = '<tool_call>{"name":"sqlite_query","arguments":{"sql":"SELECT 1"}}</tool_call>';

describe("retool-sql-teacher", () => {
  it("says that it reads gold, and is the student's protocol otherwise", () => {
    const options = teacher.options.parse({});
    expect(teacher.readsGold).toBe(true);
    expect(teacher.tools(options)).toEqual(student.tools(options));
    expect(teacher.maxTurns(options)).toBe(9);
    const reply = modelReply(`<scratch_pad>boat has names</scratch_pad>${RUN}`);
    expect(reactionTo(teacher, reply)).toEqual(reactionTo(student, reply));
    expect(reactionTo(teacher, reply)).toMatchObject({ kind: "act" });
    expect(reactionTo(teacher, modelReply("hm"))).toEqual(reactionTo(student, modelReply("hm")));
  });

  it.each(["test", "training"])("ends an episode that speaks of the given answer, in %s mode", (mode) => {
    for (const reply of [
      modelReply(`<scratch_pad>The gold query reads boat.</scratch_pad>${RUN}`),
      modelReply(`<scratch_pad>so</scratch_pad>${RUN}`, { reasoning: "As the provided query shows" }),
    ]) {
      expect(reactionTo(teacher, reply, { guardrails: { mode } })).toEqual({
        kind: "stop",
        reason: "guardrail",
        detail: "mentions_given_answer",
        masksEarlier: true,
      });
    }
  });

  it("shows the gold in what it is given alone, which its student's opening replaces", () => {
    const opening = openingOf();
    const options = teacher.options.parse({});
    const [system, user] = teacher.open(opening, options).map(({ rawText }) => rawText);
    expect(system).not.toContain("secret");
    expect(user).toContain("SELECT secret FROM boat");
    expect(teacher.student).toBe(student.id);
    expect(JSON.stringify(student.open(opening, options))).not.toContain("secret");
  });
});
