import { GradusError } from "../core/errors.ts";
import type { Example } from "../core/example.ts";
import type { PredictionRow } from "../core/prediction-format.ts";
import type { Message } from "../core/trajectory.ts";
import type { RowSpool } from "../io/row-spool.ts";
import { withoutSeparators } from "./dialogue-separators.ts";

/** An answer of a file, as plain JSON. */
export interface ImportedAnswer {
  /** 0-based position among the file's predictions. */
  readonly position: number;
  readonly sql: string | null;
  readonly rawText: string | null;
  readonly messages: readonly Message[] | null;
}

/** Which answer of a file is which sample of an example. */
export interface AnswerPlace {
  /** 0-based among the answers of this file to this example. */
  readonly sampleIndex: number;
  /** The answer's number in the file's spool. */
  readonly number: number;
}

/** A file joined to the examples. */
export interface JoinedFile {
  /** By the example's place, sorted by sample index; `undefined` where a partial file has none. */
  readonly answers: readonly (readonly AnswerPlace[] | undefined)[];
  /** One more than the highest sample index. */
  readonly samples: number;
}

/** The examples of a dataset as a join needs them: place by key, and what must agree. */
export class ExampleIndex {
  readonly #sourceIds: string[] = [];
  readonly #databaseIds: string[] = [];
  readonly #questions: string[] = [];
  readonly #byName = new Map<string, number>();
  readonly #repeated = new Map<string, number[]>();
  readonly #turns: number[] = [];
  #dialogue: string | null = null;
  readonly #databases: ReadonlySet<string>;

  /** `databases`: the ids of every database of the dataset. */
  constructor(databases: ReadonlySet<string>) {
    this.#databases = databases;
  }

  /** Adds the next example of the dataset. */
  add(example: Example): void {
    const place = this.#sourceIds.length;
    this.#sourceIds.push(example.sourceId);
    this.#databaseIds.push(example.databaseId);
    this.#questions.push(example.question.trim());
    this.#addTurn(example.dialogue?.id ?? null);
    this.#byName.set(example.id, place);
    const earlier = this.#byName.get(example.sourceId);
    if (earlier === undefined) {
      this.#byName.set(example.sourceId, place);
      return;
    }
    const places = this.#repeated.get(example.sourceId);
    if (places === undefined) this.#repeated.set(example.sourceId, [earlier, place]);
    else places.push(place);
  }

  get size(): number {
    return this.#sourceIds.length;
  }

  /** How many examples each dialogue has, in order; empty where any example is outside one. */
  get turns(): readonly number[] {
    return this.#turns.includes(0) ? [] : this.#turns;
  }

  #addTurn(dialogue: string | null): void {
    if (dialogue === null) this.#turns.push(0);
    else if (dialogue === this.#dialogue) this.#turns.push((this.#turns.pop() ?? 0) + 1);
    else this.#turns.push(1);
    this.#dialogue = dialogue;
  }

  sourceId(place: number): string {
    return this.#sourceIds[place] ?? "";
  }

  databaseId(place: number): string {
    return this.#databaseIds[place] ?? "";
  }

  hasDatabase(databaseId: string): boolean {
    return this.#databases.has(databaseId);
  }

  question(place: number): string {
    return this.#questions[place] ?? "";
  }

  /** Places of the examples that a key may mean: none, one, or those that share a published id. */
  places(row: PredictionRow): readonly number[] {
    if (row.key === null) return row.position < this.size ? [row.position] : [];
    if (row.keyKind === "position") {
      const place = Number(row.key);
      return Number.isSafeInteger(place) && place >= 0 && place < this.size ? [place] : [];
    }
    const repeated = this.#repeated.get(row.key);
    if (repeated !== undefined) {
      const question = row.question?.trim();
      return repeated.filter((place) => question === undefined || this.question(place) === question);
    }
    const place = this.#byName.get(row.key);
    return place === undefined ? [] : [place];
  }
}

/** A file to join, by the name it has in messages. */
export interface PredictionFile {
  readonly name: string;
  /** Whether examples may stay without an answer. */
  readonly partial: boolean;
  readonly rows: AsyncIterable<PredictionRow>;
  /** Where the answers go: memory holds their numbers only. */
  readonly spool: RowSpool<ImportedAnswer>;
}

/**
 * Joins the rows of one file to the examples, by key where the file has keys, else by position; blank lines between
 * dialogues are then passed over, as {@link withoutSeparators} finds them.
 * @throws IMPORT_COUNT_MISMATCH, IMPORT_KEY_MISSING, IMPORT_KEY_EXTRA, IMPORT_KEY_DUPLICATE,
 * IMPORT_KEY_AMBIGUOUS, IMPORT_KEYS_MIXED, IMPORT_DATABASE_MISMATCH, IMPORT_QUESTION_MISMATCH, DISK_FULL, FILE_FAILED.
 */
export async function joinPredictions(index: ExampleIndex, file: PredictionFile): Promise<JoinedFile> {
  const join = new Join(index, file);
  for await (const row of withoutSeparators(file.rows, index.turns)) await join.add(row);
  return join.finish();
}

class Join {
  readonly #index: ExampleIndex;
  readonly #file: PredictionFile;
  readonly #answers: (AnswerPlace[] | undefined)[];
  #first: PredictionRow | null = null;
  #rows = 0;
  #samples = 0;
  /** The first disagreement of a file without keys: told only when its count is right. */
  #disagreement: GradusError | null = null;

