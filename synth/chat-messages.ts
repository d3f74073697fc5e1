import type { ChatMessage } from "../core/model.ts";
import type { Scaffold } from "../core/scaffold.ts";
import type { Message } from "../core/trajectory.ts";

/**
 * Messages as they go to a server. An earlier reply is its raw text where thoughts are kept, its content
 * where they are not; through a server's tool interface it is always its content with its calls, and a kept
 * thought goes in a field of its own.
 */
export function chatMessages(
  messages: readonly Message[],
  { pastThoughts, nativeTools }: Pick<Scaffold, "pastThoughts" | "nativeTools">,
): ChatMessage[] {
  const keepsThoughts = pastThoughts === "kept";
  return messages.map((message) => {
    const { role, rawText, content, reasoning, toolCalls, toolCallId } = message;
    if (role !== "assistant") {
      return { role, content: rawText, reasoning: null, toolCalls: [], toolCallId };
    }
    return {
      role,
      content: keepsThoughts && !nativeTools ? rawText : content,
      reasoning: keepsThoughts && nativeTools ? reasoning : null,
      toolCalls: nativeTools ? toolCalls : [],
      toolCallId,
    };
  });
}
