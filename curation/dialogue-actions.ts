import type { Message, Trajectory } from "../core/trajectory.ts";

/** An action of an agent of dialogues, and the query that it wrote or checked. */
export interface DialogueAction {
  readonly kind: "propose" | "execution_check" | "memory_check";
  readonly sql: string;
  /** Whether a check says that the query passes; true of a query that was written. */
  readonly passes: boolean;
  /** What the agent was told of the query's run; `null` where the text does not say. */
  readonly outcome: "result" | "null result" | "error" | null;
}

const QUERY_TOOL = "exec_sql";

/**
 * The actions of the replies that were accepted, in order: those whose call was made, and the answer. A check is of the
 * query that was run last; one before any query says nothing.
 * @paper MTSQL-R1, equation 1
 */
export function dialogueActions({ messages, stopReason }: Trajectory): DialogueAction[] {
  const actions: DialogueAction[] = [];
  let sql: string | null = null;
  let outcome: DialogueAction["outcome"] = null;
  for (const [place, message] of messages.entries()) {
    const isLast = place === messages.length - 1;
    const isAccepted = isLast ? stopReason === "answered" : messages[place + 1]?.origin === "environment";
    if (message.origin !== "sampled" || !isAccepted) continue;
    for (const step of message.steps ?? []) {
      if (step === "PROPOSE" || step === "SELF-CORRECT") {
        sql = queryOf(message) ?? sql;
        outcome = outcomeIn(messages[place + 1]);
        if (sql !== null) actions.push({ kind: "propose", sql, passes: true, outcome });
        continue;
      }
      const check = CHECKS[step.slice(0, step.indexOf(":"))];
      if (check !== undefined && sql !== null) {
        actions.push({ kind: check, sql, passes: step.endsWith(":pass"), outcome });
      }
    }
  }
  return actions;
}

const CHECKS: Readonly<Record<string, DialogueAction["kind"]>> = {
  "E-VERIFY": "execution_check",
  "M-VERIFY": "memory_check",
};

/** The queries that actions wrote or checked, each once. */
export function statementsRun(trajectory: Trajectory): string[] {
  return [...new Set(dialogueActions(trajectory).map(({ sql }) => sql))];
}

function queryOf({ toolCalls }: Message): string | null {
  const code = toolCalls.find(({ name }) => name === QUERY_TOOL)?.arguments?.["code"];
  return typeof code === "string" ? code : null;
}

/** The first line of the query tool's result. */
function outcomeIn(message: Message | undefined): DialogueAction["outcome"] {
  const [, said] =
    /^(?:<tool_response>\n)?Outcome: (result|null result|error)$/m.exec(message?.rawText ?? "") ?? [];
  return (said as DialogueAction["outcome"] | undefined) ?? null;
}
