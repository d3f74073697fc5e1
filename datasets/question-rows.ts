import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import type { ExampleContent } from "../core/example.ts";
import type { LoadedRow, SourceFile } from "../core/loader.ts";
import { type JsonRow, readJsonRows } from "../io/json-array.ts";
import { ExampleBuilder } from "./example-builder.ts";
import { requireFiles } from "./source-files.ts";

/** Text with something in it. */
export const Written = z.string().regex(/\S/, "expected text, got only white space");

/** What one row of a questions file says, before it has an identity. */
export type RowContent = Pick<ExampleContent, "sourceId" | "databaseId" | "question" | "gold"> &
  Partial<Omit<ExampleContent, "dataset" | "sourceId" | "databaseId" | "question" | "gold">>;

/** A questions file and how its rows are read. */
export interface QuestionFile<T> {
  readonly root: string;
  readonly file: SourceFile;
  readonly dataset: ExampleContent["dataset"];
  /** Unknown members are passed over; a row that does not fit is a reject. */
  readonly row: z.ZodType<T>;
  /** The examples of a row (a dialogue has many) or why parts of it are none. */
  readonly convert: (row: T, index: number, place: string) => Iterable<RowContent | RowProblem>;
}

/** Why a part of a row is no example; `rowId` is its place. */
export interface RowProblem {
  readonly rowId: string;
  readonly problem: string;
}

/**
 * The rows of a questions file, in file order, in bounded memory.
 * @throws DATASET_FILE_MISSING, DATASET_FILE_MALFORMED. A row that does not fit is a ROW_INVALID reject.
 */
export async function* readQuestions<T>(spec: QuestionFile<T>): AsyncGenerator<LoadedRow> {
  await requireFiles(spec.root, [spec.file]);
  const builder = new ExampleBuilder();
  for await (const { value, index } of readDatasetRows(spec.file)) {
    const place = `${spec.file.name}[${index}]`;
    const parsed = spec.row.safeParse(value);
    if (!parsed.success) {
      yield rejected({ rowId: place, problem: problemsOf(parsed.error) });
      continue;
    }
    for (const content of spec.convert(parsed.data, index, place)) {
      if ("problem" in content) yield rejected(content);
      else
        yield { kind: "example", example: builder.build({ ...absent(), dataset: spec.dataset, ...content }) };
    }
  }
}

/**
 * The rows of a dataset's JSON file as they are.
 * @throws DATASET_FILE_MALFORMED for a file that is cut off or is not JSON.
 */
export async function* readDatasetRows(file: SourceFile): AsyncGenerator<JsonRow> {
  try {
    yield* readJsonRows(file.path);
  } catch (thrown) {
    throw asDatasetError(file, thrown);
  }
}

function asDatasetError(file: SourceFile, thrown: unknown): unknown {
  if (!(thrown instanceof GradusError) || !/^JSONL?_MALFORMED$/.test(thrown.code)) return thrown;
  return new GradusError("DATASET_FILE_MALFORMED", thrown.message, {
    site: { ...thrown.site, file: file.name },
    ...(thrown.hint === undefined ? {} : { hint: thrown.hint }),
    cause: thrown,
  });
}

function absent(): Pick<
  ExampleContent,
  "evidence" | "history" | "dialogue" | "difficulty" | "paraphraseOf" | "referenceReasoning"
> {
  return {
    evidence: null,
    history: [],
    dialogue: null,
    difficulty: null,
    paraphraseOf: null,
    referenceReasoning: null,
  };
}

function rejected(problem: RowProblem): LoadedRow {
  return {
    kind: "reject",
    reject: { rowId: problem.rowId, code: "ROW_INVALID", message: problem.problem },
  };
}

/** What does not fit, in one line: `query: expected string, received number`. */
export function problemsOf(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const where = issue.path.join(".");
      const what = issue.message.replace(/^Invalid input: /, "");
      return where === "" ? what : `${where}: ${what}`;
    })
    .join("; ");
}
