import { actionsDigest, interactionsOf, sampledLength } from "../core/trajectory-actions.ts";
import type { Trajectory } from "../core/trajectory.ts";
import { failedReplies } from "./loss-control.ts";

/** Figures of a set of trajectories. Shares are of 1, rounded to four digits. */
export interface QualityTable {
  readonly trajectories: number;
  readonly questions: number;
  /** Tokens of completions as servers counted them, a quarter of the characters where none did. */
  readonly tokens: { readonly median: number; readonly p90: number; readonly max: number };
  /** Mean interactions by hardness. */
  readonly interactions: Readonly<Record<string, number>>;
  /** Calls of each tool. */
  readonly tools: Readonly<Record<string, number>>;
  /** Trajectories with a query that failed and was repaired. */
  readonly repairRate: number;
  /** Trajectories whose actions another one of the same question has too. */
  readonly duplicateActions: number;
  readonly byHardness: Readonly<Record<string, number>>;
  readonly byDatabase: Readonly<Record<string, number>>;
  /** By model, revision and scaffold. */
  readonly byTeacher: Readonly<Record<string, number>>;
  readonly byRound: Readonly<Record<string, number>>;
}

/** A trajectory for a person to read. */
export interface SampleToRead {
  readonly hardness: string;
  readonly question: string;
  readonly trajectory: Trajectory;
}

const CHARACTERS_PER_TOKEN = 4;

/** Gathers the figures of a set, a trajectory at a time; keeps numbers and digests alone. */
export class QualityFigures {
  readonly #tokens: number[] = [];
  readonly #questions = new Set<string>();
  readonly #interactions = new Map<string, number>();
  readonly #tools = new Map<string, number>();
  readonly #hardness = new Map<string, number>();
  readonly #databases = new Map<string, number>();
  readonly #teachers = new Map<string, number>();
  readonly #rounds = new Map<string, number>();
  readonly #actions = new Map<string, number>();
  #repaired = 0;

  add(
    trajectory: Trajectory,
    place: { readonly hardness: string | null; readonly databaseId: string },
  ): void {
    const { usage, exampleId, model, scaffold, messages } = trajectory;
    const hardness = place.hardness ?? "unknown";
    this.#tokens.push(usage.completionTokens ?? Math.ceil(sampledLength(trajectory) / CHARACTERS_PER_TOKEN));
    this.#questions.add(exampleId);
    count(this.#interactions, hardness, interactionsOf(trajectory));
    count(this.#hardness, hardness);
    count(this.#databases, place.databaseId);
    count(this.#teachers, `${model.name} ${model.revision} ${scaffold.id}`);
    count(this.#rounds, String(trajectory.round));
    count(this.#actions, `${exampleId} ${actionsDigest(trajectory)}`);
    for (const { origin, toolCalls } of messages) {
      if (origin === "sampled") for (const { name } of toolCalls) count(this.#tools, name);
    }
    if (failedReplies(messages).size > 0) this.#repaired += 1;
  }

  table(): QualityTable {
    const all = this.#tokens.length;
    const sorted = [...this.#tokens].sort((left, right) => left - right);
    const at = (share: number): number => sorted[Math.min(all - 1, Math.floor(all * share))] ?? 0;
    const duplicates = [...this.#actions.values()].reduce((sum, times) => sum + (times > 1 ? times : 0), 0);
    const means = [...this.#interactions].map(
      ([hardness, sum]) => [hardness, rounded(sum / (this.#hardness.get(hardness) ?? 1))] as const,
    );
    return {
      trajectories: all,
      questions: this.#questions.size,
      tokens: { median: at(0.5), p90: at(0.9), max: sorted.at(-1) ?? 0 },
      interactions: Object.fromEntries(means.sort(byName)),
      tools: record(this.#tools),
      repairRate: rounded(all === 0 ? 0 : this.#repaired / all),
      duplicateActions: rounded(all === 0 ? 0 : duplicates / all),
      byHardness: record(this.#hardness),
      byDatabase: record(this.#databases),
      byTeacher: record(this.#teachers),
      byRound: record(this.#rounds),
    };
  }
}

function count(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

function byName(left: readonly [string, number], right: readonly [string, number]): number {
  return left[0] < right[0] ? -1 : 1;
}

function record(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(byName));
}

/** The tables side by side and samples to read, as Markdown. */
export function qualityText(
  tables: Readonly<Record<string, QualityTable>>,
  samples: readonly SampleToRead[],
): string {
  const sets = Object.keys(tables);
  const lines = [
    "# Quality of the SFT set",
    "",
    `| | ${sets.join(" | ")} |`,
    `|---|${sets.map(() => "---:").join("|")}|`,
  ];
  const rows = new Map<string, string[]>();
  for (const [place, set] of sets.entries()) {
    for (const [name, value] of figures(tables[set] as QualityTable)) {
      const cells = rows.get(name) ?? sets.map(() => "");
      cells[place] = value;
      rows.set(name, cells);
    }
  }
  for (const [name, cells] of rows) lines.push(`| ${name} | ${cells.join(" | ")} |`);
  lines.push(
    "",
    "`before`: right rollouts of this round; `after`: the rows of the set, earlier rounds included.",
  );
  for (const { hardness, question, trajectory } of samples) {
    lines.push("", `## ${hardness}: ${question}`, "");
    for (const { role, origin, rawText } of trajectory.messages) {
      if (origin === "given") continue;
      lines.push(`**${role}**`, "", "~~~~", rawText, "~~~~", "");
    }
  }
  return `${lines.join("\n")}\n`;
}

function figures(table: QualityTable): [string, string][] {
  return [
    ["trajectories", String(table.trajectories)],
    ["questions", String(table.questions)],
    ...flat("tokens", table.tokens),
    ...flat("interactions", table.interactions),
    ...flat("calls of", table.tools),
    ["repair rate", String(table.repairRate)],
    ["duplicate actions", String(table.duplicateActions)],
    ...flat("hardness", table.byHardness),
    ...flat("database", table.byDatabase),
    ...flat("teacher", table.byTeacher),
    ...flat("round", table.byRound),
  ];
}

function flat(name: string, values: Readonly<Record<string, number>>): [string, string][] {
  return Object.entries(values).map(([key, value]) => [`${name} ${key}`, String(value)]);
}
