import type { ModelRequest, ToolSchema } from "../../core/model.ts";

const BYTES_A_MESSAGE = 32;
const toolBytes = new WeakMap<readonly ToolSchema[], number>();

/** UTF-8 bytes of everything that a server counts as prompt, with room for the template around each message. */
export function promptBytes(request: ModelRequest): number {
  let bytes = bytesOfTools(request.tools);
  for (const message of request.messages) {
    bytes += BYTES_A_MESSAGE + Buffer.byteLength(message.content);
    if (message.reasoning !== null) bytes += Buffer.byteLength(message.reasoning);
    for (const call of message.toolCalls) {
      bytes += BYTES_A_MESSAGE + Buffer.byteLength(call.name) + Buffer.byteLength(call.argumentsRaw);
    }
  }
  return bytes;
}

function bytesOfTools(tools: readonly ToolSchema[]): number {
  if (tools.length === 0) return 0;
  const known = toolBytes.get(tools);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  toolBytes.set(tools, bytes);
  return bytes;
}
