import { describe, expect, it } from "vitest";
import skyrlRl from "../../../curation/exporters/skyrl-rl.ts";
import { exportRow, openForm } from "../../interop/fixture-rows.ts";

const { example } = exportRow("1");
const of = (name: string, split: string) =>
  exportRow("1", {
    example: { ...example, gold: ["SELECT 1", "SELECT 2"], dataset: { name, release: "1", split } },
  });

describe("skyrl-rl", () => {
  it("puts what an environment needs at the top", async () => {
    const [row] = (await openForm(skyrlRl)).rows(of("bird", "dev"));
    expect(row).toMatchObject({
      data_source: "gradus/bird",
      env_class: "gradus",
      reward_spec: { method: "rule", ground_truth: "SELECT 1" },
      db_id: "island_ferries",
      data: "bird",
      extra_info: { golds: ["SELECT 1", "SELECT 2"], index: 0, split: "train" },
    });
  });

  it("names the places that SkyRL's own environment knows, and refuses others", async () => {
    const stock = await openForm(skyrlRl, { envClass: "text2sql" });
    expect(stock.rows(of("cosql", "train"))[0]?.["data"]).toBe("spider");
    expect(stock.rows(of("bird", "train"))[0]?.["data"]).toBe("bird");
    expect(() => stock.rows(of("bird", "dev"))).toThrow(/has no place for databases of bird, split dev/);
  });
});
