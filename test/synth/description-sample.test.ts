import { expect, it } from "vitest";
import { sampleId, SampleIdentity } from "../../core/trajectory.ts";
import {
  descriptionIdentity,
  type DescriptionSource,
  isDescription,
} from "../../synth/description-sample.ts";

const SOURCE: DescriptionSource = {
  databaseId: "ferries",
  databaseDigest: "f".repeat(64),
  table: "boat",
  promptText: "Describe boat.",
  model: { name: "teacher", revision: "r1" },
  sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 5, stop: [], extra: {} },
};

it("is a sample's identity that differs with whatever decides the description", () => {
  const changes: readonly Partial<DescriptionSource>[] = [
    {},
    { databaseDigest: "e".repeat(64) },
    { table: "crossing" },
    { promptText: "Describe boat well." },
    { model: { name: "teacher", revision: "r2" } },
    { sampling: { ...SOURCE.sampling, maxTokens: 6 } },
  ];
  const identities = changes.map((change) => descriptionIdentity({ ...SOURCE, ...change }));
  for (const identity of identities) expect(SampleIdentity.parse(identity)).toEqual(identity);
  expect(new Set(identities.map(sampleId)).size).toBe(changes.length);
  expect(identities.every(isDescription)).toBe(true);
  expect(isDescription({ exampleId: "e".repeat(32) })).toBe(false);
});
