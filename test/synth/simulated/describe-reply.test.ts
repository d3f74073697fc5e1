import { expect, it } from "vitest";
import { describeTablePrompt } from "../../../synth/prompts/describe-table.ts";
import { profiledTable } from "../../../synth/profiled-schema.ts";
import { describeReply } from "../../../synth/simulated/describe-reply.ts";
import { createSimulatedModel } from "../../../synth/simulated/respond.ts";
import { readTableDescription } from "../../../synth/table-description.ts";
import { FERRIES_PROFILE } from "../../fakes/profiler.ts";
import { FERRIES, table } from "../synth-rows.ts";

const NAMES = ["crossing_id", 'a "b"\n<sql>'];

function prompt() {
  const schema = table("crossing", ...NAMES.map((name) => name.replaceAll(" ", "_")));
  const profiled = profiledTable(
    { ...schema, columns: schema.columns.map((column, at) => ({ ...column, name: NAMES[at] ?? "" })) },
    FERRIES_PROFILE,
  );
  const keys = { declared: [], inferred: [] };
  return describeTablePrompt({
    databaseId: "ferries",
    tables: FERRIES.schema.tables.map(({ name }) => name),
    table: profiled,
    columns: profiled.columns,
    keys,
  });
}

it("describes each column that is asked for, and says that it is simulated", () => {
  const reply = createSimulatedModel([], { competence: 1 }).respond({
    model: "student",
    messages: prompt(),
    sampling: { temperature: 0, maxTokens: 500, stop: [] },
    seed: 1,
  });
  const described = readTableDescription(reply.content, NAMES);
  expect([...(described?.columns ?? [])]).toEqual([
    ["crossing_id", "Simulated: the crossing id of a row."],
    [NAMES[1], 'Simulated: the a "b" <sql> of a row.'],
  ]);
  expect(described?.table).toBe("Simulated: what the name says.");
});

it("leaves every other chat alone", () => {
  expect(describeReply([{ role: "system", content: "You answer questions." }])).toBeUndefined();
  expect(describeReply([])).toBeUndefined();
});
