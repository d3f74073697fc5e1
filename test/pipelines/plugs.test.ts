import { describe, expect, it } from "vitest";
import type { PlugKind } from "../../core/plug.ts";
import { createPlugFinder, PLUG_FOLDERS } from "../../pipelines/plugs.ts";

const KINDS = Object.keys(PLUG_FOLDERS) as PlugKind[];

describe("createPlugFinder", () => {
  it.each(KINDS)("finds every %s under the name of its file", async (kind) => {
    const finder = createPlugFinder();
    const ids = await finder.list(kind);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      const plug = await finder.find(kind, id);
      expect(plug.id).toBe(id);
      expect(Number.isInteger(plug.version) && plug.version >= 1).toBe(true);
      expect(kind === "metric" ? ["metric", "label"] : [kind]).toContain(plug.kind);
    }
  });

  it("knows the plugs that configs name", async () => {
    const finder = createPlugFinder();
    expect(await finder.list("loader")).toEqual(
      expect.arrayContaining(["bird", "cosql", "sparc", "spider", "synsql"]),
    );
    expect(await finder.list("metric")).toEqual(expect.arrayContaining(["bird-ex", "spider-hardness"]));
    expect(await finder.list("exporter")).toEqual(expect.arrayContaining(["messages-sft", "verl-rl"]));
  });

  it("names the near miss of an unknown plug and the known ones", async () => {
    const known = (await createPlugFinder().list("loader")).join(", ");
    await expect(createPlugFinder().find("loader", "spidr")).rejects.toMatchObject({
      code: "PLUG_UNKNOWN",
      message: `there is no loader "spidr", expected one of: ${known}`,
      hint: 'did you mean "spider"?',
    });
    await expect(createPlugFinder().find("curriculum", "something-else")).rejects.toMatchObject({
      hint: "choose one of the curriculums above",
    });
  });

  it("never leaves the folder of the kind", async () => {
    for (const id of ["../loaders/spider", "/etc/passwd", "spider.ts", ""]) {
      await expect(createPlugFinder().find("loader", id)).rejects.toMatchObject({ code: "PLUG_UNKNOWN" });
    }
  });

  it("gives the same plug each time", async () => {
    const finder = createPlugFinder();
    const [one, two] = await Promise.all([finder.find("loader", "spider"), finder.find("loader", "spider")]);
    expect(one).toBe(two);
  });
});
