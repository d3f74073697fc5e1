import { expect, it } from "vitest";
import { passRateSection } from "../../../pipelines/report/pass-rate-section.ts";
import { DOCUMENT } from "./sample-document.ts";

it("has the histogram, with what has no rate, and the grid", () => {
  const section = passRateSection(DOCUMENT);
  expect(section?.lead).toBe("By bird-ex.");
  const [histogram, grid] = section?.figures ?? [];
  expect(histogram?.table.rows).toHaveLength(4);
  expect(histogram?.table.rows[2]?.[2]).toMatchObject({ at: "/passRates/systems/0/stopped", value: 1 });
  expect(grid?.table.rows[0]?.slice(1)).toMatchObject([{ value: 1 }, { value: 2 }, { value: 3 }]);
  expect(passRateSection({ ...DOCUMENT, passRates: null })).toBeNull();
});
