import { sameQuery } from "../../synth/same-query.ts";
import type { ReleaseRow } from "./release-fields.ts";

/** A part of a question that a release changed. */
export type ChangedField = "gold" | "question" | "evidence" | "database";

/** One question in two releases. */
export interface MatchedRows {
  readonly before: ReleaseRow | null;
  readonly after: ReleaseRow | null;
}

/**
 * Pairs the questions of two releases: by id where both have one, else by question and database, else by gold and
 * database, else by place where both have the same number of rows. In the order of `before`, what was added last.
 */
export function matchReleases(before: readonly ReleaseRow[], after: readonly ReleaseRow[]): MatchedRows[] {
  const partners = new Map<ReleaseRow, ReleaseRow>();
  const taken = new Set<ReleaseRow>();
  const passes: ((row: ReleaseRow) => string | null)[] = [
    (row) => row.id,
    (row) => keyOf(row.databaseId, row.question),
    (row) => keyOf(null, row.question),
    (row) => (row.gold === null ? null : keyOf(row.databaseId, row.gold.join("\n"))),
  ];
  if (before.length === after.length) passes.push((row) => keyOf(row.databaseId, String(row.position)));
  for (const key of passes) {
    const waiting = new Map<string, ReleaseRow[]>();
    for (const row of after) {
      const name = taken.has(row) ? null : key(row);
      if (name !== null) waiting.set(name, [...(waiting.get(name) ?? []), row]);
    }
    for (const row of before) {
      const name = partners.has(row) ? null : key(row);
      const partner = name === null ? undefined : fitting(waiting.get(name) ?? [], row);
      if (partner === undefined) continue;
      partners.set(row, partner);
      taken.add(partner);
      waiting.set(
        name as string,
        (waiting.get(name as string) ?? []).filter((other) => other !== partner),
      );
    }
  }
  const added = after.filter((row) => !taken.has(row)).map((row) => ({ before: null, after: row }));
  return [...before.map((row) => ({ before: row, after: partners.get(row) ?? null })), ...added];
}

/** The first row that can be the same question: two different ids never are. */
function fitting(rows: readonly ReleaseRow[], row: ReleaseRow): ReleaseRow | undefined {
  return rows.find((other) => other.id === null || row.id === null || other.id === row.id);
}

function keyOf(databaseId: string | null, text: string): string {
  return JSON.stringify([databaseId, text]);
}

/** What differs, byte for byte; a column that one side lacks is not compared, and no evidence is empty evidence. */
export function changedFields({ before, after }: MatchedRows): ChangedField[] {
  if (before === null || after === null) return [];
  const fields: ChangedField[] = [];
  if (before.gold !== null && after.gold !== null && !sameTexts(before.gold, after.gold)) fields.push("gold");
  if (before.question !== after.question) fields.push("question");
  if (before.evidence !== null && after.evidence !== null && before.evidence !== after.evidence)
    fields.push("evidence");
  if (before.databaseId !== null && after.databaseId !== null && before.databaseId !== after.databaseId)
    fields.push("database");
  return fields;
}

/**
 * The changed fields whose text says the same: white space apart, and for SQL also comments, the case of names and
 * keywords, and a closing semicolon.
 */
export function unchangedInSubstance(
  { before, after }: MatchedRows,
  fields: readonly ChangedField[],
): ChangedField[] {
  if (before === null || after === null) return [];
  return fields.filter((field) => {
    if (field === "gold") {
      const [old, fresh] = [before.gold ?? [], after.gold ?? []];
      return old.length === fresh.length && old.every((sql, index) => sameQuery(sql, fresh[index] ?? ""));
    }
    if (field === "question") return plain(before.question) === plain(after.question);
    return field === "evidence" && plain(before.evidence ?? "") === plain(after.evidence ?? "");
  });
}

function plain(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
