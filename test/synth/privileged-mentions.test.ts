import { expect, it } from "vitest";
import { mentionsIn } from "../../synth/privileged-mentions.ts";

it("knowledge may be called a hint where the question comes with some", () => {
  expect(mentionsIn("The hint says that active means open.", true)).toEqual([]);
  expect(mentionsIn("The hint says so.", false)).toEqual([{ kind: "given_answer", words: "The hint" }]);
});

it("a text can give away several things at once", () => {
  const kinds = mentionsIn("The gold query is short; I must not mention it to the grader.", true).map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(["given_answer", "secrecy", "grading"]);
});
