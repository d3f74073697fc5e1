import { z } from "zod";
import type { ChatMessage, ToolSchema } from "../../core/model.ts";

/** A message as chat APIs write it. */
export const WireMessage = z.strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  /** An earlier thought, where the scaffold sends it back in a field of its own. */
  reasoning: z.string().optional(),
  tool_calls: z
    .array(
      z.strictObject({
        id: z.string(),
        type: z.literal("function"),
        function: z.strictObject({ name: z.string(), arguments: z.string() }),
      }),
    )
    .optional(),
  tool_call_id: z.string().optional(),
});
export type WireMessage = z.infer<typeof WireMessage>;

/** A message for a client. */
export function wireMessage({ role, content, reasoning, toolCalls, toolCallId }: ChatMessage): WireMessage {
  return {
    role,
    content,
    ...(reasoning === null ? {} : { reasoning }),
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map((call) => ({
            id: call.id,
            type: "function" as const,
            function: { name: call.name, arguments: call.argumentsRaw },
          })),
        }),
    ...(toolCallId === null ? {} : { tool_call_id: toolCallId }),
  };
}

/** A tool as chat APIs write it; the key order is the one that templates print. */
export function wireTool({ name, description, parameters }: ToolSchema) {
  return { type: "function" as const, function: { name, description, parameters } };
}
