import { describe, expect, it } from "vitest";
import plug from "../../../embeddings/embedders/tf-idf.ts";
import { densePoints } from "../../../embeddings/dense-points.ts";

async function embed(...texts: string[]) {
  const context = { cacheFile: null, client: {}, signal: new AbortController().signal };
  const open = await plug.open(plug.options.parse({}), context);
  return open.embed(texts);
}

describe("tf-idf", () => {
  it("weighs what the texts do not share, and nothing else", async () => {
    const vectors = await embed("alpha beta", "alpha gamma", "alpha beta");
    const points = densePoints(vectors);
    expect(points[0]).toEqual(points[2]);
    expect(points[0]).not.toEqual(points[1]);
    for (const point of points) expect(Math.hypot(...point)).toBeCloseTo(1, 5);
    expect((await embed("the same", "the same"))[0]?.values).toEqual([]);
  });

  it("sees through aliases, case and white space of SQL", async () => {
    const [one, two, other] = await embed(
      "SELECT T1.name FROM ship AS T1 WHERE T1.age > 3",
      "select  name from ship where age > 3",
      "SELECT count(*) FROM port",
    );
    expect(one).toEqual(two);
    expect(one).not.toEqual(other);
  });
});
