import { GradusError } from "../core/errors.ts";
import type { Pipeline } from "./pipeline.ts";

/**
 * Checks a pipeline before anything runs: unique ids, every input port fed exactly once, from an earlier
 * step, by rows of the same schema.
 * @throws PIPELINE_MALFORMED naming the step and the port.
 */
export function checkPipeline(pipeline: Pipeline): void {
  const outputs = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { id, stage, inputs } of pipeline) {
    if (outputs.has(id)) throw malformed(`two steps are called ${id}`);
    for (const port of Object.keys(inputs)) {
      if (!(port in stage.inputs))
        throw malformed(`step ${id} is fed at port ${port}, which ${stage.name} does not have`);
    }
    for (const [port, schema] of Object.entries(stage.inputs)) {
      const link = inputs[port];
      if (link === undefined) throw malformed(`step ${id} is not fed at port ${port}`);
      const offered = outputs.get(link.step)?.[link.port];
      if (offered === undefined)
        throw malformed(`step ${id} takes ${link.step}.${link.port}, which no earlier step gives`);
      if (offered !== schema) {
        throw malformed(
          `step ${id} takes ${link.step}.${link.port} at port ${port}, whose rows have another schema`,
        );
      }
    }
    outputs.set(id, stage.outputs);
  }
}

function malformed(message: string): GradusError {
  return new GradusError("PIPELINE_MALFORMED", message, {
    hint: "this is a defect of the pipeline, not of your files",
  });
}
