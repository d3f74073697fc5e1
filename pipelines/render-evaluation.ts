import { ERROR_CLASSES } from "../curation/error-taxonomy.ts";
import type { EvaluationDocument, GroupAccuracy } from "./evaluation-document.ts";

type System = EvaluationDocument["systems"][number];

const GAP = "  ";
/** Signs of errors that are shown. */
const SHOWN_SIGNS = 8;

/** An evaluation for a person: a block for each system, then what is to know of the golds, and published figures. */
export function renderEvaluation(document: EvaluationDocument, by: readonly string[]): string {
  return [
    ...document.systems.map((system) => renderSystem(system, by)),
    renderSanity(document),
    renderPublished(document),
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

function renderSystem(system: System, by: readonly string[]): string {
  const apart = Object.entries(system.unexecutable).map(([reason, count]) => `${count} ${reason}`);
  const notes = [
    `${system.questions} questions`,
    ...(system.runs > 1 ? [`${system.runs} runs`] : []),
    ...(apart.length === 0 ? [] : [`unexecutable: ${apart.join(", ")}`]),
    ...(system.missing > 0 ? [`${system.missing} missing`] : []),
    ...(system.simulated ? ["simulated"] : []),
  ];
  return [
    `${system.name}: ${notes.join("; ")}`,
    accuracyTable(system, by),
    attemptTable(system),
    linkingTable(system),
    errorTable(system),
    effortTable(system),
    abilityTable(system),
  ]
    .filter((block) => block !== "")
    .join("\n");
}

/** Groups down, metrics across: percent with the deviation over runs, or the interval of one run. */
function accuracyTable({ accuracy }: System, by: readonly string[]): string {
  const metrics = [...new Set(accuracy.map(({ metric }) => metric))];
  const shown = accuracy.filter(({ group }) => isShown(group, by));
  const groups = [...new Set(shown.map(({ group }) => group))];
  const rows = groups.map((group) => {
    const cells = metrics.map((metric) => shown.find((row) => row.group === group && row.metric === metric));
    const n = Math.max(...cells.map((cell) => cell?.n ?? 0));
    return [group, String(n), ...cells.map(accuracyText)];
  });
  return table([["accuracy", "n", ...metrics], ...rows]);
}

function isShown(group: string, by: readonly string[]): boolean {
  const kind = group.split(":")[0] ?? group;
  return kind === "all" || kind === "interactions" || by.includes(kind);
}

function accuracyText(cell: GroupAccuracy | undefined): string {
  if (cell === undefined || cell.mean === null) return "-";
  const mean = percent(cell.mean);
  if (cell.standardDeviation !== null) return `${mean} ± ${percent(cell.standardDeviation)}`;
  return cell.low === null || cell.high === null
    ? mean
    : `${mean} (${percent(cell.low)} - ${percent(cell.high)})`;
}

function attemptTable({ runs, passAtK, votes, unique }: System): string {
  if (runs < 2) return "";
  const attempts = [...new Set(passAtK.map(({ k }) => k))];
  const metrics = [...new Set(passAtK.map(({ metric }) => metric))];
  const line = (title: string, at: (k: number) => number | undefined, format: (value: number) => string) => [
    title,
    ...attempts.map((k) => {
      const value = at(k);
      return value === undefined ? "-" : format(value);
    }),
  ];
  const rows = metrics.flatMap((metric) => {
    const pass = (k: number) => passAtK.find((one) => one.k === k && one.metric === metric);
    const vote = (method: string, k: number) =>
      votes.find((one) => one.method === method && one.k === k && one.metric === metric)?.mean;
    return [
      line(`pass@k, ${metric}`, (k) => pass(k)?.passAtK, percent),
      line(`pass^k, ${metric}`, (k) => pass(k)?.passHatK, percent),
      line(`majority, ${metric}`, (k) => vote("majority", k), percent),
      line(`consensus, ${metric}`, (k) => vote("consensus", k), percent),
    ];
  });
  const uniqueAt = (k: number) => unique.find((one) => one.k === k);
  rows.push(
    line("unique SQL", (k) => uniqueAt(k)?.sql, plain),
    line("unique results", (k) => uniqueAt(k)?.results, plain),
  );
  return table([["k", ...attempts.map(String)], ...rows]);
}

function linkingTable({ linking, linker }: System): string {
  const rows = [["answers", linking] as const, ["linker", linker] as const].flatMap(([title, figures]) =>
    figures === null
      ? []
      : [
          [
            title,
            percent(figures.precision),
            percent(figures.recall),
            percent(figures.f1),
            percent(figures.completeRecall),
          ],
        ],
  );
  return rows.length === 0
    ? ""
    : table([["schema linking", "precision", "recall", "F1", "complete recall"], ...rows]);
}

function errorTable({ errors, judgedErrors: judged }: System): string {
  if (errors.wrong === 0) return "";
  const names = ERROR_CLASSES.filter((name) => name in errors.all || name in (judged?.all ?? {}));
  const rows = names.map((name) => [
    words(name),
    counted(errors.main, name),
    counted(errors.all, name),
    ...(judged === null ? [] : [counted(judged.main, name), counted(judged.all, name)]),
  ]);
  const signs = Object.entries(errors.signs)
    .sort(([, left], [, right]) => right - left)
    .slice(0, SHOWN_SIGNS)
    .map(([sign, count]) => `${words(sign)} ${count}`);
  const heading = [
    `${errors.wrong} wrong by ${errors.metric}`,
    "main",
    "any",
    ...(judged === null ? [] : ["judged main", "any"]),
  ];
  const unread = judged === null ? "" : ` (${judged.asked} judged by a model, ${judged.unread} unread)`;
  heading[0] = `${heading[0] ?? ""}${unread}`;
  return [table([heading, ...rows]), `commonest signs: ${signs.join(", ")}`].join("\n");
}

function counted(counts: Readonly<Record<string, number>>, name: string): string {
  return String(counts[name] ?? 0);
}

function effortTable({ effort, tools, stopReasons }: System): string {
  const isRollout = effort.some(
    ({ completionTokens, toolCalls }) => completionTokens !== null || toolCalls > 0,
  );
  if (!isRollout) return "";
  const rows = effort.map((row) => [
    row.group,
    String(row.samples),
    number(row.turns, 2),
    number(row.toolCalls, 2),
    number(row.promptTokens, 0),
    number(row.completionTokens, 0),
    row.costMicroUsd === null ? "-" : (row.costMicroUsd / 1e6).toFixed(6),
  ]);
  const heading = ["effort a sample", "samples", "turns", "calls", "prompt", "completion", "USD"];
  const used = tools.map(
    ({ stage, tool, calls, share }) =>
      `${tool} ${calls} calls in ${percent(share)}% of samples${stage === "linking" ? " (linking)" : ""}`,
  );
  const stops = Object.entries(stopReasons).map(([reason, count]) => `${words(reason)} ${count}`);
  return [
    table([heading, ...rows]),
    ...(used.length === 0 ? [] : [`tools: ${used.join(", ")}`]),
    `ended: ${stops.join(", ")}`,
  ].join("\n");
}

function number(value: number | null, digits: number): string {
  return value === null ? "-" : value.toFixed(digits);
}

/** Abilities down, groups across. */
function abilityTable({ abilities }: System): string {
  if (abilities.length === 0) return "";
  const groups = [...new Set(abilities.map(({ group }) => group))];
  const rows = [...new Set(abilities.map(({ ability }) => ability))].map((ability) => [
    ability.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    ...groups.map((group) => {
      const mean = abilities.find((one) => one.group === group && one.ability === ability)?.mean ?? null;
      return mean === null ? "-" : percent(mean);
    }),
  ]);
  return table([["ability", ...groups], ...rows]);
}

function renderSanity({ golds, overlap, dependsOnMetric }: EvaluationDocument): string {
  const lines = Object.entries(golds.reasons)
    .filter(([reason]) => reason !== "ok")
    .map(([reason, count]) => `${count} golds cannot be judged: ${words(reason)}`);
  for (const [metric, count] of Object.entries(golds.unmatched)) {
    lines.push(`${count} golds do not match themselves by ${metric}: no prediction can`);
  }
  if (golds.empty > 0) lines.push(`${golds.empty} golds return no rows: any answer without rows is right`);
  if (golds.undetermined !== null) {
    lines.push(
      `${golds.undetermined.golds} golds are left open by their data${listed(golds.undetermined.findings)}`,
    );
  }
  for (const { system, count } of dependsOnMetric.filter((one) => one.count > 0)) {
    lines.push(`${count} verdicts of ${system} depend on the metric`);
  }
  if (overlap !== null) {
    lines.push(
      `${overlap.sameQuestionAndDatabase} of ${overlap.evaluatedQuestions} questions were trained on (${overlap.training}); ${overlap.onTrainedDatabase} are asked of one of ${overlap.databases.length} databases that were`,
    );
  }
  return lines.length === 0 ? "" : ["to know", ...lines.map((line) => `${GAP}${line}`)].join("\n");
}

function listed(counts: Readonly<Record<string, number>>): string {
  const items = Object.entries(counts).map(([name, count]) => `${words(name)} ${count}`);
  return items.length === 0 ? "" : `: ${items.join(", ")}`;
}

function renderPublished({ published }: EvaluationDocument): string {
  if (published.length === 0) return "";
  const rows = published.map(({ system, setting, metric, value, deviation, source }) => [
    system,
    setting,
    metric,
    `${percent(value)}${deviation === null ? "" : ` ± ${percent(deviation)}`}`,
    source,
  ]);
  return table([["published", "setting", "metric", "percent", "source"], ...rows], [0, 1, 2, 4]);
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function plain(value: number): string {
  return value.toFixed(2);
}

/** Rows as lines: the columns of `left` to the left, the others to the right. */
function table(rows: readonly (readonly string[])[], left: readonly number[] = [0]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          left.includes(index) ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
        )
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}
