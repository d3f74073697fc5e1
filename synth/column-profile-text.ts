import type { ForeignKey } from "../core/database.ts";
import type { ColumnProfile, InferredForeignKey } from "../core/database-profile.ts";
import { literalText } from "./literal-text.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";
import { shareOf, storedAs } from "./profile-objects.ts";
import type { ProfiledColumn } from "./profiled-schema.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";
import { isSameName } from "./schema-lookup.ts";

/** A column that was read, with the keys of its database. */
export interface ColumnFacts extends ProfiledColumn {
  readonly profile: ColumnProfile;
  readonly table: string;
  readonly rows: number;
  readonly keys: {
    readonly declared: readonly ForeignKey[];
    readonly inferred: readonly InferredForeignKey[];
  };
}

/** How much of a column is shown. */
export interface ColumnTextLimits {
  readonly maxSamples: number;
  /** Of a name, a type or a value; a longer one ends in `…`. */
  readonly maxCellCharacters: number;
  readonly maxDescriptionCharacters: number;
}

const MAX_KEYS = 10;

/**
 * What is known of a column, a line for each fact: `column`, `type`, `description`, `primary key`, `references`
 * and `referenced by` (with `declared`, or `inferred` and the share of values that are contained), `rows`,
 * `NULL`, `distinct`, `stored as`, `smallest`, `largest`, `most frequent`. Lines without anything to say are
 * left out; values are SQL literals, those of a column without text or blobs without quotes.
 */
export function columnProfileText(facts: ColumnFacts, limits: ColumnTextLimits): string {
  const { schema, profile, description, table, rows } = facts;
  const name = (text: string): string => oneLineText(shortenText(text, limits.maxCellCharacters));
  const value = (cell: Parameters<typeof literalText>[0]): string =>
    literalText(cell, limits.maxCellCharacters);
  const isTextual = profile.stored.text + profile.stored.blob > 0;
  const samples = profile.samples.slice(0, limits.maxSamples);
  const lines: readonly (readonly [string, string])[] = [
    ["column", `${name(table)}.${name(schema.name)}`],
    ["type", name(schema.type)],
    ["description", oneLineText(shortenText(description, limits.maxDescriptionCharacters))],
    ["primary key", schema.primaryKey === 0 ? "" : `part ${schema.primaryKey}`],
    ["references", keyTexts(facts, "to", name)],
    ["referenced by", keyTexts(facts, "from", name)],
    ["rows", String(rows)],
    ["NULL", `${profile.stored.null} (${percent(shareOf(profile.stored.null, rows))})`],
    ["distinct", String(profile.distinct)],
    [
      "stored as",
      storedAs(profile)
        .map(([type, count]) => `${count} ${type}`)
        .join(", "),
    ],
    ["smallest", profile.minimum === null ? "" : value(profile.minimum)],
    ["largest", profile.maximum === null ? "" : value(profile.maximum)],
    ["most frequent", samples.map((sample) => (isTextual ? value(sample) : name(sample))).join(", ")],
  ];
  const told = lines.filter(([, fact]) => fact !== "").map(([label, fact]) => `${label}: ${fact}`);
  return escapeProtocolTags(told.join("\n"));
}

/** The other ends of the keys that the column has (`to`) or serves (`from`). */
function keyTexts(
  { table, schema, keys }: ColumnFacts,
  direction: "to" | "from",
  name: (text: string) => string,
): string {
  const told: [ForeignKey, string][] = [
    ...keys.declared.map((key): [ForeignKey, string] => [key, "declared"]),
    ...keys.inferred.map((key): [ForeignKey, string] => {
      return [key, `inferred, ${percent(key.evidence.contained)} contained`];
    }),
  ];
  const texts = told.flatMap(([key, how]) => {
    const from = { table: key.table, column: key.column };
    const to = { table: key.referencedTable, column: key.referencedColumn };
    const [own, other] = direction === "to" ? [from, to] : [to, from];
    if (!isSameName(own.table, table) || !isSameName(own.column, schema.name)) return [];
    return [`${name(other.table)}.${name(other.column)} (${how})`];
  });
  const more = texts.length > MAX_KEYS ? ` and ${texts.length - MAX_KEYS} more` : "";
  return `${texts.slice(0, MAX_KEYS).join(", ")}${more}`;
}

/** A share in percent with two decimals at most. */
function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
