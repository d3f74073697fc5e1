import { sha256 } from "../../core/key.ts";
import { drawSvg } from "./draw-svg.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { numberHtml, pageText } from "./page-text.ts";
import type { ReportDocument } from "./report-document.ts";
import {
  type Cell,
  cellParts,
  numberAt,
  type NumberCell,
  type ReportFigure,
  type ReportSection,
  type ReportTable,
} from "./report-sections.ts";
import { rolloutsHtml } from "./rollout-page.ts";
import { spelled } from "./run-sections.ts";

/** Widths that plots are laid out for: a window and a phone, pixels. */
const WIDTHS = { wide: 752, narrow: 344 } as const;

/**
 * The report as one page: no script, and a policy under which it can load nothing. The same document gives the same
 * bytes.
 */
export function renderHtml(document: ReportDocument, sections: readonly ReportSection[]): string {
  const digest = Buffer.from(sha256(PAGE_STYLE), "hex").toString("base64");
  const policy = `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const hasRollouts = document.rollouts.length > 0;
  const links = [
    ...sections.map(({ id, title }) => ({ id, title })),
    ...(hasRollouts ? [{ id: "rollouts", title: "Rollouts" }] : []),
    { id: "recipe", title: "Recipe" },
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${pageText(document.run.name)} · gradus report</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the figures</a>
${headerHtml(document)}
<nav class="contents" aria-label="Contents"><ul>${links.map(({ id, title }) => `<li><a href="#${id}">${pageText(title)}</a></li>`).join("")}</ul></nav>
<main id="main" tabindex="-1">
${sections.map(sectionHtml).join("\n")}
${hasRollouts ? rolloutSection(document) : ""}
${recipeSection(document)}
</main>
<footer class="page"><p>Made by gradus report. Every number here is in report.json.</p></footer>
</body>
</html>
`;
}

function headerHtml(document: ReportDocument): string {
  const { run } = document;
  const models = run.models.map(({ role, name, revision, provider }) => {
    const details = [revision === "" ? "" : `revision ${revision}`, role, provider].filter(
      (part) => part !== "",
    );
    return `${pageText(name)} <span class="note">(${pageText(details.join(", "))})</span>`;
  });
  const systems = [...new Set(document.sets.flatMap((set) => set.systems.map(({ model }) => model.name)))];
  const named = models.length > 0 ? models : systems.map((name) => pageText(name));
  const datasets = run.datasets.map(
    ({ loader, split, use }) => `${loader} ${split}${use === "training" ? "" : ` (${use})`}`,
  );
  const settings = [...new Set(document.sets.flatMap((set) => set.systems.map(({ setting }) => setting)))];
  const facts: (readonly [string, string])[] = [
    [named.length > 1 ? "models" : "model", named.join(", ")],
    ["answers by", pageText(settings.join(", "))],
    ["datasets", pageText(datasets.join(", "))],
    ["seed", run.seed === null ? "" : numberHtml(numberAt(document, ["run", "seed"], "count"))],
  ];
  const shown = facts.filter(([, value]) => value !== "");
  return `<header class="page">
<p class="eyebrow">gradus report</p>
<h1>${pageText(run.name)}</h1>
<dl class="about">${shown.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>
${tilesHtml(document)}
${simulatedHtml(document)}
</header>`;
}

/** The totals of the funnel, and of each set the system that is right most often. */
function tilesHtml(document: ReportDocument): string {
  const tiles: { readonly number: NumberCell; readonly name: string; readonly unit: string }[] = [];
  for (const [index, { name, depth }] of document.funnel.entries()) {
    if (depth === 0)
      tiles.push({
        number: numberAt(document, ["funnel", index, "count"], "count"),
        name: spelled(name),
        unit: "",
      });
  }
  for (const [place, set] of document.sets.entries()) {
    const best = set.accuracy
      .flatMap((row, index) =>
        row.group === "all" && row.metric === set.metric && row.mean !== null ? [{ row, index }] : [],
      )
      .sort((left, right) => (right.row.mean ?? 0) - (left.row.mean ?? 0))[0];
    if (best === undefined) continue;
    const of = set.name === "questions" ? "" : ", evaluation";
    const more =
      set.systems.length > 1 ? `best accuracy${of}: ${best.row.system}` : `accuracy${of}: ${best.row.system}`;
    tiles.push({
      number: numberAt(document, ["sets", place, "accuracy", best.index, "mean"], "percent"),
      name: more,
      unit: "%",
    });
  }
  if (tiles.length === 0) return "";
  const items = tiles.map(
    ({ number, name, unit }) =>
      `<li><span class="figure">${numberHtml(number)}${unit === "" ? "" : `<span class="unit">${unit}</span>`}</span><span class="name">${pageText(name)}</span></li>`,
  );
  return `<ul class="tiles">${items.join("")}</ul>`;
}