  constructor(index: ExampleIndex, file: PredictionFile) {
    this.#index = index;
    this.#file = file;
    this.#answers = Array.from({ length: index.size });
  }

  async add(row: PredictionRow): Promise<void> {
    this.#first ??= row;
    this.#rows += 1;
    if ((row.key === null) !== (this.#first.key === null)) {
      const message = `prediction ${row.position} ${row.key === null ? "has no key" : `has the key ${row.key}`}, unlike those before it`;
      throw this.#error("IMPORT_KEYS_MIXED", message, "give every prediction its key, or none");
    }
    const [place, ...others] = this.#index.places(row);
    if (others.length > 0) throw this.#ambiguous(row, [place ?? 0, ...others]);
    if (place !== undefined) await this.#take(row, place);
    else if (row.key !== null) throw this.#extra(row.key);
  }

  finish(): JoinedFile {
    if (this.#first === null || this.#first.key === null) this.#checkCount();
    else this.#checkKeys(this.#first.keyKind);
    for (const answers of this.#answers) {
      answers?.sort((left, right) => left.sampleIndex - right.sampleIndex);
    }
    return { answers: this.#answers, samples: this.#samples };
  }

  async #take(row: PredictionRow, place: number): Promise<void> {
    const disagreement = this.#disagreementOf(row, place);
    if (disagreement !== null) {
      if (row.key !== null) throw disagreement;
      this.#disagreement ??= disagreement;
    }
    const answers = this.#answers[place] ?? [];
    const sampleIndex = row.sampleIndex ?? answers.length;
    if (answers.some((answer) => answer.sampleIndex === sampleIndex)) {
      const message = `the key ${row.key} comes twice${sampleIndex === 0 ? "" : ` with sample_index ${sampleIndex}`}, expected once`;
      throw this.#error("IMPORT_KEY_DUPLICATE", message, "keep one of the two, or number them as samples");
    }
    const { position, sql, rawText, messages } = row;
    answers.push({ sampleIndex, number: await this.#file.spool.add({ position, sql, rawText, messages }) });
    this.#answers[place] = answers;
    this.#samples = Math.max(this.#samples, sampleIndex + 1);
  }

  #disagreementOf(row: PredictionRow, place: number): GradusError | null {
    const where = row.key === null ? `position ${row.position}` : `key ${row.key}`;
    const databaseId = row.databaseId?.trim() ?? "";
    const hint = "the file answers another dataset, split or order: check which one it was made for";
    if (databaseId !== "" && databaseId !== this.#index.databaseId(place)) {
      const message = `at ${where} the database is ${JSON.stringify(databaseId)}, expected ${JSON.stringify(this.#index.databaseId(place))}`;
      const isKnown = this.#index.hasDatabase(databaseId);
      const noSuch = `the dataset has no database ${JSON.stringify(databaseId)}: the file answers another one`;
      return this.#error("IMPORT_DATABASE_MISMATCH", message, isKnown ? hint : noSuch);
    }
    const question = row.question?.trim() ?? "";
    if (question !== "" && question !== this.#index.question(place)) {
      const message = `at ${where} the question is ${JSON.stringify(question)}, expected ${JSON.stringify(this.#index.question(place))}`;
      return this.#error("IMPORT_QUESTION_MISMATCH", message, hint);
    }
    return null;
  }

  #checkCount(): void {
    const isShort = this.#file.partial && this.#rows < this.#index.size;
    if (this.#rows !== this.#index.size && !isShort) {
      const message = `it has ${this.#rows} predictions, expected ${this.#index.size}, one for each example`;
      const hint =
        "a blank line is an empty answer; `partial` accepts fewer; a dataset cut by `limit` needs a file cut alike";
      throw this.#error("IMPORT_COUNT_MISMATCH", message, hint);
    }
    if (this.#disagreement !== null) throw this.#disagreement;
  }

  #checkKeys(keyKind: PredictionRow["keyKind"]): void {
    if (this.#file.partial) return;
    const missing = this.#answers.findIndex((answers) => answers === undefined);
    if (missing === -1) return;
    const count = this.#answers.reduce((sum, answers) => sum + (answers === undefined ? 1 : 0), 0);
    const key = keyKind === "position" ? String(missing) : this.#index.sourceId(missing);
    const message = `the key ${key} is missing${count === 1 ? "" : `, and ${count - 1} more`}, expected one for each of ${this.#index.size} examples`;
    throw this.#error(
      "IMPORT_KEY_MISSING",
      message,
      "`partial: true` accepts a file that leaves examples out",
    );
  }

  #extra(key: string): GradusError {
    const message = `no example has the key ${JSON.stringify(key)}, expected one of the ${this.#index.size} examples`;
    return this.#error("IMPORT_KEY_EXTRA", message, "check which dataset and split the file answers");
  }

  #ambiguous(row: PredictionRow, places: readonly number[]): GradusError {
    const message = `the key ${row.key} names the examples at ${places.join(" and ")}, expected one`;
    return this.#error(
      "IMPORT_KEY_AMBIGUOUS",
      message,
      "add `question`, or use `index`, the question's 0-based place",
    );
  }

  #error(code: string, message: string, hint: string): GradusError {
    return new GradusError(code, `cannot import ${this.#file.name}: ${message}`, {
      site: { stage: "import-predictions", file: this.#file.name },
      hint,
    });
  }
}
