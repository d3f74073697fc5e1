import { z } from "zod";
import { checkClientOptions, clientOptions } from "./client-options.ts";

/** Options of a client of an OpenAI-compatible server. */
export const OpenAiModelOptions = z
  .strictObject({
    ...clientOptions,
    server: z.enum(["openai", "vllm", "sglang"]).default("openai"),
    maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).default("max_tokens"),
    /** `null`: `reasoning` for vLLM, `reasoning_content` for others. */
    reasoningField: z.enum(["reasoning", "reasoning_content"]).nullable().default(null),
    /** Keeps proxies that cut silent connections content; the completion is the same. */
    stream: z.boolean().default(false),
  })
  .superRefine(checkClientOptions(true));
export type OpenAiModelOptions = z.infer<typeof OpenAiModelOptions>;
