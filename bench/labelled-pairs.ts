import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AuditedExample } from "../core/audit.ts";
import { createPlugFinder } from "../pipelines/plugs.ts";
import { runGradus } from "../test/e2e/gradus-process.ts";

/** What is known of a labelled pair of question and SQL. */
export interface PairLabel {
  /** Whether the SQL is right. */
  readonly label: boolean;
  /** Kinds of its errors, as `Value-Related Errors`. */
  readonly types: readonly string[];
}

interface PublishedPair {
  readonly id: number;
  readonly question: string;
  readonly evidence: string;
  readonly db_id: string;
  readonly sql: string;
  readonly label: boolean;
  readonly error_types: readonly { readonly error_type: string }[];
}

/**
 * Audits NL2SQL-BUGs' pairs on the two databases that are at hand, by the built command line: written as a split of
 * BIRD, with the answers of the published systems to their questions as voters where asked for.
 */
export async function labelledPairs(
  shared: string,
  withVotes: boolean,
): Promise<{ labels: Map<string, PairLabel>; rows: AuditedExample[] }> {
  const data = path.join(shared, "data");
  const pairs = readJson(
    path.join(data, "corrections/nl2sql_bugs/superhero_student_club.json"),
  ) as PublishedPair[];
  const folder = mkdtempSync(path.join(tmpdir(), "gradus-pairs-"));
  try {
    const rows = pairs.map(({ id, db_id, question, evidence, sql }) => ({
      question_id: id,
      db_id,
      question,
      evidence,
      SQL: sql,
      difficulty: "simple",
    }));
    writeFileSync(path.join(folder, "dev.json"), JSON.stringify(rows));
    const votes = withVotes ? await writeVotes(data, folder, pairs) : [];
    const { status, stdout, stderr } = await runGradus([
      ..."audit list --dataset bird --split dev --workers 2 --json --root".split(" "),
      folder,
      "--databases",
      path.join(data, "bird/dev/dev_databases"),
      ...(votes.length === 0 ? [] : ["--predictions", ...votes]),
    ]);
    if (status !== 0) throw new Error(stderr);
    const { examples } = JSON.parse(stdout) as { examples: AuditedExample[] };
    const labels = pairs.map(({ id, label, error_types }): [string, PairLabel] => {
      const types = [...new Set(error_types.map((one) => one.error_type))];
      return [String(id), { label, types }];
    });
    return { labels: new Map(labels), rows: examples };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each system's answer to the question of each pair, in the order of the pairs. */
async function writeVotes(data: string, folder: string, pairs: readonly PublishedPair[]): Promise<string[]> {
  const dev = readJson(path.join(data, "bird/dev/dev.json")) as { db_id: string; question: string }[];
  const places = new Map(dev.map(({ db_id, question }, place) => [`${db_id} ${question.trim()}`, place]));
  mkdirSync(path.join(folder, "votes"));
  const plugs = createPlugFinder();
  const files: string[] = [];
  for (const name of readdirSync(path.join(data, "predictions/bird_dev")).sort()) {
    const format = await plugs.find("prediction-format", name.endsWith(".json") ? "bird-json" : "lines");
    const answers: string[] = [];
    for await (const row of format.read(path.join(data, "predictions/bird_dev", name))) {
      answers[row.key === null ? row.position : Number(row.key)] = row.sql ?? "";
    }
    const voted = pairs.map(({ db_id, question }, place) => {
      const answer = answers[places.get(`${db_id} ${question.trim()}`) ?? -1] ?? "";
      return [String(place), answer] as const;
    });
    const file = path.join(folder, "votes", `${path.parse(name).name}.json`);
    writeFileSync(file, JSON.stringify(Object.fromEntries(voted)));
    files.push(file);
  }
  return files;
}

/** How many of some pairs are labelled right and wrong. */
export function rightAndWrong(
  labels: ReadonlyMap<string, PairLabel>,
  ids: ReadonlySet<string>,
): { readonly right: number; readonly wrong: number } {
  const right = [...ids].filter((id) => labels.get(id)?.label === true).length;
  return { right, wrong: ids.size - right };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