function simulatedHtml(document: ReportDocument): string {
  const parts = document.sets.flatMap(({ simulated, name }, place) => {
    if (simulated === 0) return [];
    const number = (field: string, form: "count" | "percent") =>
      numberHtml(numberAt(document, ["sets", place, field], form));
    return [
      `${number("simulated", "count")} of ${number("answers", "count")} answers${name === "evaluation" ? " of the evaluation" : ""} (${number("simulatedShare", "percent")}&nbsp;%)`,
    ];
  });
  if (parts.length === 0) return "";
  return `<p class="warning"><strong>Simulated.</strong> ${parts.join(" and ")} come from a simulated model. They show how the run went, and say nothing of a real model.</p>`;
}

function sectionHtml({ id, title, lead, figures }: ReportSection): string {
  const shown = figures.map((figure) => figureHtml(figure));
  return `<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${pageText(title)}</h2><p class="lead">${cellHtml(lead)}</p>\n${shown.join("\n")}\n</section>`;
}

function figureHtml({ id: given, title, note, description, plot, legend, table }: ReportFigure): string {
  const id = pageText(given.replaceAll(/[^\w-]/g, "-"));
  const head = `<h3 id="${id}-heading">${pageText(title)}</h3>${note === "" ? "" : `<p class="note">${pageText(note)}</p>`}`;
  const inTable = tableHtml(table);
  if (plot === null) return `<figure role="group" aria-labelledby="${id}-heading">${head}${inTable}</figure>`;
  const drawings = Object.entries(WIDTHS).map(
    ([name, width]) =>
      `<div class="${name}">${drawSvg(plot, width, { id: `${id}-${name}`, title, description })}</div>`,
  );
  const swatches = legend.map(
    ({ name, colour }) =>
      `<li><svg viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" rx="3" fill="${colour}"/></svg>${pageText(name)}</li>`,
  );
  const legendHtml = swatches.length < 2 ? "" : `<ul class="legend">${swatches.join("")}</ul>`;
  return `<figure role="group" aria-labelledby="${id}-heading">${head}${legendHtml}${drawings.join("")}<details><summary>The numbers</summary>${inTable}</details></figure>`;
}

/** Characters of a text that is not broken. */
const SHORT = 24;

/** Numbers stand to the right; short texts stay on one line. */
function columnClass(column: readonly Cell[]): string {
  const cells = column.filter((cell) => cell !== "");
  if (cells.every((cell) => typeof cell === "string"))
    return cells.every((cell) => cell.length <= SHORT) ? ' class="short"' : "";
  return cells.every((cell) => typeof cellParts(cell)[0] === "object") ? ' class="number"' : "";
}

function tableHtml({ caption, columns, rows }: ReportTable): string {
  const classes = columns.map((_, column) => columnClass(rows.map((row) => row[column] ?? "")));
  const cellClass = (column: number): string => classes[column] ?? "";
  const head = columns.map((title, column) =>
    title === ""
      ? `<td${cellClass(column)}></td>`
      : `<th scope="col"${cellClass(column)}>${pageText(title)}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const name = column === 0 ? 'th scope="row"' : "td";
      return `<${name}${cellClass(column)}>${cellHtml(cell)}</${name.slice(0, 2)}>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<div class="scroll" role="region" tabindex="0" aria-label="${pageText(caption)}"><table><caption>${pageText(caption)}</caption><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

function cellHtml(cell: Cell): string {
  return cellParts(cell)
    .map((part) => (typeof part === "string" ? pageText(part) : numberHtml(part)))
    .join("");
}

function rolloutSection({ rollouts }: ReportDocument): string {
  return `<section id="rollouts" aria-labelledby="rollouts-heading"><h2 id="rollouts-heading">Rollouts to read</h2><p class="lead">A few of each kind, the same ones every time. Open one to read it turn by turn.</p>
${rolloutsHtml(rollouts)}
</section>`;
}

function recipeSection({ run }: ReportDocument): string {
  const recipe = pageText(JSON.stringify(run.recipe, null, 2));
  return `<section id="recipe" aria-labelledby="recipe-heading"><h2 id="recipe-heading">Recipe</h2><p class="lead">As the run was last started, without places of this machine.</p>
<p>Finished steps: ${run.steps.map((step) => `<code>${pageText(step)}</code>`).join(", ")}.</p>
<details><summary>The whole recipe</summary><pre class="long" tabindex="0">${recipe}</pre></details></section>`;
}
