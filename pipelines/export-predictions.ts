import path from "node:path";
import { Example } from "../core/example.ts";
import { Trajectory } from "../core/trajectory.ts";
import { mergeByExample } from "../curation/merge-by-example.ts";
import { makeFolder } from "../io/files.ts";
import { LineWriter } from "../io/line-writer.ts";
import { tokenize } from "../sql/lexer.ts";
import type { EvaluatedParts } from "./evaluation-run.ts";

/** The forms in which official scripts read predictions. */
export const PREDICTION_FORMS = ["bird-json", "spider-text"] as const;
export type PredictionForm = (typeof PREDICTION_FORMS)[number];

/**
 * Stands for no answer in a line: a blank one would end an interaction. It is no SQL, so that scripts give it 0.
 */
const NO_ANSWER = "no answer";

const ENDINGS: Readonly<Record<PredictionForm, string>> = { "bird-json": "json", "spider-text": "txt" };

/**
 * Writes the answers of every system as official scripts read them, a file for each of its runs; their paths in order.
 * `bird-json` has a query for each question by its place, with the database behind BIRD's separator; `spider-text` has
 * a line a question, and a blank line between dialogues, white space and comments of a query being one space.
 * @throws DISK_FULL, FILE_FORBIDDEN, FILE_FAILED.
 */
export async function exportPredictions(
  parts: EvaluatedParts,
  folder: string,
  form: PredictionForm,
): Promise<string[]> {
  await makeFolder(folder);
  const written: string[] = [];
  for (const { name, link } of parts.trajectories) {
    const artifact = parts.result.artifacts.get(link.step);
    const loaded = parts.result.artifacts.get(parts.examples.step);
    if (artifact === undefined || loaded === undefined) continue;
    const rows = {
      examples: () => parts.store.rows(loaded, parts.examples.port, Example),
      trajectories: () => parts.store.rows(artifact, link.port, Trajectory),
    };
    const runs = await runsOf(rows.trajectories(), name);
    const files = new Map<string, PredictionFile>();
    for (const [key, title] of runs) {
      const file = path.join(folder, `${title}.${ENDINGS[form]}`);
      files.set(key, form === "bird-json" ? await BirdJson.open(file) : await SpiderText.open(file));
      written.push(file);
    }
    const merged = mergeByExample(rows.examples, (example) => example.id, {
      trajectories: rows.trajectories,
    });
    for await (const { leader, position, rows: found } of merged) {
      const answers = new Map(found.trajectories.map((row) => [runKeyOf(row), row.finalSql]));
      for (const [key, file] of files) await file.add(leader, position, answers.get(key) ?? null);
    }
    for (const file of files.values()) await file.finish();
  }
  return written;
}

/** A file of predictions on its way. */
interface PredictionFile {
  add(example: Example, position: number, sql: string | null): Promise<void>;
  finish(): Promise<void>;
}

class BirdJson implements PredictionFile {
  readonly #lines: LineWriter;
  #last: string | null = null;

  private constructor(lines: LineWriter) {
    this.#lines = lines;
  }

  static async open(file: string): Promise<BirdJson> {
    const lines = await LineWriter.open(file);
    await lines.add("{");
    return new BirdJson(lines);
  }

  async add({ databaseId }: Example, position: number, sql: string | null): Promise<void> {
    if (this.#last !== null) await this.#lines.add(`${this.#last},`);
    const text = `${sql ?? ""}\t----- bird -----\t${databaseId}`;
    this.#last = `  ${JSON.stringify(String(position))}: ${JSON.stringify(text)}`;
  }

  async finish(): Promise<void> {
    if (this.#last !== null) await this.#lines.add(this.#last);
    await this.#lines.add("}");
    await this.#lines.finish();
  }
}

class SpiderText implements PredictionFile {
  readonly #lines: LineWriter;
  #dialogue: string | null = null;

  private constructor(lines: LineWriter) {
    this.#lines = lines;
  }

  static async open(file: string): Promise<SpiderText> {
    return new SpiderText(await LineWriter.open(file));
  }

  async add({ dialogue }: Example, position: number, sql: string | null): Promise<void> {
    const id = dialogue?.id ?? null;
    if (position > 0 && id !== this.#dialogue) await this.#lines.add("");
    this.#dialogue = id;
    await this.#lines.add(oneLine(sql ?? "") || NO_ANSWER);
  }

  async finish(): Promise<void> {
    await this.#lines.finish();
  }
}

/** A query in one line: stretches of white space and comments as one space, also within literals. */
export function oneLine(sql: string): string {
  return tokenize(sql)
    .map(({ kind, text }) =>
      kind === "space" || kind === "comment"
        ? " "
        : text.replaceAll(/[\s\u2028\u2029]+/gu, (gap) => flat(gap)),
    )
    .join("")
    .replaceAll(/ {2,}(?=[^']*(?:'[^']*'[^']*)*$)/g, " ")
    .trim();
}

/** White space inside a literal or a name stays as it is unless it would break the line or its columns. */
function flat(gap: string): string {
  return gap.replaceAll(/[^ ]/gu, " ");
}

function runKeyOf({ model, round, sampleIndex }: Trajectory): string {
  return JSON.stringify([model.name, model.revision, round, sampleIndex]);
}

/** The runs of a step's answers by key, with a file name that says whose they are. */
async function runsOf(
  trajectories: AsyncIterable<Trajectory>,
  name: string | null,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, { readonly title: string; readonly index: number }>();
  for await (const row of trajectories) {
    const title = (name ?? path.parse(row.model.name).name).replaceAll(/[^\p{L}\p{N}._+-]+/gu, "-");
    if (!found.has(runKeyOf(row))) found.set(runKeyOf(row), { title, index: row.sampleIndex });
  }
  const single = [...found.values()].every(({ index }) => index === 0);
  return new Map(
    [...found].map(([key, { title, index }]) => [key, single ? title : `${title}.${index}`] as const),
  );
}
