import { z } from "zod";

/** A file of an artifact, relative to its folder, with `/`. */
export const ArtifactFile = z.strictObject({
  path: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string().length(64),
});
export type ArtifactFile = z.infer<typeof ArtifactFile>;

/** What one output port holds. `groups` counts rows by their `reason`, `code` or `split`, the first that rows have. */
export const PortSummary = z.strictObject({
  rows: z.int().nonnegative(),
  /** Digest of the canonical rows in order. */
  digest: z.string().length(64),
  groups: z.record(z.string(), z.int().nonnegative()),
});
export type PortSummary = z.infer<typeof PortSummary>;

/**
 * How an artifact was made. Written last, by rename: it exists, so the stage is done. No clock, duration,
 * host or path in it.
 */
export const Manifest = z.strictObject({
  gradus: z.literal(1),
  stage: z.string(),
  version: z.int(),
  key: z.string().length(64),
  seed: z.int(),
  options: z.json(),
  plugs: z.array(z.strictObject({ kind: z.string(), id: z.string(), version: z.int() })),
  /** Input port to the digest of the rows it was fed. */
  inputs: z.record(z.string(), z.string()),
  sources: z.array(z.strictObject({ name: z.string(), sha256: z.string() })),
  outputs: z.record(z.string(), PortSummary),
  files: z.array(ArtifactFile),
});
export type Manifest = z.infer<typeof Manifest>;

/** Everything of a manifest that is known before the stage runs; `keyOf` it is the stage's key. */
export type StageKeyParts = Pick<
  Manifest,
  "stage" | "version" | "seed" | "options" | "plugs" | "inputs" | "sources"
>;
