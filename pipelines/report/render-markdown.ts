import { actionText, saidBesides } from "../render-rollout.ts";
import { markdownBlock, markdownText } from "./page-text.ts";
import type { ReportDocument, ShownRollout } from "./report-document.ts";
import {
  type Cell,
  cellParts,
  isNumberCell,
  type ReportSection,
  type ReportTable,
} from "./report-sections.ts";
import { showNumber } from "./shown-number.ts";

/** Characters of a text that Markdown shows; the page shows more. */
const TEXT_LIMIT = 4_000;

/** The report in Markdown: the tables of the page without its plots, and the rollouts. */
export function renderMarkdown(document: ReportDocument, sections: readonly ReportSection[]): string {
  const { run } = document;
  const models = run.models.map(
    ({ role, name, revision }) => `${name}${revision === "" ? "" : ` ${revision}`} (${role})`,
  );
  const datasets = run.datasets.map(({ loader, split }) => `${loader} ${split}`);
  const parts = [
    `# ${markdownText(run.name)}`,
    [
      ...(models.length === 0 ? [] : [`- models: ${markdownText(models.join(", "))}`]),
      ...(datasets.length === 0 ? [] : [`- datasets: ${markdownText(datasets.join(", "))}`]),
      ...document.sets
        .filter(({ simulated }) => simulated > 0)
        .map(
          ({ simulated, answers }) =>
            `- **${showNumber(simulated, "count")} of ${showNumber(answers, "count")} answers come from a simulated model**`,
        ),
    ].join("\n"),
    ...sections.flatMap(({ title, lead, figures }) => [
      `## ${markdownText(title)}`,
      cellText(lead),
      ...figures.flatMap((figure) => [
        `### ${markdownText(figure.title)}`,
        markdownText(figure.note),
        tableText(figure.table),
      ]),
    ]),
    ...(document.rollouts.length === 0 ? [] : ["## Rollouts to read", ...document.rollouts.map(rolloutText)]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function tableText({ columns, rows }: ReportTable): string {
  return [
    rowText(columns.map(markdownText)),
    rowText(columns.map((_, column) => (isNumberCell(rows[0]?.[column]) ? "---:" : "---"))),
    ...rows.map((row) => rowText(row.map(cellText))),
  ].join("\n");
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function cellText(cell: Cell): string {
  return cellParts(cell)
    .map((part) => (typeof part === "string" ? markdownText(part) : showNumber(part.value, part.form)))
    .join("");
}

function rolloutText({ kind, system, question, gold, trajectory }: ShownRollout): string {
  const turns = trajectory.messages
    .filter(({ origin }) => origin !== "given")
    .map((message) => {
      if (message.origin !== "sampled")
        return `${message.origin === "injected" ? "reminder" : "result"}\n\n${block(message.rawText, "")}`;
      const said = [message.reasoning ?? "", saidBesides(message), ...message.toolCalls.map(actionText)];
      return `model\n\n${block(said.filter((text) => text !== "").join("\n\n"), "")}`;
    });
  return [
    `### ${kind}: ${markdownText(question)}`,
    `${markdownText(system)}, sample ${trajectory.id}, ended ${markdownText(trajectory.stopReason)}`,
    ...turns,
    ...(trajectory.finalSql === null ? ["no answer"] : [`answer\n\n${block(trajectory.finalSql, "sql")}`]),
    ...(gold === null ? [] : [`gold\n\n${block(gold, "sql")}`]),
  ].join("\n\n");
}

function block(text: string, language: string): string {
  const shown =
    text.length <= TEXT_LIMIT ? text : `${text.slice(0, TEXT_LIMIT)}\n… of ${text.length} characters`;
  return markdownBlock(shown, language);
}
