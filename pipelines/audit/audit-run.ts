import path from "node:path";
import type { z } from "zod";
import { Database } from "../../core/database.ts";
import { GradusError } from "../../core/errors.ts";
import { Example } from "../../core/example.ts";
import { Trajectory } from "../../core/trajectory.ts";
import type { Artifact } from "../../io/artifact-store.ts";
import { readJsonLines } from "../../io/jsonl.ts";
import { artifactsOfRun } from "../explained-run.ts";
import type { AuditData } from "./audit-dataset.ts";

/** Steps whose examples are the dataset's, and steps whose trajectories answer them, the later ones first. */
const EXAMPLE_STEPS = ["combine", "load"];
const ANSWER_STEPS = ["sample", "import"];

/**
 * The examples, databases and samples of a run.
 * @throws RUN_UNKNOWN; AUDIT_NO_EXAMPLES when the run has not loaded any.
 */
export async function readAuditedRun(runsFolder: string, name: string): Promise<AuditData> {
  const artifacts = await artifactsOfRun(runsFolder, name);
  const loaded = EXAMPLE_STEPS.map((step) => artifacts.get(step)).find((one) => one !== undefined);
  const profiled = artifacts.get("combine") ?? artifacts.get("profile");
  if (loaded === undefined || profiled === undefined) {
    throw new GradusError(
      "AUDIT_NO_EXAMPLES",
      `cannot audit the run "${name}": it has not loaded its examples yet`,
      {
        hint: "run it first: gradus run",
      },
    );
  }
  const databases = new Map<string, Database>();
  for await (const row of rowsOf(profiled, "databases", Database)) databases.set(row.databaseId, row);
  const examples: Example[] = [];
  for await (const row of rowsOf(loaded, "examples", Example)) examples.push(row);
  const answers = new Map<string, (string | null)[]>();
  for (const step of ANSWER_STEPS) {
    const artifact = artifacts.get(step);
    if (artifact?.manifest.outputs["trajectories"] === undefined) continue;
    for await (const { exampleId, finalSql } of rowsOf(artifact, "trajectories", Trajectory)) {
      answers.set(exampleId, [...(answers.get(exampleId) ?? []), finalSql]);
    }
  }
  return { examples, databases, answers };
}

async function* rowsOf<S extends z.ZodType>(
  artifact: Artifact,
  port: string,
  schema: S,
): AsyncGenerator<z.infer<S>> {
  for await (const { value } of readJsonLines(path.join(artifact.folder, `${port}.jsonl`))) {
    yield schema.parse(value);
  }
}
