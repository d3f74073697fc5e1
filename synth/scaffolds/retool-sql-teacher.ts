import { defineScaffold } from "../../core/scaffold.ts";
import { retoolTeacherPrompt } from "../prompts/retool-sql.ts";
import { mentionsGivenAnswer } from "../given-answer.ts";
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
 * The privileged teacher of `retool-sql`: the same protocol, with the gold query below the question and the
 * rule never to show it. A reply that speaks of a query that was given ends the episode, in either mode of the
 * guardrails, with the detail `mentions_given_answer`: such a trace must not be trained on. What others learn
 * from is the trace behind the student's opening.
 * The rule and the check are not in the paper. @paper ReToolSQL, warm start
 */
export default defineScaffold({
  id: "retool-sql-teacher",
  version: 1,
  options: RetoolOptions,
  readsGold: true,
  student: "retool-sql",
  pastThoughts: "kept",
  nativeTools: ({ calls }) => calls === "native",
  tools: (options) => retoolTools(options),
  stops: () => [],
  maxTurns: ({ maxTurns }) => maxTurns,
  open: (opening, options) => retoolTeacherPrompt(opening, retoolRules(options), RETOOL_SCHEMAS),
  read: (reply, options) => keepRetoolReply(reply, options),
  react(message, state, options) {
    if (mentionsGivenAnswer(message.rawText)) {
      return { kind: "stop", reason: "guardrail", detail: "mentions_given_answer", masksEarlier: true };
    }
    return reactToRetool(message, state, options);
  },
  observe: (results, state) => observeRetool(results, state),
});
