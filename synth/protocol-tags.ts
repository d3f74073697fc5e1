/** Names that some scaffold or chat template gives a meaning between `<` and `>`. */
const TAG_NAMES = [
  "think",
  "thinking",
  "thought",
  "reasoning",
  "scratchpad",
  "scratch_pad",
  "sql",
  "solution",
  "answer",
  "final_answer",
  "execution_check",
  "memory_check",
  "observation",
  "tool",
  "tools",
  "tool_call",
  "tool_calls",
  "tool_response",
  "tool_result",
  "function",
  "function_call",
  "function_results",
  "invoke",
  "parameter",
  "system",
  "user",
  "assistant",
  "start_of_turn",
  "end_of_turn",
  "bos",
  "eos",
];

/** A `<` that opens or closes one of the tags, also with white space inside; `<|…`; the short `<s>` and `</s>`. */
const TAG_OPENING = new RegExp(
  String.raw`<(?=\s*(?:\/\s*)?(?:${TAG_NAMES.join("|")})(?![\w-])|\s*[|\uFF5C]|\s*(?:\/\s*)?s\s*>)`,
  "gi",
);

/**
 * Text from outside the protocol, safe to stand between its tags: the `<` of whatever looks like a tag of a
 * scaffold or a token of a chat template becomes `\u003c`, so that no content closes a tag or forges one.
 * Other uses of `<` stay. Doing it twice changes nothing more.
 */
export function escapeProtocolTags(text: string): string {
  return text.replace(TAG_OPENING, String.raw`\u003c`);
}
