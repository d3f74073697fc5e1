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
  /** The same for a server that has never answered at all, counted from its first failure. */
  firstAnswerWithinMs: z
    .int()
    .positive()
    .default(120_000)
    .describe("how long a server that never answered may fail; a 429 or 503 is an answer"),
});
export type CircuitOptions = z.infer<typeof CircuitOptions>;

/** How one of several servers that takes requests and never answers is found. */
export const HealthCheckOptions = z.strictObject({
  path: z
    .string()
    .regex(/^[\w./-]+$/)
    .nullable()
    .default("models")
    .describe(
      "what is asked for below the address, without a key; any status is an answer; null asks nothing",
    ),
  /** How long a server with open requests is silent before it is asked, and how often then. */
  everyMs: z.int().positive().default(15_000),
  timeoutMs: z.int().positive().default(10_000),
  /** Times in a row without an answer after which open requests go elsewhere. */
  failures: z.int().positive().default(4),
});
export type HealthCheckOptions = z.infer<typeof HealthCheckOptions>;

/** Address of a server up to and with its version; no user, key or query in it. */
const Address = z.url({ protocol: /^https?$/ }).refine(hasNoSecrets, "must hold no user, key or query");

/**
 * The options that every client of a model server has. With several addresses `concurrency` and `circuit` are
 * those of each; money and the limits a minute are those of all together.
 */
export const clientOptions = {
  /** `null` where `baseUrls` is given. */
  baseUrl: Address.nullable()
    .default(null)
    .describe("address of the server with its version: http://127.0.0.1:8000/v1"),
  /** Servers of one and the same model, each address once. */
  baseUrls: z
    .array(Address)
    .min(1)
    .nullable()
    .default(null)
    .describe("addresses of several servers of the same model, in place of baseUrl; episodes stay at one"),
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
  healthCheck: HealthCheckOptions.prefault({}),
  prices: ModelPrices.nullable().default(null),
  /** Needs `prices`. */
  maxCostUsd: z.number().nonnegative().nullable().default(null),
};

/** What makes options contradict each other. `needsAddress`: the client has no address of its own. */
export function checkClientOptions(needsAddress: boolean) {
  return (options: ClientFields, context: z.RefinementCtx): void => {
    const { baseUrl, baseUrls, concurrency, prices, maxCostUsd } = options;
    const complain = (message: string): void => context.addIssue({ code: "custom", message });
    if (baseUrl !== null && baseUrls !== null) complain("got baseUrl and baseUrls, expected one of them");
    if (needsAddress && baseUrl === null && baseUrls === null) {
      complain("got neither baseUrl nor baseUrls, expected one of them");
    }
    const twice = baseUrls?.find((address, place) => baseUrls.indexOf(address) !== place);
    if (twice !== undefined) complain(`baseUrls has ${twice} twice, expected each address once`);
    if (concurrency.min > concurrency.max || concurrency.start > concurrency.max) {
      complain(
        `concurrency has min ${concurrency.min}, start ${concurrency.start}, max ${concurrency.max}; expected min and start at most max`,
      );
    }
    if (maxCostUsd !== null && prices === null) {
      complain("maxCostUsd is set and prices are not; expected both");
    }
  };
}

const Fields = z.strictObject(clientOptions);
type ClientFields = z.infer<typeof Fields>;

/** {@link clientOptions} as an object. */
export const ClientOptions = Fields.superRefine(checkClientOptions(true));
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
  if (parsed.success) return parsed.data;
  throw invalid(z.prettifyError(parsed.error).replace(/\s*\n\s*/g, " "));
}

/** The addresses of a client, one or more. `otherwise` is that of a client which has one of its own. */
export function addressesOf(
  { baseUrl, baseUrls }: Pick<ClientOptions, "baseUrl" | "baseUrls">,
  otherwise: string | null,
): readonly string[] {
  if (baseUrls !== null) return baseUrls;
  const only = baseUrl ?? otherwise;
  return only === null ? [] : [only];
}

function invalid(problem: string): GradusError {
  return new GradusError("MODEL_OPTIONS_INVALID", `cannot use the options of the model: ${problem}`, {
    hint: "correct the role of this model in the configuration",
  });
}
