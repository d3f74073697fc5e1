import { expect, it } from "vitest";
import { openReward } from "../../curation/open-reward.ts";
import { plugs } from "../synth/synth-rows.ts";

it("finds the reward with its labels", async () => {
  const open = await openReward("sql-trail", { terms: { turns: 0 } }, plugs);
  expect(open.labels.map(({ id }) => id)).toEqual(["spider-hardness"]);
  expect(open.options).toMatchObject({ terms: { turns: 0, execution: 1 } });
});

it.each([
  ["outcome", { terms: { anwser: 1 } }, "REWARD_OPTIONS_INVALID"],
  ["outcome", { metric: "spider-hardness" }, "REWARD_METRIC_UNFIT"],
  ["outcome", { metric: "bird-r-ves" }, "REWARD_METRIC_UNFIT"],
  ["sql-trail", { label: "bird-ex" }, "REWARD_METRIC_UNFIT"],
  ["outcom", {}, "PLUG_UNKNOWN"],
])("refuses %s with %j", async (id, options, code) => {
  await expect(openReward(id, options, plugs)).rejects.toMatchObject({ code });
});
