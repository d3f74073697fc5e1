import { defineScaffold } from "../../core/scaffold.ts";
import { retoolPrompt } from "../prompts/retool-sql.ts";
import {
  keepRetoolReply,
  observeRetool,
  reactToRetool,
  RETOOL_SCHEMAS,
  RetoolOptions,
  retoolRules,
  retoolTools,
} from "../retool-episode.ts";

/**
 * One agent with a query tool, a column profile and a value search: a scratch pad, then exactly one call or
 * the final query in `<final_answer>`. A peek or a search needs a fault that a query showed: an error, no
 * rows, or a suspicious value; every result of a query ends in a line that says which. Earlier replies stay
 * as they were sampled, thoughts and all; results are never trained on. Faulty replies go by the guardrails,
 * and cost a turn where the agent is told.
 *
 * Not in the paper: the `<schema>` block in which tables and columns are annotated, the bound of the scratch
 * pad, that a reasoning model's own thought may stand for it, which values are suspicious, that a fault holds
 * until a query comes back sound, the limits of results, past thoughts, and every word of the prompt.
 * @paper ReToolSQL
 */
export default defineScaffold({
  id: "retool-sql",
  version: 1,
  options: RetoolOptions,
  readsGold: false,
  pastThoughts: "kept",
  nativeTools: ({ calls }) => calls === "native",
  tools: (options) => retoolTools(options),
  stops: () => [],
  maxTurns: ({ maxTurns }) => maxTurns,
  open: (opening, options) => retoolPrompt(opening, retoolRules(options), RETOOL_SCHEMAS),
  read: (reply, options) => keepRetoolReply(reply, options),
  react: (message, state, options) => reactToRetool(message, state, options),
  observe: (results, state) => observeRetool(results, state),
});
