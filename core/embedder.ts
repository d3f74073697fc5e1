import { z } from "zod";

/** A point of an embedding: sparse where `indices` says which of its `dimensions` the values are of, else dense. */
export const Vector = z.strictObject({
  dimensions: z.int().nonnegative(),
  /** Ascending, one a value; `null`: the values are those of every dimension. */
  indices: z.array(z.int().nonnegative()).nullable(),
  values: z.array(z.number()),
});
export type Vector = z.infer<typeof Vector>;

/** What an embedder may use besides texts. */
export interface EmbedderContext {
  /** A file that keeps paid-for vectors between runs; `null` where nothing is kept. */
  readonly cacheFile: string | null;
  /** How the server is reached; enters no key. */
  readonly client: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** An embedder with its connections; `close` ends them. */
export interface OpenEmbedder {
  /** The vectors of texts that will be compared with one another, one a text in their order. */
  embed(texts: readonly string[]): Promise<readonly Vector[]>;
  close(): Promise<void>;
}

/** Turns texts into points whose distance says how alike they are. */
export interface Embedder<Options extends z.ZodType = z.ZodType> {
  readonly kind: "embedder";
  readonly id: string;
  /** Bumped when a vector can change. */
  readonly version: number;
  readonly options: Options;
  open(options: z.infer<Options>, context: EmbedderContext): Promise<OpenEmbedder>;
}

/** Types an embedder plug; the file's stem is its id. */
export function defineEmbedder<Options extends z.ZodType>(
  embedder: Omit<Embedder<Options>, "kind">,
): Embedder {
  return { kind: "embedder", ...embedder } as unknown as Embedder;
}
