import { z } from "zod";

/** How shards are written. */
export const ExportConfig = z
  .strictObject({
    exporters: z.array(z.string()).default(["verl-rl", "messages-sft"]),
    options: z
      .record(z.string(), z.record(z.string(), z.json()))
      .default({})
      .describe("options of exporters, by id"),
    rowsPerFile: z.int().positive().default(50_000),
    staged: z
      .boolean()
      .default(false)
      .describe("whether each level of the curriculum has files of its own, in order"),
    linker: z
      .boolean()
      .default(false)
      .describe("whether the episodes of schema linkers behind chosen answers have shards of their own"),
  })
  .prefault({});
