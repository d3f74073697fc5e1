import type { ToolSchema } from "../../core/model.ts";

/** How tools are called: by a tag in the text, or through the server's interface. */
export type CallForm = "text" | "native";

/** How a tool is called and how its result comes back. */
export function callFormText(calls: CallForm): string {
  const form =
    calls === "text"
      ? `A call of a tool is one JSON object between <tool_call> and </tool_call>: {"name": "…", "arguments": {…}}. What the tool returns comes back between <tool_response> and </tool_response>.`
      : "Tools are called through the interface that the server has for them, one call a reply. What the tool returns comes back as its message.";
  return `${form} Results come from the tools only; never write one yourself.`;
}

/** The tools as JSON, one a line, below the rest of the prompt; empty where the server is told of them. */
export function toolListText(calls: CallForm, tools: readonly ToolSchema[]): string {
  if (calls === "native") return "";
  const lines = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ type: "function", function: { name, description, parameters } }),
  );
  return `\n\nTools:\n${lines.join("\n")}`;
}
