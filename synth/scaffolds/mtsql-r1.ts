import { z } from "zod";
import { Guardrails } from "../../core/guardrail.ts";
import { defineScaffold } from "../../core/scaffold.ts";
import { keptCalls, partThought } from "../call-parser.ts";
import { sampledMessage } from "../episode-messages.ts";
import { MTSQL_SCHEMAS, reactToMtsql } from "../mtsql-episode.ts";
import { readMtsql } from "../mtsql-reply.ts";
import { mtsqlPrompt, mtsqlTurnsLeftText } from "../prompts/mtsql-r1.ts";
import { EXEC_SQL, MEMORY_RETRIEVE } from "../tool-descriptions.ts";
import { toolObservations } from "../tool-observations.ts";

const Options = z.strictObject({
  /** Whether tools are called by a tag in the text or through the server's interface. */
  calls: z.enum(["text", "native"]).default("text"),
  /** Earlier turns, in the prompt and in the memory: with gold SQL, without SQL, or with the model's own. */
  history: z.enum(["gold", "questions", "predicted"]).default("gold"),
  /**
   * Replies of an episode, refused ones too. An interaction is one call of a tool with its observation: the
   * paper's 4 interactions, and the reply that finalizes. The shortest episode has 2 interactions, that of a
   * dialogue's first question 1.
   */
  maxTurns: z.int().positive().default(5),
  /** Rows of a query's result. */
  maxRows: z.int().positive().default(10),
  maxCellCharacters: z.int().positive().default(100),
  /** CPU time of one statement, milliseconds. */
  cpuMs: z.int().positive().default(30_000),
  /** `wrong_transition` is a step that the rule does not allow. */
  guardrails: Guardrails.prefault({}),
});

/**
 * An agent of dialogues that writes a query, runs it, checks the result and the dialogue's memory, and corrects
 * the query until both checks pass. The transition rule is enforced; a message's `steps` are the actions that
 * its reply states, a check with its verdict (`E-VERIFY:pass`), those of a refused reply too. Earlier replies
 * stay as they were sampled, thoughts and all; prompts and observations are never trained on.
 *
 * Not in the paper: how a reply states its actions (checks in `<execution_check>` and `<memory_check>`, a
 * query by the call that runs it, the end in `<final_answer>`), that a corrected query is run in the reply that
 * states the failed check, that the memory is consulted anew for each query, that the first question of a
 * dialogue needs no memory check, that the query that is committed must be the one that was run, past thoughts,
 * and every word of the prompt.
 * @paper MTSQL-R1, equation 1
 */
export default defineScaffold({
  id: "mtsql-r1",
  version: 1,
  options: Options,
  readsGold: false,
  pastThoughts: "kept",
  nativeTools: ({ calls }) => calls === "native",
  tools: ({ maxRows, maxCellCharacters, cpuMs }) => [
    { id: EXEC_SQL.id, options: { maxRows, maxCellCharacters, cpuMs } },
    { id: MEMORY_RETRIEVE.id, options: {} },
  ],
  stops: () => [],
  maxTurns: ({ maxTurns }) => maxTurns,
  open: (opening, { calls, maxTurns, history }) =>
    mtsqlPrompt(opening, { calls, maxTurns, showsSql: history !== "questions" }, MTSQL_SCHEMAS),
  read(reply, { calls: form }) {
    const { thought, visible } = partThought(reply.content, reply.reasoning);
    const content = visible.trim();
    const { calls, steps } = readMtsql(
      { content, toolCalls: form === "native" ? reply.toolCalls : [] },
      MTSQL_SCHEMAS,
    );
    const message = sampledMessage(reply, {
      reasoning: thought === "" ? null : thought,
      content,
      toolCalls: keptCalls(calls),
      restored: "",
    });
    return { ...message, steps: [...steps] };
  },
  react: (message, state, { calls, guardrails }) => reactToMtsql(message, state, { calls, guardrails }),
  observe: (results, { turnsLeft }) =>
    toolObservations(
      results.map(({ action, result }) => ({
        callId: action.callId,
        text: `${result.text}\n${mtsqlTurnsLeftText(turnsLeft)}`,
      })),
    ),
});
