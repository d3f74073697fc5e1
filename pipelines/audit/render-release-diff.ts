import { oneLineText, shortenText } from "../../synth/one-line-text.ts";
import type { ReleaseDiff } from "./diff-releases.ts";
import type { ChangeSign, ReleaseChange } from "./release-change.ts";

const SIGN_NAMES: Readonly<Record<ChangeSign, string>> = {
  stops_running: "ran before, does not run now",
  becomes_empty: "had rows before, is empty now",
  still_failing: "ran neither before nor after",
  against_consensus: "against what most systems answer",
  no_op_text: "nothing but white space, case or comments changed",
  no_op_result: "only the SQL changed, with the same rows",
  starts_running: "did not run before, runs now",
  becomes_filled: "was empty before, has rows now",
};

const RESULT_NAMES = {
  same_order: "same rows, same order",
  same_rows: "same rows, another order",
  same_set: "same set of rows, other duplicates",
  different: "another result",
  not_comparable: "one of the two does not run",
} as const;

const UNJUDGED_NAMES = {
  no_gold: "neither release has SQL",
  database_unnamed: "neither release names the database",
  database_missing: "there is no file of the database",
} as const;

/** Databases without a file that are named. */
const MOST_NAMES = 12;

/** Characters of a text in the list of changes. */
const SHOWN_CHARACTERS = 160;

/** A comparison for a person: totals, then up to `most` changes, those that need a look first. */
export function renderReleaseDiff(diff: ReleaseDiff, most: number): string {
  const { totals } = diff;
  const { changed } = totals;
  const head = [
    `${diff.before.name}: ${diff.before.questions} questions; ${diff.after.name}: ${diff.after.questions}; in both: ${totals.matched}`,
    `changed: ${totals.changedQuestions} questions (SQL ${changed.gold}, question ${changed.question}, evidence ${changed.evidence}, database ${changed.database}; added ${changed.added}, removed ${changed.removed})`,
    ...(totals.passedOver > 0 ? [`not spoken of by ${diff.after.name}: ${totals.passedOver}`] : []),
  ];
  const sections = [
    head,
    counts(
      "changed together",
      entries(totals.together, (name) => name),
    ),
  ];
  if (totals.goldsRun > 0) {
    const title = `${totals.goldsRun} of ${changed.gold} changed SQL run`;
    sections.push(
      counts(
        title,
        entries(totals.results, (name) => RESULT_NAMES[name]),
      ),
    );
  }
  sections.push(
    counts(
      "signs",
      entries(totals.signs, (name) => SIGN_NAMES[name]),
    ),
  );
  sections.push(verdictLines(diff));
  const missing = listed(diff.missingDatabases);
  const unjudged = entries(totals.unjudged, (name) =>
    name === "database_missing" ? `${UNJUDGED_NAMES[name]}: ${missing}` : UNJUDGED_NAMES[name],
  );
  sections.push(counts("not run", unjudged));
  const shown = worthALook(diff.changes).slice(0, most);
  if (shown.length > 0) sections.push(["worth a look:", ...shown.flatMap(changeLines)]);
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function entries<K extends string>(
  record: Readonly<Record<K, number>>,
  name: (key: K) => string,
): [string, number][] {
  return (Object.keys(record) as K[]).filter((key) => record[key] > 0).map((key) => [name(key), record[key]]);
}

function listed(names: readonly string[]): string {
  const left = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

function counts(title: string, rows: readonly (readonly [string, number])[]): string[] {
  if (rows.length === 0) return [];
  const digits = Math.max(...rows.map(([, count]) => String(count).length));
  return [
    `${title}:`,
    ...rows.map(([name, count]) => `  ${String(count).padStart(digits)}  ${oneLineText(name)}`),
  ];
}

function verdictLines({ totals, systems, metric }: ReleaseDiff): string[] {
  if (systems.length === 0) return [];
  const { questions, wrongToRight, rightToWrong, other } = totals.verdicts;
  const width = Math.max(...systems.map(({ name }) => name.length));
  const lines = systems.map(({ name, answers, astray }) => {
    const turned = totals.systems[name] ?? { wrongToRight: 0, rightToWrong: 0 };
    const lost = astray > 0 ? `, ${astray} without a question` : "";
    return `  ${name.padEnd(width)}  +${turned.wrongToRight} -${turned.rightToWrong}  (${answers} answers${lost})`;
  });
  return [
    `verdicts by ${metric} that turn: ${wrongToRight} to right, ${rightToWrong} to wrong${other > 0 ? `, ${other} to or from none` : ""}, on ${questions} questions`,
    ...lines,
  ];
}

const GRAVE: readonly ChangeSign[] = ["stops_running", "becomes_empty", "still_failing", "against_consensus"];

/** Changes with a sign, that turn verdicts or that give another result; gravest first, then as they stand. */
export function worthALook(changes: readonly ReleaseChange[]): ReleaseChange[] {
  return changes
    .map((change) => ({ change, rank: rankOf(change) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((left, right) => left.rank - right.rank || turnedBy(right.change) - turnedBy(left.change))
    .map(({ change }) => change);
}

function rankOf(change: ReleaseChange): number {
  const grave = GRAVE.findIndex((sign) => change.signs.includes(sign));
  if (grave >= 0) return grave;
  if (change.signs.includes("no_op_text") || change.signs.includes("no_op_result")) return GRAVE.length + 2;
  if (turnedBy(change) > 0) return GRAVE.length;
  return change.effect?.result === "different" ? GRAVE.length + 1 : Infinity;
}

function turnedBy({ effect }: ReleaseChange): number {
  return effect?.moved.length ?? 0;
}

function changeLines(change: ReleaseChange): string[] {
  const { effect, before, after } = change;
  const signs = change.signs.map((sign) => `; ${SIGN_NAMES[sign]}`).join("");
  const head = `  ${change.id} ${change.databaseId ?? ""}: ${change.changed.join(", ")}${signs}`;
  const lines = [oneLineText(head)];
  const show = (label: string, text: string): void => {
    lines.push(`    ${label} ${oneLineText(shortenText(text, SHOWN_CHARACTERS))}`);
  };
  if (before !== null && after !== null) {
    if (change.changed.includes("question")) {
      show("question -", before.question);
      show("question +", after.question);
    } else show("question  ", after.question);
    if (change.changed.includes("evidence")) {
      show("evidence -", before.evidence ?? "");
      show("evidence +", after.evidence ?? "");
    }
    if (change.changed.includes("gold")) {
      show("SQL -", `${before.gold?.join(" | ") ?? ""}${ending(effect?.before)}`);
      show("SQL +", `${after.gold?.join(" | ") ?? ""}${ending(effect?.after)}`);
    }
  }
  const { consensus = null } = effect ?? {};
  if (consensus !== null && !consensus.agreesWithAfter)
    show(`${consensus.votes} of ${consensus.voters} answer`, consensus.sql);
  if (effect !== null && effect.moved.length > 0)
    lines.push(`    systems right: ${effect.rightBefore} before, ${effect.rightAfter} after`);
  return lines;
}

function ending(
  gold: { readonly status: string; readonly rows: number; readonly message: string } | null | undefined,
): string {
  if (gold === null || gold === undefined) return "";
  return gold.status === "ok"
    ? `  (${gold.rows} rows)`
    : `  (${gold.status}${gold.message === "" ? "" : `: ${gold.message}`})`;
}
