import { z } from "zod";
import { checkClientOptions, clientOptions } from "./client-options.ts";

/** Options of a client of Anthropic's Messages API: addresses without a version. */
export const AnthropicModelOptions = z
  .strictObject({
    ...clientOptions,
    apiKeyVariable: clientOptions.apiKeyVariable.unwrap().unwrap().default("ANTHROPIC_API_KEY"),
    /** 2023-06-01 for models that still take a temperature; the newer version samples at 1 only. */
    apiVersion: z.enum(["2023-06-01", "2026-10-21"]).default("2026-10-21"),
  })
  .superRefine(checkClientOptions(false));
export type AnthropicModelOptions = z.infer<typeof AnthropicModelOptions>;
