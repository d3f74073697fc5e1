import type { ToolSchema } from "../core/model.ts";
import type { Message } from "../core/trajectory.ts";
import { readActions, type ReadCall } from "./call-parser.ts";
import type { MtsqlStep } from "./mtsql-transitions.ts";
import { tagBlocks, type TagBlock } from "./tag-blocks.ts";
import { sqlIn } from "./tag-parser.ts";
import { EXEC_SQL, MEMORY_RETRIEVE } from "./tool-descriptions.ts";

/** A reply in MTSQL-R1's protocol, taken apart. */
export interface MtsqlReply {
  /** As the reply states them, in order; a call that cannot be made is no step. */
  readonly steps: readonly MtsqlStep[];
  /** Verdicts that are neither pass nor fail, or whose tag does not end; cut. */
  readonly badVerdicts: readonly string[];
  readonly consultsMemory: boolean;
  readonly calls: readonly ReadCall[];
  /** Of several final queries all, in order; of those that never end only one that is alone. */
  readonly answers: readonly TagBlock<"final_answer">[];
  readonly isForged: boolean;
}

type CheckBlock = TagBlock<"execution_check" | "memory_check">;

/** Something of a reply with the place where it stands; calls through the server's interface come last. */
interface Placed {
  readonly at: number;
  readonly steps: readonly MtsqlStep[];
}

/**
 * Takes a reply apart whose thought is parted from it already. A call of `exec_sql` is EXECUTE and the writing
 * of its query before it: SELF-CORRECT in a reply that states a failed check, else PROPOSE. What stands in
 * calls and in results of the model's own making means nothing.
 * @paper MTSQL-R1, the action space; how a reply states its actions is ours
 */
export function readMtsql(
  { content, toolCalls }: Pick<Message, "content" | "toolCalls">,
  tools: readonly ToolSchema[],
): MtsqlReply {
  const { calls, isForged } = readActions(content, toolCalls, tools);
  const spans = calls.flatMap(({ start, raw }) =>
    start === null ? [] : [{ start, end: start + raw.length }],
  );
  const blocks = tagBlocks(content, ["execution_check", "memory_check", "final_answer"], spans);
  const finals = blocks.filter((block): block is TagBlock<"final_answer"> => block.name === "final_answer");
  const closed = finals.filter(({ isClosed }) => isClosed);
  const answers = closed.length > 0 || calls.length > 0 ? closed : finals;
  const checks = blocks.filter((block): block is CheckBlock => block.name !== "final_answer");
  const verdicts = checks.map((block) => ({ block, step: verdictOf(block) }));
  const fails = verdicts.some(({ step }) => step?.endsWith(":fail") === true);
  const made = calls.filter((call) => call.problem === null && !isBlank(call));
  const placed: Placed[] = [
    ...verdicts.map(({ block, step }) => ({ at: block.start, steps: step === null ? [] : [step] })),
    ...made
      .filter(({ name }) => name === EXEC_SQL.schema.name)
      .map(({ start }) => ({ at: start ?? content.length, steps: executeSteps(fails) })),
    ...answers.filter(({ isClosed }) => isClosed).map(({ start }) => ({ at: start, steps: FINAL_STEPS })),
  ];
  return {
    steps: placed.sort((left, right) => left.at - right.at).flatMap(({ steps }) => steps),
    badVerdicts: verdicts.filter(({ step }) => step === null).map(({ block }) => block.inner.slice(0, 40)),
    consultsMemory: made.some(({ name }) => name === MEMORY_RETRIEVE.schema.name),
    calls,
    answers,
    isForged,
  };
}

/** Whether a call has no query, so that its tool can do nothing. */
export function isBlank({ arguments: given }: ReadCall): boolean {
  const code = given?.["code"];
  return typeof code === "string" && code.trim() === "";
}

/** The query of a final answer; empty where it has none, or never ends. */
export function finalSql({ inner, isClosed }: TagBlock<"final_answer">): string {
  return isClosed ? sqlIn(inner) : "";
}

const FINAL_STEPS: readonly MtsqlStep[] = ["FINALIZE"];

function executeSteps(corrects: boolean): readonly MtsqlStep[] {
  return [corrects ? "SELF-CORRECT" : "PROPOSE", "EXECUTE"];
}

function verdictOf({ name, inner, isClosed }: CheckBlock): MtsqlStep | null {
  const verdict = inner.toLowerCase();
  if (!isClosed || (verdict !== "pass" && verdict !== "fail")) return null;
  return name === "execution_check" ? `E-VERIFY:${verdict}` : `M-VERIFY:${verdict}`;
}
