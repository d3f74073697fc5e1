import type { Check } from "./check.ts";
import type { Curriculum } from "./curriculum.ts";
import type { Embedder } from "./embedder.ts";
import type { DatasetLoader } from "./loader.ts";
import type { Label, Metric } from "./metric.ts";
import type { PredictionFormat } from "./prediction-format.ts";
import type { SchemaDialect } from "./schema-dialect.ts";
import type { Reward } from "./reward.ts";
import type { Scaffold } from "./scaffold.ts";
import type { Exporter } from "./shard.ts";
import type { Tool } from "./tool.ts";

/** Kinds of plugs and their contracts. A plug is one file named by its id in the folder of its kind. */
export interface PlugKinds {
  readonly loader: DatasetLoader;
  readonly "schema-dialect": SchemaDialect;
  readonly "prediction-format": PredictionFormat;
  readonly tool: Tool;
  readonly scaffold: Scaffold;
  readonly metric: Metric | Label;
  readonly curriculum: Curriculum;
  readonly exporter: Exporter;
  readonly reward: Reward;
  readonly embedder: Embedder;
  readonly check: Check;
}
export type PlugKind = keyof PlugKinds;

/** A plug by name. */
export interface PlugReference {
  readonly kind: PlugKind;
  readonly id: string;
}

/**
 * Finds plugs by kind and id.
 * @throws PLUG_UNKNOWN for an id without a file, naming the near miss and the known ids.
 */
export interface PlugFinder {
  find<K extends PlugKind>(kind: K, id: string): Promise<PlugKinds[K]>;
  list(kind: PlugKind): Promise<readonly string[]>;
}
