import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Example } from "../../../core/example.ts";
import type { Decision } from "../../../pipelines/audit/decision.ts";
import type { ReviewedFinding } from "../../../pipelines/audit/finding-file.ts";
import { Review } from "../../../pipelines/audit/review.ts";
import { createPlugFinder } from "../../../pipelines/plugs.ts";
import { BAKERY_TABLES } from "../../datasets/dataset-fixtures.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Questions of a bakery in Spider's layout, and where its review keeps its files. */
export interface ReviewPlace {
  readonly folder: string;
  readonly source: { readonly root: string; readonly split: string; readonly release: string | null };
  readonly files: { readonly decisions: string; readonly corrections: string };
  /** Options of every `gradus audit` command that reviews it. */
  readonly options: readonly string[];
  open(): Promise<Review>;
  /** A file of the folder, as text. */
  text(name: string): Promise<string>;
}

export const QUESTIONS = [
  { db_id: "bakery", question: "How many loaves?", query: "SELECT count(*) FROM loaf" },
  { db_id: "bakery", question: "Which loaves?", query: "SELECT name FROM loaf" },
];

export async function reviewPlace(
  findings: readonly unknown[] = [],
  questions: readonly unknown[] = QUESTIONS,
): Promise<ReviewPlace> {
  const folder = await temporaryFolder({
    "bakers/dev.json": JSON.stringify(questions),
    "bakers/tables.json": JSON.stringify([BAKERY_TABLES]),
    "findings.jsonl": findings.map((finding) => `${JSON.stringify(finding)}\n`).join(""),
  });
  const at = (name: string): string => path.join(folder, name);
  const source = { root: at("bakers"), split: "dev", release: null };
  const files = { decisions: at("decisions.jsonl"), corrections: at("corrections.jsonl") };
  const loader = await createPlugFinder().find("loader", "spider");
  return {
    folder,
    source,
    files,
    options: [
      "--dataset=spider",
      `--root=${source.root}`,
      "--split=dev",
      `--findings=${at("findings.jsonl")}`,
      `--decisions=${files.decisions}`,
      `--corrections=${files.corrections}`,
    ],
    open: () => Review.open(loader, source, files),
    text: (name) => readFile(at(name), "utf8"),
  };
}

/** A finding of a question that suggests another gold. */
export function findingOf(
  { id, dataset, sourceId }: Example,
  changes: Partial<ReviewedFinding> = {},
): ReviewedFinding {
  return {
    exampleId: id,
    dataset: dataset.name,
    split: dataset.split,
    sourceId,
    check: "missing-distinct",
    kind: "distinct",
    severity: "warning",
    confidence: 0.75,
    message: "two loaves share a name",
    evidence: { rows: 3 },
    suggestion: { field: "gold", after: "SELECT count(DISTINCT name) FROM loaf" },
    ...changes,
  };
}

/** A decision of question 0 that corrects nothing. */
export function rejection(changes: Partial<Decision> = {}): Decision {
  return {
    dataset: "spider",
    split: "dev",
    sourceId: "0",
    exampleId: "0".repeat(32),
    check: "missing-distinct",
    decision: "rejected",
    kind: "distinct",
    reason: "it is right",
    author: "ann",
    time: "2026-01-31T12:00:00Z",
    corrections: [],
    ...changes,
  };
}

export const BY = { author: "ann", time: "2026-01-31T12:00:00Z" };
