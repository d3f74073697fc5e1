import { z } from "zod";
import { GradusError } from "../../core/errors.ts";

/** Dollars for a million tokens. */
export const ModelPrices = z.strictObject({
  promptUsdPerMillion: z.number().nonnegative(),
  completionUsdPerMillion: z.number().nonnegative(),
});
export type ModelPrices = z.infer<typeof ModelPrices>;

/** How many requests are open at once: starts low, grows with successes, halves when the server is overloaded. */
export const ConcurrencyOptions = z.strictObject({
  min: z.int().positive().default(1),
  start: z.int().positive().default(8),
  max: z.int().positive().default(64),
});
export type ConcurrencyOptions = z.infer<typeof ConcurrencyOptions>;

/** When to stop asking a server that does not answer. */
export const CircuitOptions = z.strictObject({
  /** Failures in a row, of all callers, that open the circuit. */
  failures: z.int().positive().default(10),
  /** How long nothing is sent before one request probes the server. */
  cooldownMs: z.int().nonnegative().default(5_000),
  /** Without any success for this long callers get MODEL_CIRCUIT_OPEN; longer than `requestTimeoutMs`. */
  giveUpAfterMs: z.int().positive().default(900_000),
});
export type CircuitOptions = z.infer<typeof CircuitOptions>;

/** The options that every client of a model server has. */
export const clientOptions = {
  /** Address of the server up to and with its version (`http://127.0.0.1:8000/v1`); no user, key or query in it. */
  baseUrl: z.url({ protocol: /^https?$/ }).refine(hasNoSecrets, "must hold no user, key or query"),
  /** Name of the environment variable with the key; `null` for a server that needs none. */
  apiKeyVariable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .nullable()
    .default(null),
  /** The model name that replies must carry; `null` for the name that was asked for. */
  servedModel: z.string().min(1).nullable().default(null),
  /** How a reply's model name is compared; a name with a date after it (`m-2025-01-01`) passes `prefix`. */
  servedModelMatch: z.enum(["exact", "prefix", "any"]).nullable().default(null),
  /** How long one request may take: its whole reply, or when streaming the wait for each part of it. */
  requestTimeoutMs: z.int().positive().default(600_000),
  maxReplyBytes: z
    .int()
    .positive()
    .default(8 * 1024 * 1024),
  /** Attempts after the first. 429, 503 and 529 do not count: they are retried until the circuit gives up. */
  retries: z.int().nonnegative().default(8),
  /** Wait before the first retry; doubles with each further one, up to `maxRetryDelayMs`, half of it at random. */
  retryDelayMs: z.int().nonnegative().default(500),
  maxRetryDelayMs: z.int().nonnegative().default(60_000),
  concurrency: ConcurrencyOptions.prefault({}),
  requestsPerMinute: z.number().positive().nullable().default(null),
  /** Prompt and completion tokens together. */
  tokensPerMinute: z.number().positive().nullable().default(null),
  circuit: CircuitOptions.prefault({}),
  prices: ModelPrices.nullable().default(null),
  /** Needs `prices`. */
  maxCostUsd: z.number().nonnegative().nullable().default(null),
};

/** {@link clientOptions} as an object. */
export const ClientOptions = z.strictObject(clientOptions);
export type ClientOptions = z.infer<typeof ClientOptions>;

function hasNoSecrets(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const url = new URL(address);
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

/**
 * Options with their defaults.
 * @throws MODEL_OPTIONS_INVALID for an unknown key, a value out of range, or options that contradict each other.
 */
export function parseClientOptions<T extends ClientOptions>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error).replace(/\s*\n\s*/g, " "));
  const { concurrency, prices, maxCostUsd } = parsed.data;
  if (concurrency.min > concurrency.max || concurrency.start > concurrency.max) {
    throw invalid(
      `concurrency has min ${concurrency.min}, start ${concurrency.start}, max ${concurrency.max}; expected min and start at most max`,
    );
  }
  if (maxCostUsd !== null && prices === null) {
    throw invalid("maxCostUsd is set and prices are not; expected both");
  }
  return parsed.data;
}

function invalid(problem: string): GradusError {
  return new GradusError("MODEL_OPTIONS_INVALID", `cannot use the options of the model: ${problem}`, {
    hint: "correct the role of this model in the configuration",
  });
}
