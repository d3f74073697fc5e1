import { GradusError } from "../core/errors.ts";
import type { Reject } from "../core/reject.ts";
import type { ToolSchema } from "../core/model.ts";
import type { ShardFile } from "../core/rows.ts";
import type {
  Exporter,
  ExportRow,
  PromptSource,
  ShardCells,
  ShardContent,
  ShardFacts,
  ShardForm,
} from "../core/shard.ts";
import type { Rows, StageContext } from "../core/stage.ts";
import type { Message } from "../core/trajectory.ts";
import { shardRowProblem } from "../io/shard-row.ts";

type Split = ShardFile["split"];

/** A shard file that has no name yet. `stage`: its place in the curriculum, 0 where that is not asked for. */
export interface Part {
  readonly split: Split;
  readonly stage: number;
  readonly file: string;
  readonly rows: number;
  readonly sourceRows: number;
}

/** The rows that stand for one source row. */
interface ShardRow {
  readonly split: Split;
  readonly stage: number;
  readonly cells: readonly ShardCells[];
}

/** What an exporter knows beforehand, from a pass over the rows; `null` for an exporter that needs none. */
export async function readFacts(rows: Rows<ExportRow> | null, datasetName: string): Promise<ShardFacts> {
  const names = new Set<string>();
  const tools = new Map<string, ToolSchema>();
  if (rows !== null) {
    for await (const row of rows()) {
      for (const name of row.toolNames) names.add(name);
      for (const tool of row.tools) if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
  }
  return { toolNames: [...names], tools: [...tools.values()], datasetName };
}

/** How source rows become rows of a shard. */
export interface ShardRowsSetup {
  readonly exporter: Exporter;
  readonly form: ShardForm;
  readonly context: StageContext;
  readonly staged: boolean;
}

/** The rows that the exporter takes, in order, one ahead; what it refuses gathers as rejects. */
export class ShardRows {
  readonly counts = {
    train: { rows: 0, simulated: 0, refused: 0 },
    validation: { rows: 0, simulated: 0, refused: 0 },
  };
  /** Source rows by where their prompt comes from. */
  readonly prompts: Record<PromptSource, number> = { rollouts: 0, rollouts_differ: 0, no_rollout: 0 };
  /** Source rows of the last file. */
  lastTaken = 0;
  readonly #rows: AsyncIterator<ExportRow>;
  readonly #setup: ShardRowsSetup;
  readonly #longest = { promptBytes: 0, rowBytes: 0, turns: 0 };
  readonly #scaffolds = new Set<string>();
  #index = { train: 0, validation: 0 };
  #split: Split = "train";
  #level: number | null | undefined = undefined;
  #stage = -1;
  #ahead: ShardRow | null = null;
  #rejects: Reject[] = [];
  #firstRefusal = "";

  constructor(rows: AsyncIterable<ExportRow>, setup: ShardRowsSetup) {
    this.#rows = rows[Symbol.asyncIterator]();
    this.#setup = setup;
  }

  /** What the first refused row was refused for; empty when none was. */
  get firstRefusal(): string {
    return this.#firstRefusal;
  }

  /** What was written, as far as files beside the shards need it. */
  content(): Pick<ShardContent, "rows" | "longest" | "scaffolds"> {
    const { train, validation } = this.counts;
    const rows = { train: train.rows, validation: validation.rows };
    return { rows, longest: { ...this.#longest }, scaffolds: [...this.#scaffolds].sort() };
  }

  /** The next row without taking it; `null` at the end. */
  async peek(): Promise<ShardRow | null> {
    while (this.#ahead === null) {
      this.#setup.context.signal.throwIfAborted();
      const next = await this.#rows.next();
      if (next.done === true) return null;
      this.#ahead = this.#convert(next.value);
    }
    return this.#ahead;
  }

  /** Takes the next rows as long as they go with `first`, at most `limit` source rows. */
  async *take(first: Pick<ShardRow, "split" | "stage">, limit: number): AsyncGenerator<ShardCells> {
    this.lastTaken = 0;
    while (this.lastTaken < limit) {
      const next = await this.peek();
      if (next === null || next.split !== first.split || next.stage !== first.stage) return;
      this.#ahead = null;
      this.lastTaken += 1;
      yield* next.cells;
    }
  }

  /** The rejects since the last call. */
  takeRejects(): readonly Reject[] {
    const rejects = this.#rejects;
    this.#rejects = [];
    return rejects;
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }

  #convert(row: ExportRow): ShardRow | null {
    if (row.split === "train" && this.#split === "validation") throw orderBroken(row);
    const isNewSplit = row.split !== this.#split;
    this.#split = row.split;
    const counts = this.counts[row.split];
    const outcome = shardCells({ ...row, index: this.#index[row.split] }, this.#setup);
    if ("refusal" in outcome) {
      counts.refused += 1;
      if (this.#firstRefusal === "") this.#firstRefusal = outcome.refusal;
      const rowId = row.trajectory?.id ?? row.example.id;
      this.#rejects.push({ rowId, code: "EXPORT_ROW_UNSUPPORTED", message: outcome.refusal });
      return null;
    }
    this.#index[row.split] += 1;
    counts.rows += outcome.cells.length;
    if (row.simulated) counts.simulated += outcome.cells.length;
    this.#measure(row);
    this.#setup.context.progress(this.counts.train.rows + this.counts.validation.rows);
    return { split: row.split, stage: this.#stageOf(row, isNewSplit), cells: outcome.cells };
  }

  #stageOf({ level }: ExportRow, isNewSplit: boolean): number {
    if (!this.#setup.staged) return 0;
    if (isNewSplit) this.#stage = -1;
    if (isNewSplit || level !== this.#level) this.#stage += 1;
    this.#level = level;
    return this.#stage;
  }

  #measure(row: ExportRow): void {
    this.prompts[row.promptFrom] += 1;
    if (row.scaffold !== null) this.#scaffolds.add(row.scaffold.id);
    const tools = row.tools.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(row.tools));
    const said = row.trajectory?.messages ?? [];
    const holdsPrompt = said[0]?.origin === "given";
    const opening = holdsPrompt ? said.filter(({ origin }) => origin === "given") : row.prompt;
    const promptBytes = tools + bytesOf(opening);
    const rest = holdsPrompt ? said.filter(({ origin }) => origin !== "given") : said;
    const longest = this.#longest;
    longest.promptBytes = Math.max(longest.promptBytes, promptBytes);
    longest.rowBytes = Math.max(longest.rowBytes, promptBytes + bytesOf(rest));
    longest.turns = Math.max(longest.turns, rest.filter(({ role }) => role === "assistant").length);
  }
}

function bytesOf(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, { rawText, toolCalls }) =>
      sum +
      Buffer.byteLength(rawText) +
      toolCalls.reduce((calls, { name, argumentsRaw }) => calls + Buffer.byteLength(name + argumentsRaw), 0),
    0,
  );
}

function shardCells(
  row: ExportRow,
  { exporter, form }: ShardRowsSetup,
): { readonly cells: readonly ShardCells[] } | { readonly refusal: string } {
  try {
    const cells = form.rows(row);
    const shape = exporter.format === "parquet" ? "closed" : "open";
    for (const cell of cells) {
      const problem = shardRowProblem(cell, form.columns, shape);
      if (problem !== null) return { refusal: `cannot write the row: ${problem}` };
    }
    if (cells.length === 0) return { refusal: "cannot write the row: nothing of it is to be learned" };
    return { cells };
  } catch (thrown) {
    if (thrown instanceof GradusError && thrown.code === "EXPORT_ROW_UNSUPPORTED") {
      return { refusal: thrown.message };
    }
    throw thrown;
  }
}

function orderBroken(row: ExportRow): GradusError {
  return new GradusError(
    "STAGE_ORDER_BROKEN",
    `row ${row.index} of train comes after a row of validation, expected all train rows first`,
    { site: { stage: "export", rowId: row.example.id }, hint: "order the rows by split, then by index" },
  );
}
