import { GradusError } from "../../core/errors.ts";
import { sha256 } from "../../core/key.ts";
import { FILLED, SHEET_COLUMNS, type SheetRow } from "./review-sheet.ts";

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:72rem;padding:1rem 1.5rem;color:#1a1a1a;background:#fff}
header{position:sticky;top:0;background:#fff;border-bottom:1px solid #bbb;padding:.5rem 0;display:flex;gap:1rem;align-items:baseline}
h1{font-size:1.2rem;margin:0;flex:1}article{border-bottom:1px solid #ddd;padding:1rem 0}h2{font-size:1rem;margin:0 0 .25rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f5;padding:.5rem;margin:.25rem 0}dt{font-weight:600}dd{margin:0 0 .25rem}
fieldset{border:1px solid #ccc;margin:.5rem 0 0}label{display:block;margin:.25rem 0}textarea,input{width:100%;box-sizing:border-box;font:inherit}
textarea{font-family:ui-monospace,monospace}input[type=radio]{width:auto}.choices label{display:inline;margin-right:1rem}button{font:inherit;padding:.25rem .75rem}`;

/** Puts what was filled in into the rows and hands them to the browser as a file. */
const SCRIPT = `const rows=JSON.parse(document.getElementById("sheet").textContent);
document.getElementById("save").addEventListener("click",()=>{
for(const field of document.querySelectorAll("[data-row]")){
if(field.type==="radio"&&!field.checked)continue;
rows[Number(field.dataset.row)][field.dataset.column]=field.value;}
const link=document.createElement("a");
link.href=URL.createObjectURL(new Blob([JSON.stringify(rows,null,1)],{type:"application/json"}));
link.download="reviewed.json";link.click();});`;

/**
 * A sheet as one HTML page that needs nothing else: findings with their questions, a form for each, and a button that
 * saves the reviewed rows as JSON. Texts of the data are never markup, and nothing but the page's own script can run.
 */
export function sheetHtml(title: string, rows: readonly SheetRow[]): string {
  const digest = Buffer.from(sha256(SCRIPT), "hex").toString("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'`;
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escaped(title)}</title><style>${STYLE}</style></head><body>`,
    `<header><h1>${escaped(title)}</h1><span>${rows.length} rows</span><button id="save" type="button">Save the reviewed sheet</button></header><main>`,
    ...rows.map(article),
    "</main>",
    `<script type="application/json" id="sheet">${jsonInHtml(rows)}</script>`,
    `<script>${SCRIPT}</script>`,
    "</body></html>",
    "",
  ].join("\n");
}

function article(row: SheetRow, index: number): string {
  const name = `${row.dataset} ${row.split} ${row.source_id} · ${row.db_id}`;
  const parts = [
    `<article aria-labelledby="row-${index}"><h2 id="row-${index}">${index + 1}. ${escaped(name)}</h2>`,
    row.check === ""
      ? ""
      : `<p><strong>${escaped(row.check)}</strong> (${escaped(row.severity)}, ${escaped(row.confidence)}; ${escaped(row.kind)}): ${escaped(row.message)}</p>`,
    "<dl>",
    shown("Question", row.question),
    row.evidence === "" ? "" : shown("Evidence", row.evidence),
    shown("SQL", row.gold),
    row.other_golds === "" ? "" : shown("Other accepted SQL", row.other_golds),
    row.suggested_text === "" ? "" : shown(`Suggested ${row.suggested_field}`, row.suggested_text),
    "</dl>",
    form(row, index),
    "</article>",
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function shown(label: string, text: string): string {
  return `<dt>${escaped(label)}</dt><dd><pre>${escaped(text)}</pre></dd>`;
}

function form(row: SheetRow, index: number): string {
  const words = row.suggested_text === "" ? ["", "edit", "reject"] : ["", "accept", "edit", "reject"];
  const choices = words.map(
    (word) =>
      `<label><input type="radio" name="decision-${index}" data-row="${index}" data-column="decision" value="${word}"${row.decision === word ? " checked" : ""}> ${word === "" ? "open" : word}</label>`,
  );
  const fields = FILLED.filter((column) => column !== "decision" && column !== "time").map((column) => {
    const label = column.replaceAll("_", " ");
    const common = `data-row="${index}" data-column="${column}"`;
    const input =
      column !== "author"
        ? `<textarea rows="2" ${common}>\n${escaped(row[column])}</textarea>`
        : `<input type="text" ${common} value="${escaped(row[column])}">`;
    return `<label>${label} ${input}</label>`;
  });
  return `<fieldset><legend>Decision</legend><div class="choices">${choices.join("")}</div>${fields.join("")}</fieldset>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** JSON that no parser of HTML takes for the end of its script. */
function jsonInHtml(rows: readonly SheetRow[]): string {
  return JSON.stringify(rows)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/**
 * The rows of a page that {@link sheetHtml} wrote, or of the JSON that its button saves.
 * @throws SHEET_MALFORMED for a text that is neither.
 */
export function readSheetText(text: string, file: string): SheetRow[] {
  const inPage = /<script type="application\/json" id="sheet">([^<]*)<\/script>/.exec(text)?.[1];
  try {
    const value: unknown = JSON.parse(inPage ?? text);
    if (!Array.isArray(value)) throw new TypeError("it holds no rows");
    return value.map((row: unknown) => {
      const cells = row as Readonly<Record<string, unknown>>;
      return Object.fromEntries(
        SHEET_COLUMNS.map((column) => [column, typeof cells[column] === "string" ? cells[column] : ""]),
      ) as SheetRow;
    });
  } catch (thrown) {
    throw new GradusError(
      "SHEET_MALFORMED",
      `${file} is no review sheet: expected the page or what its button saved`,
      {
        site: { file },
        hint: "gradus audit export --to html writes one",
        cause: thrown,
      },
    );
  }
}
