import path from "node:path";
import { writeWhole } from "../../io/files.ts";
import { safeJson } from "../terminal-text.ts";
import { accuracySection, costSection, foundSection } from "./answer-sections.ts";
import { buildReport } from "./build-report.ts";
import { renderHtml } from "./render-html.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { passRateSection } from "./pass-rate-section.ts";
import type { ReportDocument } from "./report-document.ts";
import type { ReportSection } from "./report-sections.ts";
import { openReportSource } from "./report-source.ts";
import { curriculumSection, funnelSection, rewardsSection, roundsSection } from "./run-sections.ts";

/** A report as it was written. */
export interface WrittenReport {
  readonly document: ReportDocument;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/**
 * Writes `report.html`, `report.md` and `report.json` of a run into `folder`, by default `report/` in the run's folder.
 * The same run gives the same bytes.
 * @throws RUN_UNKNOWN, ARTIFACT_DAMAGED, DISK_FULL, FILE_FORBIDDEN.
 */
export async function writeReport(
  runsFolder: string,
  name: string,
  folder: string | null,
): Promise<WrittenReport> {
  const source = await openReportSource(runsFolder, name);
  const document = await buildReport(source);
  const sections = sectionsOf(document);
  const contents = {
    "report.html": renderHtml(document, sections),
    "report.md": renderMarkdown(document, sections),
    "report.json": `${safeJson(document)}\n`,
  };
  const files: { path: string; bytes: number }[] = [];
  for (const [file, content] of Object.entries(contents)) {
    const target = path.join(folder ?? path.join(source.folder, "report"), file);
    await writeWhole(target, content);
    files.push({ path: target, bytes: Buffer.byteLength(content) });
  }
  return { document, files };
}

/** The parts of the page that the document has something for, in their order. */
export function sectionsOf(document: ReportDocument): ReportSection[] {
  const sections = [
    funnelSection(document),
    ...document.sets.map((_, place) => accuracySection(document, place)),
    foundSection(document),
    passRateSection(document),
    curriculumSection(document),
    roundsSection(document),
    ...document.sets.map((_, place) => costSection(document, place)),
    rewardsSection(document),
  ];
  return sections.filter((section) => section !== null);
}
