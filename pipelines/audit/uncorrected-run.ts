import { GradusError } from "../../core/errors.ts";
import { keyOf } from "../../core/key.ts";
import type { Artifact, ArtifactStore } from "../../io/artifact-store.ts";
import type { Pipeline, PipelineStep, PortLink } from "../pipeline.ts";

const CORRECTING = "apply-corrections";

/** A finished run with corrections. */
export interface CorrectedRun {
  readonly pipeline: Pipeline;
  readonly artifacts: ReadonlyMap<string, Artifact>;
  readonly store: ArtifactStore;
}

/** A step's rows with the corrections and without. */
export interface ArtifactPair {
  readonly before: Artifact;
  readonly after: Artifact;
}

/** Where rows are read: a step's artifact at a port. */
export interface PortPair {
  readonly before: { readonly artifact: Artifact; readonly port: string };
  readonly after: { readonly artifact: Artifact; readonly port: string };
}

/**
 * Finds what the same run made without its corrections: an artifact lies under the key of everything that decided it,
 * so the keys without corrections follow from those with them. Nothing is run.
 */
export class UncorrectedRun {
  readonly #run: CorrectedRun;
  readonly #found = new Map<string, Promise<Artifact>>();

  constructor(run: CorrectedRun) {
    this.#run = run;
  }

  /** @throws RUN_UNFINISHED where the step has not run; RUN_WITHOUT_BASELINE where it never ran without corrections. */
  async step(id: string): Promise<ArtifactPair> {
    const after = this.#after(id);
    return { before: await this.#before(id), after };
  }

  /** The rows that a step was fed. */
  async fed(id: string, port: string): Promise<PortPair> {
    const link = this.#step(id).inputs[port];
    if (link === undefined) throw unfinished(id);
    const old = this.#uncorrected(link);
    return {
      before: { artifact: await this.#before(old.step), port: old.port },
      after: { artifact: this.#after(link.step), port: link.port },
    };
  }

  /** The artifacts of the steps that apply corrections. */
  corrections(): Artifact[] {
    return this.#run.pipeline
      .filter(({ stage }) => stage.name === CORRECTING)
      .flatMap(({ id }) => this.#run.artifacts.get(id) ?? []);
  }

  #before(id: string): Promise<Artifact> {
    let found = this.#found.get(id);
    if (found === undefined) {
      found = this.#find(id);
      this.#found.set(id, found);
    }
    return found;
  }

  async #find(id: string): Promise<Artifact> {
    const { manifest } = this.#after(id);
    const inputs: Record<string, string> = {};
    for (const [port, link] of Object.entries(this.#step(id).inputs)) {
      const old = this.#uncorrected(link);
      inputs[port] = (await this.#before(old.step)).manifest.outputs[old.port]?.digest ?? "";
    }
    const { stage, version, seed, options, plugs, sources } = manifest;
    const key = keyOf({ stage, version, seed, options, plugs, inputs, sources });
    const artifact = await this.#run.store.find(id, key);
    if (artifact !== undefined) return artifact;
    throw new GradusError(
      "RUN_WITHOUT_BASELINE",
      `step ${id} has never run without the corrections, so there is nothing to compare with`,
      { hint: "run the config once without its corrections, under the same name, then with them again" },
    );
  }

  #after(id: string): Artifact {
    const artifact = this.#run.artifacts.get(id);
    if (artifact === undefined) throw unfinished(id);
    return artifact;
  }

  #step(id: string): PipelineStep {
    const step = this.#run.pipeline.find((one) => one.id === id);
    if (step === undefined) throw unfinished(id);
    return step;
  }

  /** The link of the same rows without corrections. */
  #uncorrected(link: PortLink): PortLink {
    const step = this.#step(link.step);
    return step.stage.name === CORRECTING ? (step.inputs["examples"] as PortLink) : link;
  }
}

function unfinished(id: string): GradusError {
  return new GradusError("RUN_UNFINISHED", `step ${id} of the run has not finished`, {
    hint: "run the config to its end first",
  });
}
