import type { DatabaseSchema } from "../core/database.ts";
import type { Message, Trajectory } from "../core/trajectory.ts";
import { clauseMatch } from "./clause-match.ts";

/** How well a rollout does what MTSQL-R1's protocol asks, each 0 to 1; `null` where it had no occasion. */
export interface MtsqlAbilities {
  /** Whether a query was run at all. */
  readonly callsExecute: number;
  /** Whether the memory was consulted; `null` for a question without earlier turns. */
  readonly callsMemory: number | null;
  /** Mean reward of the verifications of executions. */
  readonly verifiesExecution: number | null;
  /** Mean reward of the verifications against the memory. */
  readonly verifiesMemory: number | null;
  /** Mean clause F1 of the queries proposed and corrected against gold. */
  readonly generates: number | null;
}

export const MTSQL_ABILITIES = [
  "callsExecute",
  "callsMemory",
  "verifiesExecution",
  "verifiesMemory",
  "generates",
] as const;

/** What is asked of a verification by how the query ended: its reward for saying so. */
const EXECUTION_REWARDS: Readonly<Record<string, { readonly pass: number; readonly fail: number }>> = {
  result: { pass: 1, fail: 0 },
  "null result": { pass: 0, fail: 0.1 },
  error: { pass: 0, fail: 1 },
};

const EXECUTE = "exec_sql";
const MEMORY = "memory_retrieve";
const OUTCOME = /\bOutcome: (null result|result|error)\b/;

/**
 * The five abilities of a rollout by its named steps and calls; `null` for one of a scaffold that names no steps.
 * Steps are judged against the query that was run last before them. A rollout that never takes a step has no reward for
 * it: whether such a one counts as 0 is not in the paper, and the calls tell it.
 *
 * @paper MTSQL-R1, section 4.3: calling execute and memory, execution and memory verification, generation and correction
 */
export function mtsqlAbilities(
  trajectory: Pick<Trajectory, "messages">,
  gold: { readonly sql: string; readonly schema: DatabaseSchema | null; readonly hasHistory: boolean },
): MtsqlAbilities | null {
  const { messages } = trajectory;
  if (!messages.some(({ steps }) => steps !== undefined)) return null;
  const replay = new Replay(gold);
  for (const message of messages) replay.take(message);
  const calls = new Set(messages.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name)));
  return {
    callsExecute: calls.has(EXECUTE) ? 1 : 0,
    callsMemory: gold.hasHistory ? Number(calls.has(MEMORY)) : null,
    verifiesExecution: meanOf(replay.executionRewards),
    verifiesMemory: meanOf(replay.memoryRewards),
    generates: meanOf(replay.generationRewards),
  };
}

/** Goes through the messages of a rollout and gives each step its reward. */
class Replay {
  readonly executionRewards: number[] = [];
  readonly memoryRewards: number[] = [];
  readonly generationRewards: number[] = [];
  readonly #gold: { readonly sql: string; readonly schema: DatabaseSchema | null };
  #outcome: string | null = null;
  #match: number | null = null;

  constructor(gold: { readonly sql: string; readonly schema: DatabaseSchema | null }) {
    this.#gold = gold;
  }

  take(message: Message): void {
    if (message.origin === "environment") {
      this.#outcome = OUTCOME.exec(message.content)?.[1] ?? this.#outcome;
      return;
    }
    const steps = message.steps ?? [];
    for (const step of steps) this.#verify(step);
    const code = message.toolCalls.find(({ name }) => name === EXECUTE)?.arguments?.["code"];
    if (typeof code !== "string") return;
    this.#match = clauseMatch(this.#gold.sql, code, this.#gold.schema);
    this.#outcome = null;
    if (steps.some((step) => step === "PROPOSE" || step === "SELF-CORRECT")) {
      this.generationRewards.push(this.#match);
    }
  }

  #verify(step: string): void {
    const [kind, verdict] = step.split(":");
    const says = verdict === "pass" ? "pass" : "fail";
    if (kind === "E-VERIFY" && this.#outcome !== null) {
      this.executionRewards.push(EXECUTION_REWARDS[this.#outcome]?.[says] ?? 0);
    }
    if (kind === "M-VERIFY" && this.#match !== null) {
      this.memoryRewards.push(says === "pass" ? this.#match : 1 - this.#match);
    }
  }
}

function meanOf(rewards: readonly number[]): number | null {
  return rewards.length === 0 ? null : rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}
